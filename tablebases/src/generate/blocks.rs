//! Coded symbols in blocks of equal size, and the sparse index that finds a position's block.

use super::huffman::Code;
use super::symbols::{Paired, Symbol};

/// The values of one sub-table, coded: what the file has of them, in four parts.
#[derive(Debug, Default)]
pub(super) struct Coded {
    pub(super) header: Vec<u8>,
    pub(super) index: Vec<u8>,
    pub(super) lengths: Vec<u8>,
    pub(super) data: Vec<u8>,
}

/// The flag of tables that have one value only.
const SINGLE_VALUE: u8 = 0x80;
/// A symbol without a second half stands for a value.
const NO_SYMBOL: u16 = 0xfff;
/// A block has no more values than 16 bits count.
const MAX_VALUES: u32 = 1 << 16;
/// So many blocks, on average, for one entry of the index.
const BLOCKS_OF_ENTRY: u64 = 8;

impl Coded {
    /// The bytes of all parts.
    pub(super) fn size(&self) -> usize {
        self.header.len() + self.index.len() + self.lengths.len() + self.data.len()
    }

    /// A sub-table with one value.
    pub(super) fn single(flags: u8, value: u16) -> Coded {
        Coded {
            header: vec![flags | SINGLE_VALUE, value as u8],
            ..Coded::default()
        }
    }

    /// Codes values, in blocks of whichever of these sizes, powers of two, takes least.
    pub(super) fn new(
        flags: u8,
        values: &[u16],
        block_bits: std::ops::RangeInclusive<u8>,
    ) -> Coded {
        let Some((&first, rest)) = values.split_first() else {
            return Coded::single(flags, 0);
        };
        if rest.iter().all(|&value| value == first) {
            return Coded::single(flags, first);
        }
        let paired = Paired::new(values);
        let mut counts = vec![0; paired.symbols.len()];
        for &symbol in &paired.sequence {
            counts[usize::from(symbol)] += 1;
        }
        let code = Code::new(&counts);
        block_bits
            .map(|bits| coded(flags, &paired, &code, bits))
            .min_by_key(Coded::size)
            .unwrap_or_default()
    }
}

fn coded(flags: u8, paired: &Paired, code: &Code, block_bits: u8) -> Coded {
    let (data, mut lengths) = blocks(paired, code, block_bits);
    let real = lengths.len();
    let size: u64 = lengths.iter().map(|&length| u64::from(length)).sum();
    let blocks_of_entry = BLOCKS_OF_ENTRY.min(real as u64);
    let index_bits = (size.div_ceil(real as u64) * blocks_of_entry)
        .ilog2()
        .clamp(5, 31);
    let span = 1 << index_bits;

    // An entry points to the position in the middle of its span. The last one may be beyond
    // the end, for which there are blocks without data.
    let mut index = Vec::new();
    let (mut block, mut start) = (0, 0);
    for entry in 0..size.div_ceil(span) {
        let middle = entry * span + span / 2;
        while middle >= start + u64::from(*lengths.get(block).unwrap_or(&0)) {
            match lengths.get(block) {
                Some(&length) => {
                    start += u64::from(length);
                    block += 1;
                }
                None => lengths.push(MAX_VALUES),
            }
        }
        index.extend((block as u32).to_le_bytes());
        index.extend(((middle - start) as u16).to_le_bytes());
    }

    let mut header = vec![
        flags,
        block_bits,
        index_bits as u8,
        (lengths.len() - real) as u8,
    ];
    header.extend((real as u32).to_le_bytes());
    header.extend([code.longest as u8, code.shortest as u8]);
    header.extend(code.lowest.iter().flat_map(|lowest| lowest.to_le_bytes()));
    header.extend((paired.symbols.len() as u16).to_le_bytes());
    header.extend(symbols(paired, code));
    header.resize(header.len().next_multiple_of(2), 0);
    Coded {
        header,
        index,
        lengths: lengths
            .iter()
            .flat_map(|length| ((length - 1) as u16).to_le_bytes())
            .collect(),
        data,
    }
}

/// The symbols by their new numbers, two numbers of 12 bits each.
fn symbols(paired: &Paired, code: &Code) -> Vec<u8> {
    let mut bytes = vec![0; 3 * paired.symbols.len()];
    for (symbol, &number) in paired.symbols.iter().zip(&code.numbers) {
        let new = |symbol: u16| code.numbers[usize::from(symbol)];
        let (left, right) = match *symbol {
            Symbol::Leaf(value) => (value, NO_SYMBOL),
            Symbol::Pair(left, right) => (new(left), new(right)),
        };
        let both = u32::from(left) | u32::from(right) << 12;
        let at = 3 * usize::from(number);
        bytes[at..at + 3].copy_from_slice(&both.to_le_bytes()[..3]);
    }
    bytes
}

/// The coded sequence, and how many values each block has.
fn blocks(paired: &Paired, code: &Code, block_bits: u8) -> (Vec<u8>, Vec<u32>) {
    let bytes = 1usize << block_bits;
    let mut data = Vec::new();
    let mut lengths = Vec::new();
    let (mut word, mut pending, mut room, mut values) = (0u64, 0, 0, 0);
    for &symbol in &paired.sequence {
        let symbol = usize::from(symbol);
        let (bits, length) = (code.bits[symbol], paired.lengths[symbol]);
        if bits > room || values + length > MAX_VALUES {
            finish(&mut data, &mut word, &mut pending);
            data.resize(data.len().next_multiple_of(bytes), 0);
            if values > 0 {
                lengths.push(values);
            }
            (room, values) = (8 << block_bits, 0);
        }
        word = word << bits | code.word(symbol);
        pending += bits;
        while pending >= 8 {
            pending -= 8;
            data.push((word >> pending) as u8);
        }
        word &= (1 << pending) - 1;
        room -= bits;
        values += length;
    }
    finish(&mut data, &mut word, &mut pending);
    data.resize(data.len().next_multiple_of(bytes), 0);
    lengths.push(values);
    (data, lengths)
}

/// Writes the last bits of a block.
fn finish(data: &mut Vec<u8>, word: &mut u64, pending: &mut u32) {
    if *pending > 0 {
        data.push((*word << (8 - *pending)) as u8);
    }
    (*word, *pending) = (0, 0);
}
