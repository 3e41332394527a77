//! Streams of any length, in blocks of whole games.

use super::lexer::{Lexer, ends_with_result, is_break, without_blanks_at_end};
use super::movetext::begins_tagless_game;
use super::parser::{Parsed, Parser, after_remarks};
use super::tags::is_like_tag;
use super::{Flow, MAX_GAME, Visitor, scan};
use std::io::{self, Read};

/// Part of a stream: some games, whole unless one is longer than [`MAX_GAME`].
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// The text.
    pub text: Vec<u8>,
    /// The offset of the first byte in the stream.
    pub offset: u64,
    /// The number of the first line, from 1.
    pub line: u64,
    /// Whether the last game continues in the next block because it is too long.
    pub is_cut: bool,
}

/// Cuts a stream into [`Block`]s. Memory stays the same however long the stream is.
///
/// ```
/// use pgn::Blocks;
///
/// let text = "[Event \"1\"]\n\n1. e4 *\n\n[Event \"2\"]\n\n1. d4 *\n";
/// let blocks: Result<Vec<_>, _> = Blocks::with_size(text.as_bytes(), 30).collect();
/// let blocks = blocks?;
/// assert_eq!(blocks.len(), 2);
/// assert_eq!((blocks[1].offset, blocks[1].line), (22, 5));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Blocks<R> {
    input: R,
    size: usize,
    /// What has been read of the next block, in the first bytes of a buffer.
    rest: Vec<u8>,
    filled: usize,
    /// Buffers that are free again.
    spare: Vec<Vec<u8>>,
    offset: u64,
    line: u64,
    is_done: bool,
}

/// The size of a block unless a game is longer: large enough to be worth a thread's while.
const SIZE: usize = 1 << 18;

impl<R: Read> Blocks<R> {
    /// Blocks of a stream.
    pub fn new(input: R) -> Blocks<R> {
        Blocks::with_size(input, SIZE)
    }

    /// Blocks of about this many bytes, at most [`MAX_GAME`].
    pub fn with_size(input: R, size: usize) -> Blocks<R> {
        Blocks {
            input,
            size: size.clamp(1, MAX_GAME),
            rest: Vec::new(),
            filled: 0,
            spare: Vec::new(),
            offset: 0,
            line: 1,
            is_done: false,
        }
    }

    /// The blocks of a stream that begins at this offset and line of a longer one.
    #[must_use]
    pub fn beginning_at(mut self, offset: u64, line: u64) -> Blocks<R> {
        (self.offset, self.line) = (offset, line);
        self
    }

    /// Takes back a block that is no longer needed, to reuse its memory: new memory for every block
    /// takes longer than finding the games in it.
    pub fn recycle(&mut self, block: Block) {
        if block.text.capacity() <= 2 * self.size {
            self.spare.push(block.text);
        }
    }

