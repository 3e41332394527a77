//! Real Gaviota tables in the other compression schemes, which are not published.

use flate2::{Compression, write::ZlibEncoder};
use lzma_rust2::LzmaReader;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::io::{Read, Write};

/// Words of the header of a table.
pub(crate) const HEAD: usize = 10;

/// A `.gtb.cp4` file as one of the schemes 1 (Huffman), 2 (LZF) and 3 (zlib).
pub(crate) fn recode(cp4: &[u8], scheme: usize) -> Vec<u8> {
    let word = |number: usize| {
        let bytes = cp4[4 * number..].first_chunk().unwrap();
        u32::from_le_bytes(*bytes)
    };
    let start = word(8);
    let count = start as usize / 4 - HEAD - 1;
    let mut blocks = Vec::new();
    let mut offsets = vec![start];
    for number in HEAD..HEAD + count {
        let block = &cp4[word(number) as usize..word(number + 1) as usize];
        // A byte for the kind of block, and one for a filter (unused).
        blocks.push(block[0]);
        let mut values = Vec::new();
        let mut reader = LzmaReader::new_mem_limit(&block[2..], u32::MAX, None).unwrap();
        reader.read_to_end(&mut values).unwrap();
        match scheme {
            1 => huffman(&values, &mut blocks),
            2 => blocks.extend(lzf::compress(&values).unwrap()),
            _ => {
                let mut encoder = ZlibEncoder::new(&mut blocks, Compression::best());
                encoder.write_all(&values).unwrap();
                encoder.finish().unwrap();
            }
        }
        offsets.push(start + blocks.len() as u32);
    }
    let head = (0..HEAD).map(word).chain(offsets);
    let head = head.flat_map(u32::to_le_bytes);
    head.chain(blocks).collect()
}

/// The number of values, the Huffman tree, and the code words; bits fill bytes from the lowest.
fn huffman(values: &[u8], out: &mut Vec<u8>) {
    out.extend((values.len() as u32).to_le_bytes());
    let mut often: BTreeMap<u8, u64> = BTreeMap::new();
    for &value in values {
        *often.entry(value).or_default() += 1;
    }
    let leaves = often.iter().map(|(&value, &count)| {
        let tree = [vec![true], bits(value)].concat();
        Reverse((count, tree, vec![(value, Vec::new())]))
    });
    let mut heap: BinaryHeap<_> = leaves.collect();
    loop {
        let Reverse((zeros, left, mut codes)) = heap.pop().unwrap();
        let Some(Reverse((ones, right, others))) = heap.pop() else {
            let mut stream = left;
            let codes: BTreeMap<_, _> = codes.into_iter().collect();
            stream.extend(values.iter().flat_map(|value| &codes[value]));
            out.extend(stream.chunks(8).map(byte));
            return;
        };
        for (_, code) in &mut codes {
            code.insert(0, false);
        }
        codes.extend(others.into_iter().map(|(value, mut code)| {
            code.insert(0, true);
            (value, code)
        }));
        heap.push(Reverse((
            zeros + ones,
            [vec![false], left, right].concat(),
            codes,
        )));
    }
}

fn bits(byte: u8) -> Vec<bool> {
    (0..8).map(|place| byte >> place & 1 == 1).collect()
}

fn byte(bits: &[bool]) -> u8 {
    let bits = bits.iter().enumerate();
    bits.map(|(place, &bit)| u8::from(bit) << place).sum()
}
