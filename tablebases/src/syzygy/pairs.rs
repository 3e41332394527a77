//! Decompression: values joined pair by pair into symbols ("recursive pairing"), and these
//! written with a canonical Huffman code in blocks that a sparse index finds.

#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used)]

use std::ops::Range;

/// The values of one sub-table, compressed.
#[derive(Debug)]
pub(super) enum Pairs {
    /// All positions have this value.
    Single(u16),
    /// A code and where the coded values lie.
    Coded(Box<Coded>),
}

/// One symbol of the code.
#[derive(Clone, Copy, Debug, Default)]
struct Symbol {
    /// The symbol that comes first, or the value of a single one.
    left: u16,
    right: u16,
    /// How many values it stands for, 1 to 256.
    values: u16,
}

/// What the next bits of a block begin with: as many whole symbols as there are in them.
#[derive(Clone, Copy, Debug, Default)]
struct Step {
    /// Bits of these symbols; 0 when the first symbol is longer.
    bits: u16,
    /// How many values they stand for.
    values: u16,
}

/// Bits that one [`Step`] looks at.
const STEP_BITS: u32 = 11;
/// Steps that 57 bits are enough for.
const STEPS_IN_A_WORD: u32 = 57 / STEP_BITS;

#[derive(Debug)]
pub(super) struct Coded {
    symbols: Vec<Symbol>,
    /// The shortest code word.
    shortest: u32,
    /// For each length from the shortest: the first code word, left-aligned.
    bases: Vec<u64>,
    /// For each length: the number of its first symbol.
    lowest: Vec<u16>,
    steps: Vec<Step>,
    /// Each entry of the index is for this many positions, as a power of two.
    index_bits: u32,
    /// Each block has this many bytes, as a power of two.
    block_bits: u32,
    /// The number of blocks with data, and of lengths.
    blocks: u32,
    lengths_count: u32,
    /// Where things lie in the file; set by [`Coded::place`].
    index: Range<usize>,
    lengths: Range<usize>,
    data: Range<usize>,
}

pub(super) fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    let bytes = bytes.get(at..)?.first_chunk()?;
    Some(u16::from_le_bytes(*bytes))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    let bytes = bytes.get(at..)?.first_chunk()?;
    Some(u32::from_le_bytes(*bytes))
}

/// What a header of compressed values says, and where it ends.
pub(super) struct Header {
    pub(super) flags: u8,
    pub(super) pairs: Pairs,
    pub(super) end: usize,
}

/// All positions have one value.
const SINGLE_VALUE: u8 = 0x80;
/// Marks a symbol that stands for one value.
const LEAF: u16 = 0xfff;
/// Code words are no longer than this.
const LONGEST: u32 = 32;

impl Pairs {
    /// Reads the header at an offset. `single` is the value of single-value tables that do not
    /// store it. `None` when the file is broken.
    pub(super) fn read(file: &[u8], at: usize, size: u64, single: Option<u16>) -> Option<Header> {
        let flags = *file.get(at)?;
        if flags & SINGLE_VALUE != 0 {
            let stored = u16::from(*file.get(at + 1)?);
            return Some(Header {
                flags,
                pairs: Pairs::Single(single.unwrap_or(stored)),
                end: at + 2,
            });
        }
        let (coded, end) = Coded::read(file, at, size)?;
        Some(Header {
            flags,
            pairs: Pairs::Coded(Box::new(coded)),
            end,
        })
    }

    /// The value of a position. `None` when the file is broken.
    #[inline]
    pub(super) fn value(&self, file: &[u8], position: u64) -> Option<u16> {
        match self {
            Pairs::Single(value) => Some(*value),
            Pairs::Coded(coded) => coded.value(file, position),
        }
    }
}