    /// Reads up to this many bytes more; returns how many, which are fewer only at the end.
    fn fill(&mut self, more: usize) -> io::Result<usize> {
        let start = self.filled;
        let end = start + more;
        if self.rest.len() < end {
            self.rest.resize(end, 0);
        }
        while let Some(space) = self
            .rest
            .get_mut(self.filled..end)
            .filter(|s| !s.is_empty())
        {
            match self.input.read(space) {
                Ok(0) => break,
                Ok(length) => self.filled += length,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(self.filled - start)
    }

    fn read_block(&mut self) -> io::Result<Option<Block>> {
        let mut searched = 0;
        let mut wanted = self.size.saturating_sub(self.filled).max(1);
        let (end, is_cut) = loop {
            let has_ended = self.fill(wanted)? < wanted;
            let text = self.rest.get(..self.filled).unwrap_or_default();
            if has_ended {
                self.is_done = true;
                break (text.len(), false);
            }
            if let Some(end) = last_start(text, searched) {
                break (end, false);
            }
            if text.len() >= (TAGLESS * self.size).min(MAX_GAME) {
                // Games without tags follow each other, or there is a single one.
                let whole = text.get(..last_blank(text)).unwrap_or_default();
                let last = LastGame::of(whole);
                match (last.certain, last.start) {
                    (Some(start @ 1..), _) => break (start, false),
                    _ if text.len() < MAX_GAME => {}
                    (_, None) => break (whole.len(), false),
                    (_, Some(0)) => break (whole.len(), true),
                    (_, Some(start)) => break (start, false),
                }
            }
            // What may be half a tag is looked at again.
            searched = text.len().saturating_sub(OVERLAP);
            wanted = text.len();
        };
        if self.filled == 0 {
            return Ok(None);
        }
        let block = Block {
            text: self.take(end),
            offset: self.offset,
            line: self.line,
            is_cut,
        };
        self.offset += block.text.len() as u64;
        self.line += scan::count_newlines(&block.text);
        Ok(Some(block))
    }

    /// Takes the text up to an offset; the rest goes into another buffer.
    fn take(&mut self, end: usize) -> Vec<u8> {
        let mut next = self.spare.pop().unwrap_or_default();
        let tail = self.rest.get(end..self.filled).unwrap_or_default();
        // Not cleared: bytes beyond what is filled are never looked at.
        let length = tail.len();
        if next.len() < length {
            next.resize(length, 0);
        }
        if let Some(next) = next.get_mut(..length) {
            next.copy_from_slice(tail);
        }
        self.filled = length;
        let mut text = std::mem::replace(&mut self.rest, next);
        text.truncate(end);
        text
    }
}

impl<R: Read> Iterator for Blocks<R> {
    type Item = io::Result<Block>;

    fn next(&mut self) -> Option<io::Result<Block>> {
        if self.is_done {
            return None;
        }
        let block = self.read_block().transpose();
        self.is_done |= !matches!(block, Some(Ok(_)));
        block
    }
}

/// Without tags, the last game is looked for in this many times the size of a block, and again
/// whenever the text has doubled: reading it takes longer than finding tags.
const TAGLESS: usize = 4;

/// More than the beginning of any tag needs.
const OVERLAP: usize = 512;

/// Where the last games of a text begin, with tags or without.
struct LastGame<'t> {
    text: &'t [u8],
    start: Option<usize>,
    /// The last one that begins there whatever follows the text: by a move after a result, with which
    /// the game before ends.
    certain: Option<usize>,
    end: usize,
}

impl<'t> LastGame<'t> {
    fn of(text: &'t [u8]) -> LastGame<'t> {
        let mut last = LastGame {
            text,
            start: None,
            certain: None,
            end: 0,
        };
        let mut parser = Parser::new(text);
        while parser.read_game(&mut last) == Parsed::Game {}
        last
    }
}

impl Visitor for LastGame<'_> {
    fn begin_game(&mut self, at: usize) -> Flow {
        self.start = Some(at);
        let (before, game) = self.text.split_at_checked(at).unwrap_or_default();
        if at == self.end && ends_with_result(before) && begins_tagless_game(game) {
            self.certain = self.start;
        }
        Flow::Skip
    }

    fn end_game(&mut self, at: usize) {
        self.end = at;
    }
}

/// The offset of the last game that starts at or after `from`, other than the first game of the text.
fn last_start(text: &[u8], from: usize) -> Option<usize> {
    let lexer = Lexer::new(text);
    // Tags after leading remarks belong to the game that the remarks began.
    let first = after_remarks(text);
    let mut end = text.len();
    loop {
        let before = text.get(from..end)?;
        let line = from + before.iter().rposition(|&byte| is_break(byte))? + 1;
        if line <= first {
            return None;
        }
        let before = text.get(first..line).unwrap_or_default();
        let tag = lexer.after_mark(line);
        if lexer.begins_game(tag) && is_first_tag(before) {
            return Some(tag);
        }
        end = line - 1;
    }
}

/// Whether the last line with text before a tag is no tag, not even a damaged one, so that the
/// parser begins a game here, too.
fn is_first_tag(before: &[u8]) -> bool {
    let before = without_blanks_at_end(before);
    let begin = before.iter().rposition(|&byte| is_break(byte));
    let last = before.get(begin.map_or(0, |n| n + 1)..).unwrap_or_default();
    let first = Lexer::new(last).count_blanks(0);
    let text = last.get(first..).unwrap_or_default();
    !text.is_empty() && !is_like_tag(text)
}

/// The end of the last word.
fn last_blank(text: &[u8]) -> usize {
    text.iter()
        .rposition(u8::is_ascii_whitespace)
        .map_or(text.len(), |blank| blank + 1)
}
