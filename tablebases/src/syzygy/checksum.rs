//! The checksum at the end of every Syzygy file.
//!
//! It is `CityHash` (Pike and Alakuijala, Google 2011, version 1.0.3): the variant of 256 bits that
//! uses CRC-32C over pieces of 16 MiB, and the plain one over their results.

use cityhash_rs::cityhash_103_128;

/// Constants of the hash.
const K0: u64 = 0xc3a5_c85c_97cb_3127;
const MULTIPLIER: u64 = 0x9ddf_ea08_eb38_2d69;

/// Bytes that are hashed together.
const PIECE: usize = 1 << 24;
/// Up to this many bytes of results are hashed by the plain hash.
const SHORT: usize = 900;

/// The checksum of what precedes it in a file.
pub(crate) fn checksum(contents: &[u8]) -> [u8; 16] {
    let results: Vec<u8> = contents
        .chunks(PIECE)
        .flat_map(hash256)
        .flat_map(u64::to_le_bytes)
        .collect();
    let [low, high] = if results.len() <= SHORT {
        let hash = cityhash_103_128(&results);
        [(hash >> 64) as u64, hash as u64]
    } else {
        let [.., low, high] = hash256(&results);
        [low, high]
    };
    (u128::from(high) << 64 | u128::from(low)).to_le_bytes()
}

/// Two words mixed into one.
fn mix(low: u64, high: u64) -> u64 {
    let a = (low ^ high).wrapping_mul(MULTIPLIER);
    let b = (high ^ a ^ a >> 47).wrapping_mul(MULTIPLIER);
    (b ^ b >> 47).wrapping_mul(MULTIPLIER)
}

fn fold(word: u64) -> u64 {
    word ^ word >> 47
}

/// One step of CRC-32C, the polynomial 0x1edc6f41 with its bits reversed, over eight bytes. Five
/// run side by side, so that a table serves as well as an instruction.
fn crc(state: u64, word: u64) -> u64 {
    const TABLE: [u32; 256] = {
        let mut table = [0; 256];
        let mut byte = 0;
        while byte < 256 {
            let mut value = byte as u32;
            let mut bit = 0;
            while bit < 8 {
                value = value >> 1 ^ if value & 1 == 1 { 0x82f6_3b78 } else { 0 };
                bit += 1;
            }
            table[byte] = value;
            byte += 1;
        }
        table
    };
    let next = |crc: u32, byte: u8| crc >> 8 ^ TABLE[usize::from(crc as u8 ^ byte)];
    u64::from(word.to_le_bytes().into_iter().fold(state as u32, next))
}

/// The running state of the hash: six words that move on with each 40 bytes, and five checksums.
struct HashState {
    words: [u64; 6],
    crcs: [u64; 5],
}

/// Bytes that one step takes.
const STEP: usize = 40;
/// Bytes of six steps, which take turns in how they mix.
const ROUND: usize = 6 * STEP;

impl HashState {
    fn step(&mut self, bytes: &[u8], multiplier: u64, turn: u32) {
        let [a, b, c, d, e, t] = self.words;
        let sources = [(b, 41), (c, 27), (d, 41), (e, 33), (t, 25)];
        for (lane, ((word, rotation), input)) in sources.into_iter().zip(words(bytes)).enumerate() {
            let mixed = word
                .rotate_right(rotation ^ turn)
                .wrapping_mul(multiplier)
                .wrapping_add(input);
            self.words[lane] = mixed;
            self.crcs[lane] = crc(self.crcs[lane], mixed);
        }
        self.words[5] = a;
    }
}

fn words(bytes: &[u8]) -> impl Iterator<Item = u64> {
    let (words, _) = bytes.as_chunks::<8>();
    words.iter().map(|&word| u64::from_le_bytes(word))
}

/// The hash of 256 bits; input that is shorter than a round is filled up with zeros.
fn hash256(input: &[u8]) -> [u64; 4] {
    if input.len() < ROUND {
        let mut filled = [0; ROUND];
        filled[..input.len()].copy_from_slice(input);
        hash_long(&filled, !(input.len() as u32))
    } else {
        hash_long(input, 0)
    }
}

fn hash_long(input: &[u8], seed: u32) -> [u64; 4] {
    let length = input.len() as u64;
    let seed = u64::from(seed);
    let word = |at: usize| words(&input[at..]).next().unwrap_or(0);
    let b = word(96).wrapping_add(K0);
    let first = mix(b, length);
    let second = word(120).wrapping_mul(K0).wrapping_add(length);
    let mut state = HashState {
        words: [
            word(56).wrapping_add(K0),
            b,
            first,
            second,
            word(184).wrapping_add(seed),
            first.wrapping_add(second),
        ],
        crcs: [seed, 0, 0, 0, 0],
    };
    let (rounds, rest) = input.as_chunks::<ROUND>();
    for round in rounds {
        for (number, bytes) in round.chunks(STEP).enumerate() {
            let (multiplier, turn) = if number % 2 == 0 { (1, 1) } else { (K0, 0) };
            state.step(bytes, multiplier, turn);
        }
    }
    let (steps, rest) = rest.as_chunks::<STEP>();
    for bytes in steps {
        state.step(bytes, K0, 0);
    }
    // What is left is hashed together with what precedes it.
    if !rest.is_empty() {
        state.step(&input[input.len() - STEP..], K0, 0);
    }
    finish(&state, [first, second])
}

fn finish(state: &HashState, [first, second]: [u64; 2]) -> [u64; 4] {
    let [a, b, c, d, e, t] = state.words;
    let [f, g, h, i, j] = state.crcs;
    let j = j.wrapping_add(i << 32);
    let a = mix(a, j);
    let h = h.wrapping_add(g << 32);
    let b = b.wrapping_add(h);
    let c = mix(c, f).wrapping_add(i);
    let d = mix(d, e.wrapping_add(first));
    let j = j.wrapping_add(e);
    let i = i.wrapping_add(mix(h, t));
    let e = mix(a, d).wrapping_add(j);
    let f = mix(b, c).wrapping_add(a);
    let g = mix(j, i).wrapping_add(c);
    let one = e.wrapping_add(f).wrapping_add(g).wrapping_add(h);
    let a = fold(a.wrapping_add(g).wrapping_mul(K0))
        .wrapping_mul(K0)
        .wrapping_add(b);
    let two = second.wrapping_add(a).wrapping_add(one);
    let a = fold(a.wrapping_mul(K0)).wrapping_mul(K0).wrapping_add(c);
    let three = a.wrapping_add(two);
    let a = fold(a.wrapping_add(e).wrapping_mul(K0)).wrapping_mul(K0);
    [one, two, three, a.wrapping_add(three)]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Facts from the C implementation that made the checksums of the published tables.
    #[test]
    fn known_hashes() {
        let mut state = 1u32;
        let bytes: Vec<u8> = std::iter::repeat_with(|| {
            state = state.wrapping_mul(1_103_515_245).wrapping_add(12_345);
            (state >> 16) as u8
        })
        .take(2000)
        .collect();
        for line in include_str!("checksum.txt").lines() {
            let facts: Vec<_> = line.split(' ').collect();
            let input = &bytes[..facts[0].parse().unwrap()];
            let ours = hash256(input).map(|word| format!("{word:016x}"));
            assert_eq!(ours, facts[1..5], "{} bytes", facts[0]);
            let hash = cityhash_103_128(input);
            if input.len() <= SHORT {
                let ours = [(hash >> 64) as u64, hash as u64].map(|word| format!("{word:016x}"));
                assert_eq!(ours, facts[5..7], "{} bytes", facts[0]);
            }
        }
    }
}
