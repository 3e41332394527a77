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

/// One symbol of the code: 12 bits for the symbol that comes first or the value of a single one, 12
/// for the symbol that follows, 8 for how many values it stands for, less one. Small, so that more
/// of them stay in the cache.
#[derive(Clone, Copy, Debug, Default)]
struct Symbol(u32);

impl Symbol {
    #[inline(always)]
    fn left(self) -> u16 {
        (self.0 & 0xfff) as u16
    }

    #[inline(always)]
    fn right(self) -> u16 {
        (self.0 >> 12 & 0xfff) as u16
    }

    /// 1 to 256.
    #[inline(always)]
    fn values(self) -> u32 {
        (self.0 >> 24) + 1
    }
}

/// The code words of one length.
#[derive(Clone, Copy, Debug)]
struct Words {
    /// The first of them, left-aligned.
    base: u64,
    /// The number of its symbol.
    lowest: u16,
    bits: u16,
}

/// The symbols whose code words fit into the next [`STEP_BITS`] bits of a block: the number of
/// values that they stand for together, times 16, plus the number of their bits. 0 when already the
/// first code word is longer. Small, since each of many tables has all of them.
#[derive(Clone, Copy, Debug, Default)]
struct DecodeStep(u16);

impl DecodeStep {
    #[inline(always)]
    fn bits(self) -> u32 {
        u32::from(self.0 & 15)
    }

    /// The number of values; more than any block has when the first code word is longer.
    #[inline(always)]
    fn values(self) -> u32 {
        u32::from(self.0).wrapping_sub(1) >> 4
    }
}

/// The number of bits that one [`DecodeStep`] decodes.
const STEP_BITS: u32 = 11;

#[derive(Debug)]
pub(super) struct Coded {
    symbols: Vec<Symbol>,
    /// Code words of each length, from the shortest.
    words: Vec<Words>,
    /// How many of these lengths are at most [`STEP_BITS`].
    short: usize,
    /// For every value of the next [`STEP_BITS`] bits.
    steps: Vec<DecodeStep>,
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

/// A header of compressed values, and where it ends.
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
const MAX_CODE_LENGTH: u32 = 32;

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
}