impl Coded {
    fn read(file: &[u8], at: usize, size: u64) -> Option<(Coded, usize)> {
        let &[_, block_bits, index_bits, padding, ..] = file.get(at..)?.first_chunk::<4>()?;
        let blocks = u32_at(file, at + 4)?;
        let longest = u32::from(*file.get(at + 8)?);
        let shortest = u32::from(*file.get(at + 9)?);
        if !(1..=LONGEST).contains(&shortest) || !(shortest..=LONGEST).contains(&longest) {
            return None;
        }
        if !(2..=20).contains(&block_bits) || !(1..=32).contains(&index_bits) {
            return None;
        }
        let lengths = (longest - shortest + 1) as usize;
        let mut at = at + 10;
        let lowest = (0..lengths)
            .map(|i| u16_at(file, at + 2 * i))
            .collect::<Option<Vec<_>>>()?;
        at += 2 * lengths;
        let bases = bases(&lowest, shortest)?;
        let count = usize::from(u16_at(file, at)?);
        at += 2;
        let symbols = symbols(file.get(at..at + 3 * count)?)?;
        let end = at + 3 * count + (count & 1);
        let entries = size.div_ceil(1 << index_bits);
        let mut coded = Coded {
            symbols,
            shortest,
            bases,
            lowest,
            steps: Vec::new(),
            index_bits: u32::from(index_bits),
            block_bits: u32::from(block_bits),
            blocks,
            lengths_count: blocks.checked_add(u32::from(padding))?,
            // Lengths for now; `place` makes offsets of them.
            index: 0..usize::try_from(entries.checked_mul(6)?).ok()?,
            lengths: 0..0,
            data: 0..0,
        };
        coded.lengths = 0..usize::try_from(u64::from(coded.lengths_count) * 2).ok()?;
        coded.data = 0..usize::try_from(u64::from(blocks) << block_bits).ok()?;
        coded.steps = coded.make_steps();
        Some((coded, end))
    }

    /// What the first bits of every possible word begin with.
    fn make_steps(&self) -> Vec<Step> {
        (0..1u64 << STEP_BITS)
            .map(|prefix| {
                let mut step = Step::default();
                loop {
                    let word = prefix << (64 - STEP_BITS) << step.bits;
                    let Some((symbol, bits)) = self.symbol(word) else {
                        break;
                    };
                    if u32::from(step.bits) + bits > STEP_BITS {
                        break;
                    }
                    let values = self.symbols.get(symbol).map_or(0, |symbol| symbol.values);
                    step.bits += bits as u16;
                    step.values += values;
                }
                step
            })
            .collect()
    }

    /// Takes the next part of the file for one of three things, in the order of the file.
    pub(super) fn place(&mut self, part: Part, at: usize, file: usize) -> Option<usize> {
        let range = match part {
            Part::Index => &mut self.index,
            Part::Lengths => &mut self.lengths,
            Part::Data => &mut self.data,
        };
        let end = at.checked_add(range.end)?;
        *range = at..end;
        (end <= file).then_some(end)
    }

    /// The symbol that a word of 64 bits begins with, and the length of its code.
    #[inline(always)]
    fn symbol(&self, word: u64) -> Option<(usize, u32)> {
        let place = self.bases.iter().position(|&base| word >= base)?;
        let (base, lowest) = (self.bases.get(place)?, self.lowest.get(place)?);
        let bits = self.shortest + place as u32;
        let symbol = usize::from(*lowest) + ((word - base) >> (64 - bits)) as usize;
        Some((symbol, bits))
    }

    fn value(&self, file: &[u8], position: u64) -> Option<u16> {
        let (block, place) = self.find(file, position)?;
        let start = self.data.start + ((block as usize) << self.block_bits);
        self.decode(file.get(start..)?, place)
    }

    /// The block of a position, and its place among the values of the block.
    fn find(&self, file: &[u8], position: u64) -> Option<(u32, u32)> {
        let index = file.get(self.index.clone())?;
        let entry = usize::try_from(position >> self.index_bits).ok()?;
        let at = entry.checked_mul(6)?;
        let mut block = u32_at(index, at)?;
        let offset = i64::from(u16_at(index, at + 4)?);
        // An entry tells of the position in the middle of its range.
        let span = 1i64 << self.index_bits;
        let mut place = offset + (position as i64 & (span - 1)) - span / 2;
        let lengths = file.get(self.lengths.clone())?;
        let values =
            |block: u32| u16_at(lengths, 2 * block as usize).map(|last| i64::from(last) + 1);
        while place < 0 {
            block = block.checked_sub(1)?;
            place += values(block)?;
        }
        loop {
            let values = values(block)?;
            if place < values {
                break;
            }
            place -= values;
            block += 1;
        }
        (block < self.blocks).then_some((block, place as u32))
    }

