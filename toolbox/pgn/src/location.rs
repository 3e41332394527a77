//! Lines and columns of offsets, for messages.

use super::lexer::is_break;
use super::scan;
use std::fmt;
use std::ops::Range;

/// A place in a text for people: lines and columns from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Location {
    /// The line.
    pub line: u64,
    /// The column, in characters.
    pub column: u64,
}

/// `LINE:COLUMN`, as programs that jump to places expect it.
impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// Finds lines and columns of offsets. Ascending offsets are found in linear time.
#[derive(Clone, Debug)]
pub struct LineIndex<'t> {
    text: &'t [u8],
    /// The offset that was asked for last, and its location.
    known: (usize, Location),
    first: u64,
}

impl<'t> LineIndex<'t> {
    /// For a text whose first line has this number.
    pub fn new(text: &'t [u8], first: u64) -> LineIndex<'t> {
        let start = Location {
            line: first,
            column: 1,
        };
        LineIndex {
            text,
            known: (0, start),
            first,
        }
    }

    /// The location of an offset.
    pub fn location(&mut self, at: usize) -> Location {
        let at = at.min(self.text.len());
        if at < self.known.0 {
            *self = LineIndex::new(self.text, self.first);
        }
        let (from, mut location) = self.known;
        let passed = self.text.get(from..at).unwrap_or_default();
        let mut tail = passed;
        if let Some(last) = passed.iter().rposition(|&byte| is_break(byte)) {
            tail = passed.get(last + 1..).unwrap_or_default();
            location.line += scan::count_newlines(passed);
            location.column = 1;
        }
        location.column += scan::count_characters(tail) as u64;
        self.known = (at, location);
        location
    }

    /// The line around an offset, at most this many bytes on either side, and where in it the
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
            .rposition(|&byte| is_break(byte))
            .map_or(0, |n| n + 1);
        let after = self.text.get(at..range.end).unwrap_or_default();
        let end = after
            .iter()
            .position(|&byte| is_break(byte))
            .unwrap_or(after.len());
        let line = self
            .text
            .get(range.start + begin..at + end)
            .unwrap_or_default();
        (line, before.len() - begin)
    }
}
