//! Portable Game Notation: games as text.
//!
//! Reading goes in layers, each of which can be used by itself:
//!
//! | layer | what it does |
//! |---|---|
//! | [`Blocks`] | cuts a stream of any length into blocks of whole games |
//! | [`Parser`] | finds the tokens of each game in a block and passes them to a [`Visitor`] |
//! | [`Replay`] | is such a visitor, plays the moves and passes them to a [`GameVisitor`] |
//! | [`Builder`] | is such a visitor and makes a [`Tree`] |
//! | [`Writer`] | is one, too, and writes PGN |
//!
//! A [`Dialect`] reads as another program does instead. The standard is Edwards, "Portable Game
//! Notation Specification and Implementation Guide" (1994).
//!
//! Everything here reads text that anyone may have written, so nothing here may panic, recurse on
//! the depth of the input, or take more than linear time.
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

mod annotation;
mod blocks;
mod builder;
#[cfg(feature = "columns")]
mod columns;
#[cfg(feature = "command")]
pub mod command;
#[cfg(feature = "command")]
mod date;
mod dialect;
#[cfg(feature = "command")]
mod explorer;
mod fast_path;
mod headers;
#[cfg(feature = "command")]
mod index;
mod lexer;
mod location;
mod movetext;
#[cfg(feature = "command")]
pub mod opening_book;
mod openings;
mod parser;
#[cfg(feature = "command")]
mod position_key;
mod problem;
mod problems;
#[cfg(feature = "command")]
mod query;
mod replay;
mod result;
mod scan;
mod spelling;
mod tags;
mod text;
mod time_control;
mod tree;
mod variant_tag;
mod visitor;
mod writer;

// What the tests share with the fuzz target names this crate as others do.
#[cfg(test)]
extern crate self as pgn;
#[cfg(test)]
mod tests;

pub use annotation::{Arrow, ArrowColor, DeepEval, Eval, eval_in, time, time_in};
pub use blocks::{Block, Blocks};
pub use builder::{Builder, read_tree};
pub use dialect::{Dialect, ForeignGame, ForeignGames, PgnLayout};
pub use headers::{Headers, ROSTER, is_wild, variant_argument, variant_of};
pub use lexer::is_tag_name;
pub use location::{LineIndex, Location};
pub use openings::Opening;
pub use parser::{Parsed, Parser};
pub use problem::{Problem, ProblemKind};
pub use problems::Problems;
#[cfg(feature = "command")]
pub use query::{HELP as QUERY_HELP, Query, QueryError};
pub use replay::{GameVisitor, Replay};
pub use text::{Text, decode};
pub use time_control::{ParseTimeControlError, Period, TimeControlTag};
pub use tree::{Comment, NodeId, Tree};
pub use visitor::{Flow, Visitor};
pub use writer::{MoveNotation, Writer};

use text::unescape;

/// The deepest variation that is read.
pub const MAX_DEPTH: usize = 1000;

/// The longest line that is read. The rule of 75 moves ends a game of standard chess before.
pub const MAX_PLIES: usize = 20_000;

/// How many moves of a game are read, with those of its variations; up to one more for each variation
/// that is open. Books that are merged into one game have fewer by far; a [`Tree`] of so many takes
/// some 150 MB.
pub const MAX_NODES: usize = 1_000_000;

/// The longest game that is read whole, in bytes.
pub const MAX_GAME: usize = 16 << 20;

/// What a text beside the moves is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Remark {
    /// A comment in braces.
    Comment,
    /// A comment from `;` to the end of the line.
    Line,
    /// A whole line that begins with `%`, that character included: it is for other programs.
    Escape,
    /// What could not be read, kept so that it can be written again.
    Raw,
}
