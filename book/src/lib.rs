//! Opening books in Polyglot's format: an array of 16-byte entries, sorted by the key of the
//! position.
//!
//! [`Book`] reads one, [`Maker`] counts moves into one, [`merge`] adds several up, and [`lines()`]
//! lists what a book plays. The format is described in Polyglot's `book_format.html`; the keys are
//! [`Position::polyglot_key`](engine_core::Position::polyglot_key).
//!
//! ```
//! use book::{Book, Maker, PlayedMove, Settings};
//! use engine_core::{Position, Square, Move};
//!
//! let start: Position = Position::start();
//! let mut maker = Maker::new(Settings { min_games: 1, ..Settings::default() });
//! let played = PlayedMove::new(&start, Move::normal(Square::E2, Square::E4), 2);
//! maker.add(played.expect("a move that a book has room for"));
//! let book = Book::from_entries(&maker.finish());
//! let found = book.find(&start).expect("a move of the start position");
//! assert_eq!(start.to_uci(found.m), "e2e4");
//! ```

// Everything here reads what anyone may have written, so nothing here may panic.
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

/// The example of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod data;
mod entry;
mod lines;
mod make;
mod merge;
mod position;
mod read;
mod survey;

pub use data::Data;
pub use entry::{BookEntry, PolyglotMove};
pub use lines::{BookLine, LineMove, lines};
pub use make::{Maker, PlayedMove, Settings};
pub use merge::merge;
pub use position::BookPosition;
pub use read::{Book, BookMove};
pub use survey::{Survey, survey};
