//! Adding books up.

use crate::entry::BookEntry;
use std::collections::HashMap;

/// One book of several, sorted by key. Weights of a move that several have are added up; what was
/// learned of it is kept from the first that has it, and so is its place among the moves of the
/// position. Where a sum does not fit, all weights of the position are scaled down alike, but none
/// to 0 that was not.
///
/// This is what `polyglot merge-book` makes of two sorted books, apart from sums that do not fit,
/// moves that a book lists twice, and headers: that of the first book that has one is kept.
pub fn merge(
    books: impl IntoIterator<Item = impl IntoIterator<Item = BookEntry>>,
) -> Vec<BookEntry> {
    let mut sums: Vec<(BookEntry, u64)> = Vec::new();
    let mut places: HashMap<(u64, u16), usize> = HashMap::new();
    let mut header: Vec<BookEntry> = Vec::new();
    for book in books {
        let needs_header = header.is_empty();
        for entry in book {
            if entry.is_header() {
                header.extend(needs_header.then_some(entry));
                continue;
            }
            let place = *places.entry((entry.key, entry.raw.0)).or_insert(sums.len());
            match sums.get_mut(place) {
                Some((_, sum)) => *sum += u64::from(entry.weight),
                None => sums.push((entry, u64::from(entry.weight))),
            }
        }
    }
    // Stable: moves of a position stay in the order in which they came.
    sums.sort_by_key(|(entry, _)| entry.key);
    let positions = sums.chunk_by(|(a, _), (b, _)| a.key == b.key);
    let merged = positions.flat_map(|moves| {
        let most = moves.iter().map(|&(_, sum)| sum).max().unwrap_or(0);
        moves.iter().map(move |&(entry, sum)| BookEntry {
            weight: scaled(sum, most),
            ..entry
        })
    });
    header.into_iter().chain(merged).collect()
}

/// A weight when the greatest of its position is `most`.
fn scaled(sum: u64, most: u64) -> u16 {
    let limit = u64::from(u16::MAX);
    if most <= limit || sum == 0 {
        sum as u16
    } else {
        (u128::from(sum) * u128::from(limit) / u128::from(most)).max(1) as u16
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PolyglotMove;

    fn entry(key: u64, raw: u16, weight: u16, learn: u32) -> BookEntry {
        BookEntry {
            key,
            raw: PolyglotMove(raw),
            weight,
            learn,
        }
    }

    #[test]
    fn weights_are_added() {
        let first = [entry(5, 1, 10, 1), entry(5, 2, 5, 2), entry(9, 1, 0, 3)];
        let second = [entry(4, 7, 3, 6), entry(5, 2, 30, 7), entry(5, 3, 20, 8)];
        let merged = merge([first.to_vec(), second.to_vec()]);
        let expected = [
            entry(4, 7, 3, 6),
            entry(5, 1, 10, 1),
            entry(5, 2, 35, 2),
            entry(5, 3, 20, 8),
            entry(9, 1, 0, 3),
        ];
        assert_eq!(merged, expected);
    }

    #[test]
    fn the_first_header_is_kept() {
        let header = [entry(0, 0x4050, 0x4740, 10), entry(0, 0x4050, 0x4740, 11)];
        let first = [entry(5, 1, 10, 1)];
        let second = [&header[..], &first].concat();
        let third = [&header[..1], &first].concat();
        let merged = merge([first.to_vec(), second, third]);
        assert_eq!(merged, [header[0], header[1], entry(5, 1, 30, 1)]);
    }

    #[test]
    fn sums_that_do_not_fit_are_scaled() {
        let book = [
            entry(5, 1, 60000, 0),
            entry(5, 2, 30000, 0),
            entry(5, 3, 1, 0),
        ];
        let merged = merge([book.to_vec(), book.to_vec()]);
        let weights: Vec<u16> = merged.iter().map(|entry| entry.weight).collect();
        assert_eq!(weights, [65535, 32767, 1]);
    }
}
