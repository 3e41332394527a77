//! Streams of any length, in blocks of whole games.

use super::lexer::Lexer;
use super::{MAX_GAME, scan};
use std::io::{self, Read};
use std::ops::Range;

/// Part of a stream: some games, whole unless one is longer than [`MAX_GAME`].
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// The text.
    pub text: Vec<u8>,
    /// The offset of the first byte in the stream.
    pub offset: u64,
    /// The number of the first line, from 1.
    pub line: u64,
    /// Whether the last game goes on in the next block because it is too long.
    pub is_cut: bool,
}

/// Cuts a stream into [`Block`]s. Memory stays the same however long the stream is.
///
/// ```
/// use engine_core::pgn::Blocks;
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
    /// What has been read of the next block.
    rest: Vec<u8>,
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

    /// Blocks of about this many bytes.
    pub fn with_size(input: R, size: usize) -> Blocks<R> {
        Blocks {
            input,
            size: size.max(1),
            rest: Vec::new(),
            offset: 0,
            line: 1,
            is_done: false,
        }
    }

    /// Reads up to this many bytes more; none at the end.
    fn fill(&mut self, more: usize) -> io::Result<usize> {
        let input = &mut self.input;
        input.take(more as u64).read_to_end(&mut self.rest)
    }

    fn read_block(&mut self) -> io::Result<Option<Block>> {
        let mut searched = 0;
        let mut wanted = self.size.saturating_sub(self.rest.len()).max(1);
        let (end, is_cut) = loop {
            let has_ended = self.fill(wanted)? < wanted;
            if has_ended {
                self.is_done = true;
                break (self.rest.len(), false);
            }
            if let Some(end) = last_start(&self.rest, searched) {
                break (end, false);
            }
            if self.rest.len() >= MAX_GAME {
                break (last_blank(&self.rest), true);
            }
            // What may be half a tag is looked at again.
            searched = self.rest.len().saturating_sub(OVERLAP);
            wanted = self.rest.len();
        };
        if self.rest.is_empty() {
            return Ok(None);
        }
        let rest = self.rest.split_off(end);
        let block = Block {
            text: std::mem::replace(&mut self.rest, rest),
            offset: self.offset,
            line: self.line,
            is_cut,
        };
        self.offset += block.text.len() as u64;
        self.line += scan::count_newlines(&block.text);
        Ok(Some(block))
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

/// More than the beginning of any tag needs.
const OVERLAP: usize = 512;

/// The last offset from `from` where a game certainly starts, if one is not at the very beginning.
fn last_start(text: &[u8], from: usize) -> Option<usize> {
    let lexer = Lexer::new(text);
    let mut end = text.len();
    loop {
        let before = text.get(from..end)?;
        let line = from + before.iter().rposition(|&byte| byte == b'\n')? + 1;
        if text.get(line) == Some(&b'[') && lexer.begins_game(line) && is_first_tag(text, line) {
            return Some(line);
        }
        end = line - 1;
    }
}

/// Whether the last line with text before this one is no tag.
fn is_first_tag(text: &[u8], line: usize) -> bool {
    let before = text.get(..line).unwrap_or_default().trim_ascii_end();
    let begin = before
        .iter()
        .rposition(|&byte| byte == b'\n')
        .map_or(0, |n| n + 1);
    before.get(begin).is_some_and(|&byte| byte != b'[')
}

/// The end of the last word.
fn last_blank(text: &[u8]) -> usize {
    text.iter()
        .rposition(u8::is_ascii_whitespace)
        .map_or(text.len(), |blank| blank + 1)
}

/// A place in a text for people: lines and columns from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The line.
    pub line: u64,
    /// The column, in characters.
    pub column: u64,
}

/// Finds lines and columns of offsets. Offsets that do not go back are found in linear time.
#[derive(Clone, Debug)]
pub struct Lines<'t> {
    text: &'t [u8],
    /// The offset that was asked for last, and its place.
    known: (usize, Place),
    first: u64,
}

impl<'t> Lines<'t> {
    /// For a text whose first line has this number.
    pub fn new(text: &'t [u8], first: u64) -> Lines<'t> {
        let start = Place {
            line: first,
            column: 1,
        };
        Lines {
            text,
            known: (0, start),
            first,
        }
    }

    /// The place of an offset.
    pub fn place(&mut self, at: usize) -> Place {
        let at = at.min(self.text.len());
        if at < self.known.0 {
            *self = Lines::new(self.text, self.first);
        }
        let (from, mut place) = self.known;
        let passed = self.text.get(from..at).unwrap_or_default();
        let mut tail = passed;
        if let Some(last) = passed.iter().rposition(|&byte| byte == b'\n') {
            tail = passed.get(last + 1..).unwrap_or_default();
            place.line += scan::count_newlines(passed);
            place.column = 1;
        }
        place.column += scan::count_characters(tail) as u64;
        self.known = (at, place);
        place
    }

    /// The line around an offset, at most so many bytes on either side, and where in it the
    /// offset is.
    pub fn excerpt(&self, at: usize, most: usize) -> (&'t [u8], usize) {
        let at = at.min(self.text.len());
        let range = Range {
            start: at.saturating_sub(most),
            end: at.saturating_add(most).min(self.text.len()),
        };
        let before = self.text.get(range.start..at).unwrap_or_default();
        let begin = before
            .iter()
            .rposition(|&byte| byte == b'\n')
            .map_or(0, |n| n + 1);
        let after = self.text.get(at..range.end).unwrap_or_default();
        let end = after
            .iter()
            .position(|&byte| byte == b'\n')
            .unwrap_or(after.len());
        let line = self
            .text
            .get(range.start + begin..at + end)
            .unwrap_or_default();
        (line, before.len() - begin)
    }
}