impl Coded {
    fn read(file: &[u8], at: usize, size: u64) -> Option<(Coded, usize)> {
        let &[_, block_bits, index_bits, padding, ..] = file.get(at..)?.first_chunk::<4>()?;
        let blocks = u32_at(file, at + 4)?;
        let longest = u32::from(*file.get(at + 8)?);
        let shortest = u32::from(*file.get(at + 9)?);
        if !(1..=MAX_CODE_LENGTH).contains(&shortest)
            || !(shortest..=MAX_CODE_LENGTH).contains(&longest)
        {
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
        let words = words(&lowest, shortest)?;
        let count = usize::from(u16_at(file, at)?);
        at += 2;
        let symbols = symbols(file.get(at..at + 3 * count)?)?;
        let end = at + 3 * count + (count & 1);
        let entries = size.div_ceil(1 << index_bits);
        let mut coded = Coded {
            symbols,
            short: words
                .iter()
                .filter(|words| u32::from(words.bits) <= STEP_BITS)
                .count(),
            words,
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

    /// The step for every value of the next bits.
    fn make_steps(&self) -> Vec<DecodeStep> {
        (0..1u64 << STEP_BITS)
            .map(|prefix| {
                let (mut used, mut values) = (0, 0);
                loop {
                    let word = prefix << (64 - STEP_BITS) << used;
                    let Some((symbol, bits)) = self.symbol(word, 0) else {
                        break;
                    };
                    if used + bits > STEP_BITS {
                        break;
                    }
                    used += bits;
                    values += self.symbols.get(symbol).map_or(0, |symbol| symbol.values());
                }
                DecodeStep((values << 4 | used) as u16)
            })
            .collect()
    }

    /// Takes the next part of the file for one of three things, in the order of the file.
    pub(super) fn place(&mut self, part: Section, at: usize, file: usize) -> Option<usize> {
        let range = match part {
            Section::Index => &mut self.index,
            Section::Lengths => &mut self.lengths,
            Section::Data => &mut self.data,
        };
        let end = at.checked_add(range.end)?;
        *range = at..end;
        (end <= file).then_some(end)
    }

    /// The symbol that 64 bits begin with, and the length of its code word, which is known to be
    /// none of the `shorter` shortest lengths.
    #[inline(always)]
    fn symbol(&self, word: u64, shorter: usize) -> Option<(usize, u32)> {
        let words = self
            .words
            .get(shorter..)?
            .iter()
            .find(|words| word >= words.base)?;
        let symbol =
            usize::from(words.lowest) + ((word - words.base) >> (64 - words.bits)) as usize;
        Some((symbol, u32::from(words.bits)))
    }

    /// The value of a position. `None` when the file is broken.
    #[inline]
    pub(super) fn value(&self, file: &[u8], position: u64) -> Option<u16> {
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
        // An entry has the place of the position in the middle of its range.
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
        let (mut word, mut bits_left) = (word_at(block, 0)?, WORD);
        let mut symbol = loop {
            let step = *self.steps.get((word >> (64 - STEP_BITS)) as usize)?;
            let (bits, values) = if step.values() <= place {
                (step.bits(), step.values())
            } else {
                // The place is in one of these symbols, or the next code word is a long one.
                let shorter = if step.0 == 0 { self.short } else { 0 };
                let (number, bits) = self.symbol(word, shorter)?;
                let symbol = *self.symbols.get(number)?;
                if place < symbol.values() {
                    break symbol;
                }
                (bits, symbol.values())
            };
            place -= values;
            at += bits as usize;
            word <<= bits;
            bits_left -= bits;
            if bits_left < MAX_CODE_LENGTH {
                (word, bits_left) = (word_at(block, at)?, WORD);
            }
        };
        while symbol.values() > 1 {
            let left = self.symbols.get(usize::from(symbol.left()))?.values();
            // Branchless: the processor could not predict which of the two it is.
            let is_left = place < left;
            place -= if is_left { 0 } else { left };
            let next = if is_left {
                symbol.left()
            } else {
                symbol.right()
            };
            symbol = *self.symbols.get(usize::from(next))?;
        }
        Some(symbol.left())
    }
}

/// The least number of bits that [`word_at`] returns.
const WORD: u32 = 57;

/// The bits of a block from a place on.
#[inline(always)]
fn word_at(block: &[u8], at: usize) -> Option<u64> {
    let bytes = block.get(at >> 3..)?.first_chunk()?;
    Some(u64::from_be_bytes(*bytes) << (at & 7))
}

/// The three parts of compressed values that follow on all headers.
#[derive(Clone, Copy, Debug)]
pub(super) enum Section {
    Index,
    Lengths,
    Data,
}

impl Section {
    pub(super) const ALL: [Section; 3] = [Section::Index, Section::Lengths, Section::Data];
}

/// The code words of each length, from their first symbols: code words grow shorter as symbols
/// grow, and those of one length are consecutive.
fn words(lowest: &[u16], shortest: u32) -> Option<Vec<Words>> {
    let mut words: Vec<_> = lowest
        .iter()
        .zip(shortest..)
        .map(|(&lowest, bits)| Words {
            base: 0,
            lowest,
            bits: bits as u16,
        })
        .collect();
    let (mut base, mut longer) = (0u64, None);
    for words in words.iter_mut().rev() {
        if let Some(longer) = longer {
            base = (base + u64::from(words.lowest)).checked_sub(longer)? / 2;
        }
        if base >> words.bits != 0 {
            return None;
        }
        words.base = base << (64 - words.bits);
        longer = Some(u64::from(words.lowest));
    }
    Some(words)
}

/// Reads the symbols, three bytes each: two numbers of 12 bits.
fn symbols(bytes: &[u8]) -> Option<Vec<Symbol>> {
    let (triples, _) = bytes.as_chunks::<3>();
    let mut symbols: Vec<_> = triples
        .iter()
        .map(|&[low, middle, high]| Symbol(u32::from_le_bytes([low, middle, high, 0])))
        .collect();
    let mut known = vec![false; symbols.len()];
    for number in 0..symbols.len() {
        count_values(&mut symbols, &mut known, number, 0)?;
    }
    Some(symbols)
}

/// How many values a symbol stands for. Each has at least one, so symbols of at most 256 values
/// are nested no deeper than that.
fn count_values(
    symbols: &mut [Symbol],
    known: &mut [bool],
    number: usize,
    depth: u32,
) -> Option<u32> {
    let symbol = *symbols.get(number)?;
    if *known.get(number)? {
        return Some(symbol.values());
    }
    let values = if symbol.right() == LEAF {
        1
    } else if depth < 256 {
        let left = count_values(symbols, known, usize::from(symbol.left()), depth + 1)?;
        left + count_values(symbols, known, usize::from(symbol.right()), depth + 1)?
    } else {
        return None;
    };
    if values > 256 {
        return None;
    }
    symbols.get_mut(number)?.0 |= (values - 1) << 24;
    *known.get_mut(number)? = true;
    Some(values)
}
