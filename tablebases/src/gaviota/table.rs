//! One Gaviota table: its header, and its blocks.

#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used)]

use super::index::GaviotaIndex;
use super::scheme::Scheme;
use crate::error::{Damage, TableError, TableFault};
use crate::source::{TableBytes, TableLocation};

/// Entries of all blocks but the last of each side.
pub(super) const BLOCK: usize = 16 * 1024;
/// Words of the header.
const HEAD: usize = 10;

/// An open table.
#[derive(Debug)]
pub(super) struct GaviotaTable {
    source: TableBytes,
    place: TableLocation,
    scheme: Scheme,
    /// Where each block begins, and the end of the last.
    offsets: Vec<u32>,
    /// Positions for each side to move.
    size: usize,
    pub(super) damage: Damage,
}

impl GaviotaTable {
    pub(super) fn open(
        place: &TableLocation,
        scheme: Scheme,
        layout: &GaviotaIndex,
    ) -> Result<GaviotaTable, TableError> {
        let failed = |fault| TableError::new(place.display(), fault);
        let source = place
            .open()
            .map_err(|error| failed(TableFault::Io(error)))?;
        let offsets = offsets(&source, layout).map_err(failed)?;
        Ok(GaviotaTable {
            source,
            place: place.clone(),
            scheme,
            offsets,
            size: layout.size,
            damage: Damage::default(),
        })
    }

    pub(super) fn broken(&self, what: &'static str) -> TableError {
        TableError::new(self.place.display(), TableFault::Corrupt(what))
    }

    /// The number of blocks of each side.
    pub(super) fn blocks(&self) -> usize {
        self.size.div_ceil(BLOCK)
    }

    /// Whether a block of a side begins with the right flag: 0, or 1 and 2 for the shorter one at
    /// the end of either side.
    pub(super) fn is_marked(&self, side: usize, block: usize) -> bool {
        let start = self.offsets.get(side * self.blocks() + block);
        let mark = start.and_then(|&start| self.source.get(start as usize));
        let is_short = (block + 1) * BLOCK > self.size;
        mark.is_some_and(|&mark| usize::from(mark) == if is_short { 1 + side } else { 0 })
    }

    /// Decompresses a block of a side, White being 0. `None` when it is broken.
    pub(super) fn block(&self, side: usize, block: usize) -> Option<Vec<u8>> {
        let number = side * self.blocks() + block;
        let start = *self.offsets.get(number)? as usize;
        let end = *self.offsets.get(number + 1)? as usize;
        let entries = self.size.checked_sub(block * BLOCK)?.min(BLOCK);
        self.scheme.unpack(self.source.get(start..end)?, entries)
    }
}

/// Reads the offsets of all blocks.
fn offsets(file: &[u8], layout: &GaviotaIndex) -> Result<Vec<u32>, TableFault> {
    let (words, _) = file.as_chunks::<4>();
    let words = words.iter().copied().map(u32::from_le_bytes);
    let head: Vec<u32> = words.clone().take(HEAD).collect();
    let blocks = 2 * layout.size.div_ceil(BLOCK);
    let tail = (layout.size % BLOCK) as u32;
    let start = (4 * (HEAD + blocks + 1)) as u32;
    let &[
        zero,
        zero2,
        size,
        zero3,
        tail1,
        zero4,
        tail2,
        zero5,
        offset,
        id,
    ] = head.as_slice()
    else {
        return Err(TableFault::Magic);
    };
    // The last word differs between distributions.
    let is_head = [zero, zero2, zero3, zero4, zero5] == [0; 5] && size == BLOCK as u32;
    if !is_head || !(1..=4).contains(&id) {
        return Err(TableFault::Magic);
    }
    if [tail1, tail2] != [tail; 2] || offset != start {
        return Err(TableFault::Corrupt("its material differs from its name"));
    }
    let offsets: Vec<u32> = words.skip(HEAD).take(blocks + 1).collect();
    let whole = offsets.len() == blocks + 1
        && offsets.first() == Some(&start)
        && offsets
            .last()
            .is_some_and(|&end| end as usize == file.len())
        && offsets.is_sorted();
    if whole {
        Ok(offsets)
    } else {
        Err(TableFault::Corrupt("its blocks do not match its length"))
    }
}
