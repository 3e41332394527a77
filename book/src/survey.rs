//! The contents and faults of a book.

use crate::entry::BookEntry;
use crate::lines::lines;
use crate::read::Book;
use engine_core::{ByColor, Color, Position, Rules};
use std::collections::HashSet;

/// What is in a book.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Survey {
    /// The entries, those of a header included.
    pub entries: usize,
    /// The positions: different keys.
    pub positions: usize,
    /// Entries of weight 0, which are not played.
    pub deleted: usize,
    /// Entries with something learned.
    pub learned: usize,
    /// The greatest weight.
    pub heaviest: u16,
    /// How many lines the book has for White, and for Black; see [`lines`].
    pub lines: ByColor<usize>,
    /// How many positions on these lines have that side to move.
    pub on_lines: ByColor<usize>,
    /// Positions on no line.
    pub isolated: usize,
    /// What is wrong with the file, one line each.
    pub faults: Vec<String>,
}

/// Surveys a book; its lines are those from a start position, by its rules.
pub fn survey<R: Rules>(book: &Book, start: &Position<R>) -> Survey {
    let entries = || book.iter().filter(|entry| !entry.is_header());
    let keys: HashSet<u64> = entries().map(|entry| entry.key).collect();
    let mut survey = Survey {
        entries: book.len(),
        positions: keys.len(),
        deleted: entries().filter(|entry| entry.weight == 0).count(),
        learned: entries().filter(|entry| entry.learn != 0).count(),
        heaviest: entries().map(|entry| entry.weight).max().unwrap_or(0),
        faults: faults(book),
        ..Survey::default()
    };
    let mut isolated = keys;
    for side in Color::ALL {
        let on_lines = lines(book, start, side, |_| {
            survey.lines[side] += 1;
            true
        });
        survey.on_lines[side] = on_lines.len();
        for key in on_lines {
            isolated.remove(&key);
        }
    }
    survey.isolated = isolated.len();
    survey
}

/// What is wrong with a file, as far as a format without checksum can tell.
fn faults(book: &Book) -> Vec<String> {
    let mut faults = Vec::new();
    let size = book.bytes().len();
    if size == 0 {
        faults.push("the file is empty".to_owned());
    }
    if !size.is_multiple_of(BookEntry::SIZE) {
        faults.push(format!(
            "{size} bytes are not a whole number of {}-byte entries: the file is truncated, or not a book",
            BookEntry::SIZE
        ));
    }
    let pairs = || book.iter().zip(book.iter().skip(1));
    if let Some(place) = pairs().position(|(entry, next)| entry.key > next.key) {
        faults.push(format!(
            "entry {} is not in key order: lookups may miss positions",
            place + 2
        ));
    }
    let is_impossible = |entry: BookEntry| !entry.is_header() && !entry.raw.is_possible();
    if let Some(place) = book.iter().position(is_impossible) {
        faults.push(format!("entry {} has no possible move", place + 1));
    }
    faults
}