    /// The value at a place of a block.
    #[inline]
    fn decode(&self, block: &[u8], mut place: u32) -> Option<u16> {
        let mut at = 0;
        let mut symbol = loop {
            // At least 57 bits: four steps, or any code word.
            let bytes = block.get(at >> 3..)?.first_chunk()?;
            let mut word = u64::from_be_bytes(*bytes) << (at & 7);
            let start = at;
            for _ in 0..STEPS_IN_A_WORD {
                let step = *self.steps.get((word >> (64 - STEP_BITS)) as usize)?;
                if step.bits == 0 || u32::from(step.values) > place {
                    break;
                }
                place -= u32::from(step.values);
                word <<= step.bits;
                at += usize::from(step.bits);
            }
            if at != start {
                continue;
            }
            // The place is in the next symbols, or the next code word is a long one.
            let (number, bits) = self.symbol(word)?;
            let symbol = self.symbols.get(number)?;
            if place < u32::from(symbol.values) {
                break *symbol;
            }
            place -= u32::from(symbol.values);
            at += bits as usize;
        };
        while symbol.values > 1 {
            let left = self.symbols.get(usize::from(symbol.left))?;
            if place < u32::from(left.values) {
                symbol = *left;
            } else {
                place -= u32::from(left.values);
                symbol = *self.symbols.get(usize::from(symbol.right))?;
            }
        }
        Some(symbol.left)
    }
}

/// The three parts of compressed values that follow on all headers.
#[derive(Clone, Copy, Debug)]
pub(super) enum Part {
    Index,
    Lengths,
    Data,
}

impl Part {
    pub(super) const ALL: [Part; 3] = [Part::Index, Part::Lengths, Part::Data];
}

/// The first code word of each length, from the first symbols: code words grow shorter as symbols
/// grow, and those of one length are consecutive.
fn bases(lowest: &[u16], shortest: u32) -> Option<Vec<u64>> {
    let mut bases = vec![0u64; lowest.len()];
    let mut base = 0;
    for (i, pair) in lowest.windows(2).enumerate().rev() {
        let &[here, longer] = pair else { return None };
        base = u64::checked_sub(base + u64::from(here), u64::from(longer))? / 2;
        *bases.get_mut(i)? = base;
    }
    for (base, length) in bases.iter_mut().zip(shortest..) {
        if length < 64 && *base >> length != 0 {
            return None;
        }
        *base <<= 64 - length;
    }
    Some(bases)
}

/// Reads the symbols, three bytes each: two numbers of 12 bits.
fn symbols(bytes: &[u8]) -> Option<Vec<Symbol>> {
    let (triples, _) = bytes.as_chunks::<3>();
    let mut symbols: Vec<_> = triples
        .iter()
        .map(|&[low, middle, high]| Symbol {
            left: u16::from(low) | u16::from(middle & 15) << 8,
            right: u16::from(middle) >> 4 | u16::from(high) << 4,
            values: 0,
        })
        .collect();
    for number in 0..symbols.len() {
        count_values(&mut symbols, number, 0)?;
    }
    Some(symbols)
}

/// How many values a symbol stands for. Each has at least one, so symbols of at most 256 values
/// are nested no deeper than that.
fn count_values(symbols: &mut [Symbol], number: usize, depth: u32) -> Option<u16> {
    let symbol = *symbols.get(number)?;
    if symbol.values > 0 {
        return Some(symbol.values);
    }
    let values = if symbol.right == LEAF {
        1
    } else if depth < 256 {
        let left = count_values(symbols, usize::from(symbol.left), depth + 1)?;
        let right = count_values(symbols, usize::from(symbol.right), depth + 1)?;
        left + right
    } else {
        return None;
    };
    if values > 256 {
        return None;
    }
    symbols.get_mut(number)?.values = values;
    Some(values)
}
