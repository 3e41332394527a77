//! Reading a book.

use crate::data::Data;
use crate::entry::BookEntry;
use crate::position::BookPosition;
use engine_core::Move;
use std::path::Path;
use std::{fmt, io};

/// A book. A file of more than 64 MB is mapped, not read, so that opening takes no time whatever the
/// size; it must not be overwritten in place meanwhile.
///
/// Any file can be opened. Lookups are by binary search, so entries out of order may be missed; an
/// incomplete entry at the end is ignored. [`survey`](crate::survey()) lists the faults of a book.
pub struct Book {
    data: Data,
}

/// A legal book move, with its entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookMove {
    /// The move.
    pub m: Move,
    /// Its entry.
    pub entry: BookEntry,
}

impl Book {
    /// Opens a book.
    ///
    /// # Errors
    /// When the file cannot be opened.
    pub fn open(path: impl AsRef<Path>) -> io::Result<Book> {
        Data::open(path.as_ref()).map(|data| Book { data })
    }

    /// A book in memory.
    pub fn from_bytes(bytes: Vec<u8>) -> Book {
        let data = Data::Owned(bytes);
        Book { data }
    }

    /// A book of these entries, which must be sorted by key.
    pub fn from_entries(entries: &[BookEntry]) -> Book {
        Book::from_bytes(entries.iter().flat_map(|entry| entry.to_bytes()).collect())
    }

    /// The bytes of the file.
    pub fn bytes(&self) -> &[u8] {
        self.data.bytes()
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.bytes().len() / BookEntry::SIZE
    }

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether the file may be a book: whole entries, which are in the order of their keys as far as
    /// a sample shows, so that a large book need not be read.
    pub fn is_plausible(&self) -> bool {
        const SAMPLE: usize = 1024;
        let step = (self.len() / SAMPLE).max(1);
        let keys = (0..self.len()).step_by(step);
        let keys = keys
            .filter_map(|index| self.get(index))
            .map(|entry| entry.key);
        self.bytes().len().is_multiple_of(BookEntry::SIZE) && keys.is_sorted()
    }

    /// The entry at a place, from 0.
    pub fn get(&self, index: usize) -> Option<BookEntry> {
        let bytes = self.bytes().get(index.checked_mul(BookEntry::SIZE)?..)?;
        bytes.first_chunk().copied().map(BookEntry::from_bytes)
    }

    /// All entries in their order.
    pub fn iter(&self) -> impl Iterator<Item = BookEntry> + '_ {
        let chunks = self.bytes().as_chunks().0.iter();
        chunks.copied().map(BookEntry::from_bytes)
    }

    /// The entries of a key, whether or not their moves are legal.
    pub fn with_key(&self, key: u64) -> impl Iterator<Item = BookEntry> + '_ {
        let entries = self.bytes().as_chunks().0;
        let first = entries.partition_point(|&bytes| BookEntry::from_bytes(bytes).key < key);
        let found = entries.get(first..).unwrap_or_default().iter();
        let found = found.copied().map(BookEntry::from_bytes);
        found.take_while(move |entry| entry.key == key)
    }

    /// The legal moves that the book has in a position, those of weight 0 included, in the order
    /// of the book: in most the heaviest first.
    pub fn entries(&self, position: &impl BookPosition) -> impl Iterator<Item = BookMove> {
        self.with_key(position.polyglot_key()).filter_map(|entry| {
            let m = entry.raw.legal(position)?;
            Some(BookMove { m, entry })
        })
    }

    /// The moves to choose from: all but those of weight 0.
    pub fn find_all(&self, position: &impl BookPosition) -> impl Iterator<Item = BookMove> {
        self.entries(position)
            .filter(|found| found.entry.weight > 0)
    }

    /// The move of the greatest weight; the first of them if there are several.
    pub fn find(&self, position: &impl BookPosition) -> Option<BookMove> {
        BookMove::heaviest(self.find_all(position))
    }

    /// Any of the moves, each as likely as the others, by a random number.
    pub fn choice(&self, position: &impl BookPosition, random: u64) -> Option<BookMove> {
        pick(self.find_all(position), |_| 1, random)
    }

    /// One of the moves, chosen by a random number with probability in proportion to the weights.
    pub fn weighted_choice(&self, position: &impl BookPosition, random: u64) -> Option<BookMove> {
        BookMove::weighted(self.find_all(position), random)
    }
}

