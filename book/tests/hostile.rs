//! Files that are not books, and damaged books: reading them never panics.

use book::{Book, BookEntry, Maker, PlayedMove, Settings, survey};
use engine_core::{Color, Position, Standard, next_splitmix64};

/// A stream of numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        (next_splitmix64(&mut self.0) % bound as u64) as usize
    }
}

/// A book of random games.
fn games(random: &mut Random) -> Vec<BookEntry> {
    let mut maker = Maker::new(Settings {
        min_games: 1,
        ..Settings::default()
    });
    for _ in 0..12 {
        let mut position: Position = Position::start();
        for _ in 0..10 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            // A narrow choice makes transpositions.
            let m = moves[random.below(moves.len().min(3))];
            let played = PlayedMove::new(&position, m, random.below(3) as u8);
            maker.add(played.expect("no pawn comes from a pocket"));
            position.play(m);
        }
    }
    maker.finish()
}

/// Calls every function of a book.
fn ask(book: &Book) {
    let mut position: Position = Position::start();
    for step in 0..12 {
        let any = book.choice(&position, u64::MAX / 12 * step);
        let weighted = book.weighted_choice(&position, u64::MAX / 12 * step);
        let all = book.find_all(&position).count();
        assert_eq!(all == 0, any.is_none() && weighted.is_none());
        assert_eq!(all == 0, book.find(&position).is_none());
        assert!(all <= book.entries(&position).count());
        for found in book.entries(&position) {
            assert!(position.is_legal(found.m));
        }
        let Some(found) = weighted else { break };
        position.play(found.m);
    }
    for entry in book.iter() {
        assert!(!entry.raw.to_string().is_empty());
    }
    let mut told = 0;
    let start: Position = Position::start();
    let white = book::lines(book, &start, Color::White, |_| {
        told += 1;
        told < 100
    });
    let survey = survey(book, &start);
    assert!(white.len() <= survey.on_lines[Color::White]);
    assert!(survey.isolated <= survey.positions && survey.positions <= survey.entries);
    assert!(book::merge([book.iter(), book.iter()]).len() <= survey.entries);
}

#[test]
fn mutated_books_are_read() {
    let mut random = Random(2026);
    let entries = games(&mut random);
    let good = Book::from_entries(&entries);
    assert!(
        survey(&good, &Position::<Standard>::start())
            .faults
            .is_empty()
    );
    ask(&good);
    for _ in 0..2000 {
        let mut bytes = good.bytes().to_vec();
        for _ in 0..=random.below(8) {
            let at = random.below(bytes.len());
            match random.below(4) {
                0 => bytes[at] ^= 1 << random.below(8),
                1 => bytes[at] = random.below(256) as u8,
                2 => bytes[at] = 0,
                _ => {
                    let other = random.below(bytes.len());
                    bytes.swap(at, other);
                }
            }
        }
        if random.below(3) == 0 {
            bytes.truncate(random.below(bytes.len()));
        }
        ask(&Book::from_bytes(bytes));
    }
}

#[test]
fn noise_is_read() {
    let mut random = Random(7);
    for size in 0..200 {
        let bytes = (0..size).map(|_| random.below(256) as u8).collect();
        ask(&Book::from_bytes(bytes));
    }
}

#[test]
fn what_is_wrong_is_told() {
    let entries = games(&mut Random(3));
    let start: Position = Position::start();
    let faults = |bytes: &[u8]| {
        survey(&Book::from_bytes(bytes.to_vec()), &start)
            .faults
            .join("; ")
    };
    let bytes: Vec<u8> = entries.iter().flat_map(|entry| entry.to_bytes()).collect();
    assert_eq!(faults(&bytes), "");
    assert_eq!(faults(&[]), "the file is empty");
    assert!(faults(&bytes[..bytes.len() - 3]).contains("truncated"));
    let header = b"\0\0\0\0\0\0\0\0@PG@\n1.0\0\0\0\0\0\0\0\0\n1\nnor\0\0";
    let with_header = [header.as_slice(), &bytes].concat();
    assert_eq!(faults(&with_header), "");
    let mut swapped = bytes.clone();
    swapped.rotate_left(BookEntry::SIZE);
    assert!(faults(&swapped).contains("not in key order"));
    let mut nothing = bytes;
    nothing[8..10].fill(0);
    assert_eq!(faults(&nothing), "entry 1 has no possible move");
}

#[test]
fn files_are_opened_whatever_they_are() {
    let folder = std::env::temp_dir().join(format!("mola-book-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    let path = folder.join("some.bin");
    assert!(Book::open(&path).is_err());
    assert!(Book::open(&folder).is_err());
    #[cfg(unix)]
    assert!(Book::open("/dev/zero").is_err());
    for size in [0, 1, 16, 17] {
        std::fs::write(&path, vec![0; size]).expect("a temporary file");
        let book = Book::open(&path).expect("a file");
        assert_eq!(book.len(), size / BookEntry::SIZE);
        ask(&book);
    }
    let entries = games(&mut Random(5));
    let bytes: Vec<u8> = entries.iter().flat_map(|entry| entry.to_bytes()).collect();
    std::fs::write(&path, &bytes).expect("a temporary file");
    let book = Book::open(&path).expect("a file");
    // A plain copy of another book over this one.
    std::fs::write(&path, b"").expect("a temporary file");
    assert_eq!(book.iter().collect::<Vec<_>>(), entries);
    std::fs::remove_dir_all(&folder).expect("our folder");
}
