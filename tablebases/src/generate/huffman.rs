//! Canonical Huffman codes as Syzygy numbers them: the rarer a symbol, the smaller its number.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The greatest length of a code word, in bits.
const MAX_BITS: u32 = 32;

/// A code for symbols `0..count`.
#[derive(Debug)]
pub(super) struct Code {
    /// The new number of each symbol. Those that do not occur come last.
    pub(super) numbers: Vec<u16>,
    /// Bits of the code word of each symbol by its old number; 0 for those that do not occur.
    pub(super) bits: Vec<u32>,
    /// The shortest and the longest code word.
    pub(super) shortest: u32,
    pub(super) longest: u32,
    /// For each length from the shortest: the number of its first symbol.
    pub(super) lowest: Vec<u16>,
    /// For each length from the shortest: its first code word.
    bases: Vec<u64>,
}

impl Code {
    /// The best code for symbols that occur so often; at least one must occur.
    pub(super) fn new(counts: &[u64]) -> Code {
        let mut counts = counts.to_vec();
        let mut bits = lengths(&counts);
        // A longer word needs counts as lopsided as Fibonacci's numbers; evening them out helps.
        while bits.iter().any(|&bits| bits > MAX_BITS) {
            for count in counts.iter_mut().filter(|count| **count > 0) {
                *count = *count / 2 + 1;
            }
            bits = lengths(&counts);
        }
        let used = || bits.iter().copied().filter(|&bits| bits > 0);
        let shortest = used().min().unwrap_or(1);
        let longest = used().max().unwrap_or(1);
        let mut order: Vec<usize> = (0..counts.len()).collect();
        order.sort_by_key(|&symbol| match bits[symbol] {
            0 => u32::MAX,
            bits => MAX_BITS - bits,
        });
        let mut numbers = vec![0; counts.len()];
        for (number, &symbol) in order.iter().enumerate() {
            numbers[symbol] = number as u16;
        }
        let of_length = |length: u32| bits.iter().filter(|&&bits| bits == length).count();
        let longer = |length: u32| bits.iter().filter(|&&bits| bits > length).count() as u16;
        let mut bases = vec![0; (longest - shortest + 1) as usize];
        for length in (shortest..longest).rev() {
            let place = (length - shortest) as usize;
            bases[place] = u64::midpoint(bases[place + 1], of_length(length + 1) as u64);
        }
        Code {
            lowest: (shortest..=longest).map(longer).collect(),
            numbers,
            bits,
            shortest,
            longest,
            bases,
        }
    }

    /// The code word of a symbol, in its lowest bits.
    pub(super) fn word(&self, symbol: usize) -> u64 {
        let place = (self.bits[symbol] - self.shortest) as usize;
        self.bases[place] + u64::from(self.numbers[symbol] - self.lowest[place])
    }
}

/// The length of each symbol's code word (Huffman 1952).
fn lengths(counts: &[u64]) -> Vec<u32> {
    let mut parents: Vec<usize> = vec![0; counts.len()];
    let mut heap: BinaryHeap<Reverse<(u64, usize)>> = counts
        .iter()
        .enumerate()
        .filter(|&(_, &count)| count > 0)
        .map(|(symbol, &count)| Reverse((count, symbol)))
        .collect();
    let mut bits = vec![0; counts.len()];
    if let (1, Some(Reverse((_, only)))) = (heap.len(), heap.peek()) {
        bits[*only] = 1;
        return bits;
    }
    while let Some(Reverse((a, rarest))) = heap.pop() {
        let Some(Reverse((b, next))) = heap.pop() else {
            break;
        };
        let parent = parents.len();
        parents.push(0);
        parents[rarest] = parent;
        parents[next] = parent;
        heap.push(Reverse((a + b, parent)));
    }
    let mut depths = vec![0; parents.len()];
    for node in (0..parents.len().saturating_sub(1)).rev() {
        if parents[node] > 0 {
            depths[node] = depths[parents[node]] + 1;
        }
    }
    depths.truncate(counts.len());
    depths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_free_of_prefixes_and_short_where_it_pays() {
        let counts = [5, 0, 90, 1, 1, 20, 0, 7];
        let code = Code::new(&counts);
        assert_eq!(code.bits, [4, 0, 1, 5, 5, 2, 0, 3]);
        let used = (0..counts.len()).filter(|&symbol| counts[symbol] > 0);
        let words: Vec<_> = used
            .map(|symbol| (code.word(symbol), code.bits[symbol]))
            .collect();
        for (i, &(a, long)) in words.iter().enumerate() {
            for &(b, other) in &words[i + 1..] {
                let common = long.min(other);
                assert_ne!(a >> (long - common), b >> (other - common));
            }
        }
    }

    #[test]
    fn one_symbol_has_a_word_and_lopsided_counts_have_no_long_ones() {
        assert_eq!(Code::new(&[0, 9]).bits, [0, 1]);
        let mut fibonacci = vec![1, 1];
        for i in 2..60 {
            fibonacci.push(fibonacci[i - 1] + fibonacci[i - 2]);
        }
        assert!(Code::new(&fibonacci).longest <= MAX_BITS);
    }
}