impl BookMove {
    /// The move of the greatest weight; the first of them if there are several.
    pub fn heaviest(moves: impl Iterator<Item = BookMove>) -> Option<BookMove> {
        moves.reduce(|best, other| {
            if other.entry.weight > best.entry.weight {
                other
            } else {
                best
            }
        })
    }

    /// One of the moves, chosen by a random number with probability in proportion to the weights.
    pub fn weighted(moves: impl Iterator<Item = BookMove>, random: u64) -> Option<BookMove> {
        pick(moves, |entry| entry.weight, random)
    }
}

impl fmt::Debug for Book {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Book({} entries)", self.len())
    }
}

/// Picks a move with the probability of its share.
fn pick(
    moves: impl Iterator<Item = BookMove>,
    share: impl Fn(BookEntry) -> u16,
    random: u64,
) -> Option<BookMove> {
    let moves: Vec<BookMove> = moves.collect();
    let total: u64 = moves
        .iter()
        .map(|found| u64::from(share(found.entry)))
        .sum();
    let mut at = ((u128::from(random) * u128::from(total)) >> 64) as u64;
    moves.into_iter().find(|found| {
        let share = u64::from(share(found.entry));
        let here = at < share;
        at = at.saturating_sub(share);
        here
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PolyglotMove;
    use engine_core::{AnyPosition, Position};

    fn book(weights: &[(&str, u16)]) -> (Book, Position) {
        let start: Position = Position::start();
        let entry = |key, text: &str, weight| BookEntry {
            key,
            raw: PolyglotMove::new(start.parse_uci(text).unwrap()).unwrap(),
            weight,
            learn: 7,
        };
        let mut entries = vec![entry(start.key() - 1, "a2a3", 9)];
        entries.extend(
            weights
                .iter()
                .map(|&(text, weight)| entry(start.key(), text, weight)),
        );
        // A move that is not legal here.
        entries.push(BookEntry {
            raw: PolyglotMove(0x0fff),
            ..entry(start.key(), "a2a3", 60000)
        });
        entries.push(entry(start.key() + 1, "a2a3", 9));
        (Book::from_entries(&entries), start)
    }

    fn text(position: &Position, found: Option<BookMove>) -> String {
        found.map_or(String::new(), |found| position.to_uci(found.m).to_string())
    }

    #[test]
    fn what_is_found() {
        let (book, start) = book(&[("e2e4", 5), ("d2d4", 0), ("g1f3", 7), ("c2c4", 7)]);
        assert_eq!(book.len(), 7);
        assert_eq!(book.with_key(start.key()).count(), 5);
        assert_eq!(book.entries(&start).count(), 4);
        assert_eq!(book.find_all(&start).count(), 3);
        assert_eq!(text(&start, book.find(&start)), "g1f3");
        assert_eq!(book.find(&start).unwrap().entry.learn, 7);
        let any = AnyPosition::from(start);
        assert!(book.entries(&any).eq(book.entries(&start)));
        assert_eq!(book.find(&any), book.find(&start));
        assert_eq!(book.with_key(3).count(), 0);
        assert_eq!(book.with_key(u64::MAX).count(), 0);
    }

    #[test]
    fn choices_follow_their_shares() {
        let (book, start) = book(&[("e2e4", 1), ("d2d4", 0), ("g1f3", 3)]);
        let at = |quarter: u64| quarter << 62;
        for (quarter, any, weighted) in [
            (0, "e2e4", "e2e4"),
            (1, "e2e4", "g1f3"),
            (2, "g1f3", "g1f3"),
            (3, "g1f3", "g1f3"),
        ] {
            assert_eq!(text(&start, book.choice(&start, at(quarter))), any);
            let found = book.weighted_choice(&start, at(quarter));
            assert_eq!(text(&start, found), weighted);
        }
        assert!(book.weighted_choice(&start, u64::MAX).is_some());
    }

    #[test]
    fn text_is_no_book() {
        assert!(book(&[("e2e4", 1)]).0.is_plausible());
        let is_plausible = |bytes: &[u8]| Book::from_bytes(bytes.to_vec()).is_plausible();
        assert!(!is_plausible(&[0; 17]));
        assert!(!is_plausible(b"1. e4 e5 2. Nf3 1. c4 c5 2. Nc3 "));
    }

    #[test]
    fn nothing_is_found_in_nothing() {
        let start: Position = Position::start();
        for bytes in [Vec::new(), vec![0; 15]] {
            let book = Book::from_bytes(bytes);
            assert!(book.is_empty());
            assert_eq!(book.find(&start), None);
            assert_eq!(book.choice(&start, 5), None);
            assert_eq!(book.get(0), None);
        }
    }
}
