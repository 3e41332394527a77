//! The blocks of a file, one after the other.

use super::format::{BLOCK_GAMES, FIELDS, HEAD, Head, MARKER, Recipe};
use super::game::begins_game;
use super::{damaged, unreadable};
use common::error::{Error, Result};
use common::files::named;
use std::io::{self, Read};
use std::path::Path;

/// A block whose checksums are right.
pub(super) struct DataBlock {
    /// Where its head begins in the file.
    pub(super) offset: u64,
    pub(super) head: Head,
    pub(super) body: Vec<u8>,
}

impl DataBlock {
    /// Bytes with its head.
    pub(super) fn length(&self) -> u64 {
        (HEAD + self.body.len()) as u64
    }
}

/// Reads blocks up to the end of the file, or to a block that is cut off there. After an error
/// there is nothing more.
pub(super) struct DataBlocks<'p, R> {
    from: R,
    path: &'p Path,
    pub(super) recipe: Recipe,
    /// Where the next block begins.
    pub(super) offset: u64,
    /// Games so far.
    games: u64,
    is_over: bool,
    /// Whether the file ends within a block, or with games that its last block does not count.
    pub(super) is_torn: bool,
}

impl<'p, R: Read> DataBlocks<'p, R> {
    /// Reads the header.
    pub(super) fn new(path: &'p Path, mut from: R) -> Result<DataBlocks<'p, R>> {
        let failed = |error| Error::Io(named(path, &error));
        let mut header = up_to(&mut from, FIELDS as u64).map_err(failed)?;
        let more = Recipe::bytes_after(&header);
        header.extend(up_to(&mut from, more).map_err(failed)?);
        let recipe = Recipe::from_bytes(&header).map_err(|fault| unreadable(path, fault))?;
        Ok(DataBlocks {
            from,
            path,
            recipe,
            offset: header.len() as u64,
            games: 0,
            is_over: false,
            is_torn: false,
        })
    }

    fn read(&mut self) -> Result<Option<DataBlock>> {
        let failed = |error| Error::Io(named(self.path, &error));
        let damaged = || damaged(self.path, self.offset);
        let head = up_to(&mut self.from, HEAD as u64).map_err(failed)?;
        if head.is_empty() {
            return Ok(None);
        }
        let follows_full = self.games.is_multiple_of(u64::from(BLOCK_GAMES));
        if !follows_full && begins_game(&head) {
            // Games that were being added to the last block, whose head does not count them yet.
            self.is_torn = true;
            return Ok(None);
        }
        if head
            .iter()
            .zip(&MARKER)
            .any(|(found, wanted)| found != wanted)
        {
            return Err(damaged());
        }
        if head.len() < HEAD {
            self.is_torn = true;
            return Ok(None);
        }
        let head = Head::from_bytes(&head).ok_or_else(damaged)?;
        // A block may follow full blocks alone, and its games those before.
        if head.first != self.games || !follows_full {
            return Err(damaged());
        }
        let body = up_to(&mut self.from, u64::from(head.length)).map_err(failed)?;
        if body.len() < head.length as usize {
            self.is_torn = true;
            return Ok(None);
        }
        if crc32fast::hash(&body) != head.crc {
            return Err(damaged());
        }
        let offset = self.offset;
        let block = DataBlock { offset, head, body };
        self.games += u64::from(head.games);
        self.offset += block.length();
        Ok(Some(block))
    }
}

impl<R: Read> Iterator for DataBlocks<'_, R> {
    type Item = Result<DataBlock>;

    fn next(&mut self) -> Option<Result<DataBlock>> {
        if self.is_over {
            return None;
        }
        let next = self.read().transpose();
        self.is_over = !matches!(next, Some(Ok(_)));
        next
    }
}

/// So many bytes, or all up to the end of the file.
fn up_to(from: &mut impl Read, length: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(length).read_to_end(&mut bytes)?;
    Ok(bytes)
}
