//! Any file, read as a Polyglot book by all functions.

#![no_main]

use book::{Book, lines, merge, survey};
use engine_core::{Color, Position};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let book = Book::from_bytes(bytes.to_vec());
    let mut position: Position = Position::start();
    while let Some(found) = book.find(&position) {
        assert!(position.is_legal(found.m));
        assert!(book.weighted_choice(&position, 1 << 63).is_some());
        position.play(found.m);
        if position.fullmoves() > 50 {
            break;
        }
    }
    for entry in book.iter() {
        assert!(!entry.raw.to_string().is_empty());
        assert!(book.with_key(entry.key).count() <= book.len());
    }
    let mut told = 0;
    let start: Position = Position::start();
    lines(&book, &start, Color::White, |_| {
        told += 1;
        told < 100
    });
    let survey = survey(&book, &start);
    assert!(survey.entries == book.len());
    assert!(merge([book.iter(), book.iter()]).len() <= survey.entries);
});
