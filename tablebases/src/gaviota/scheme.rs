//! The four compression schemes of Gaviota tables.

#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used)]

use flate2::{Decompress, FlushDecompress, Status};
use lzma_rust2::LzmaReader;
use std::io::Read;

/// A scheme, by the number in the file's name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Scheme {
    /// Huffman: `.gtb.cp1`.
    Cp1,
    /// LZF: `.gtb.cp2`.
    Cp2,
    /// Zlib: `.gtb.cp3`.
    Cp3,
    /// LZMA: `.gtb.cp4`.
    Cp4,
}

impl Scheme {
    /// All four, the one to prefer first: the smaller its files, the less there is to read.
    pub const ALL: [Scheme; 4] = [Scheme::Cp4, Scheme::Cp3, Scheme::Cp2, Scheme::Cp1];

    /// What file names end in: `gtb.cp1` to `gtb.cp4`.
    pub const fn suffix(self) -> &'static str {
        match self {
            Scheme::Cp1 => "gtb.cp1",
            Scheme::Cp2 => "gtb.cp2",
            Scheme::Cp3 => "gtb.cp3",
            Scheme::Cp4 => "gtb.cp4",
        }
    }

    /// Decompresses a block of this many entries. `None` when it is broken.
    pub(super) fn unpack(self, block: &[u8], entries: usize) -> Option<Vec<u8>> {
        // The first byte says whether the block is a full one, as the block's index does.
        let (&flag, block) = block.split_first()?;
        if flag > 2 {
            return None;
        }
        let values = match self {
            Scheme::Cp1 => huffman(block, entries)?,
            Scheme::Cp2 => lzf::decompress(block, entries).ok()?,
            Scheme::Cp3 => zlib(block, entries)?,
            Scheme::Cp4 => lzma(block, entries)?,
        };
        (values.len() == entries).then_some(values)
    }
}

fn zlib(block: &[u8], entries: usize) -> Option<Vec<u8>> {
    let mut values = vec![0; entries];
    let mut stream = Decompress::new(true);
    let status = stream
        .decompress(block, &mut values, FlushDecompress::Finish)
        .ok()?;
    let whole = stream.total_in() == block.len() as u64 && stream.total_out() == entries as u64;
    (status == Status::StreamEnd && whole).then_some(values)
}

/// The header of an LZMA stream: no filter; 3, 0 and 2 bits of context; a dictionary of 4 KiB.
const LZMA_HEAD: [u8; 6] = [0, 0x5d, 0x00, 0x10, 0x00, 0x00];

fn lzma(block: &[u8], entries: usize) -> Option<Vec<u8>> {
    let (head, block) = block.split_first_chunk::<6>()?;
    let (length, stream) = block.split_first_chunk::<8>()?;
    if *head != LZMA_HEAD || u64::from_le_bytes(*length) != entries as u64 {
        return None;
    }
    let mut reader = LzmaReader::new(stream, entries as u64, 3, 0, 2, 1 << 12, None).ok()?;
    reader.set_relaxed_end_condition(false);
    let mut values = vec![0; entries];
    reader.read_exact(&mut values).ok()?;
    // Reading on checks how the stream ends.
    (reader.read(&mut [0]).ok()? == 0).then_some(values)
}

/// Bits of a stream, the lowest of each byte first.
struct Bits<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Bits<'_> {
    fn next(&mut self) -> Option<bool> {
        let byte = self.bytes.get(self.at / 8)?;
        let bit = byte >> (self.at % 8) & 1;
        self.at += 1;
        Some(bit == 1)
    }

    fn byte(&mut self) -> Option<u8> {
        let mut byte = 0;
        for place in 0..8 {
            byte |= u8::from(self.next()?) << place;
        }
        Some(byte)
    }
}

/// A node of a code tree: a value, or the numbers of two nodes for the bits 0 and 1.
#[derive(Clone, Copy, Debug)]
enum CodeNode {
    Leaf(u8),
    Fork(u16, u16),
}

/// The nodes of a binary tree with 256 leaves, one for each value.
const MAX_NODES: usize = 511;

/// Decodes a block: the number of entries in four bytes, the code tree (see [`read_tree`]), and the
/// code words.
fn huffman(block: &[u8], entries: usize) -> Option<Vec<u8>> {
    let (length, bytes) = block.split_first_chunk::<4>()?;
    if usize::try_from(u32::from_le_bytes(*length)).ok()? != entries {
        return None;
    }
    let mut bits = Bits { bytes, at: 0 };
    let mut tree = Vec::new();
    let root = read_tree(&mut bits, &mut tree, 0)?;
    // A tree that is a single leaf has no code words.
    if let CodeNode::Leaf(_) = tree.get(usize::from(root))? {
        return None;
    }
    let mut values = Vec::with_capacity(entries);
    let mut is_used = [false; MAX_NODES];
    for _ in 0..entries {
        let mut at = root;
        let value = loop {
            match *tree.get(usize::from(at))? {
                CodeNode::Leaf(value) => break value,
                CodeNode::Fork(zero, one) => at = if bits.next()? { one } else { zero },
            }
        };
        *is_used.get_mut(usize::from(at))? = true;
        values.push(value);
    }
    // Every value that has a code word must occur.
    let mut nodes = tree.iter().zip(is_used);
    if nodes.any(|(node, is_used)| matches!(node, CodeNode::Leaf(_)) && !is_used) {
        return None;
    }
    // After the last code word only zero bits are left: the rest of its byte, or one whole byte.
    let rest = bits.bytes.get(bits.at / 8..)?;
    let used = bits.at % 8;
    let clean = rest.first().is_none_or(|&byte| byte >> used == 0);
    (rest.len() <= 1 && clean).then_some(values)
}

/// Reads a tree, a bit 0 and two subtrees or a bit 1 and the value of a leaf, and returns the
/// number of its root.
fn read_tree(bits: &mut Bits, tree: &mut Vec<CodeNode>, depth: usize) -> Option<u16> {
    if tree.len() >= MAX_NODES || depth > 256 {
        return None;
    }
    let number = tree.len();
    tree.push(CodeNode::Leaf(0));
    let node = if bits.next()? {
        CodeNode::Leaf(bits.byte()?)
    } else {
        let zero = read_tree(bits, tree, depth + 1)?;
        CodeNode::Fork(zero, read_tree(bits, tree, depth + 1)?)
    };
    *tree.get_mut(number)? = node;
    Some(number as u16)
}
