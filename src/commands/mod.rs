//! The subcommands of the engine itself; each tool around it brings its own.

pub mod bench;
pub mod book;
pub mod completions;
pub mod perft;
#[cfg(feature = "pgn")]
pub mod pgn;
pub mod selfcheck;
pub mod tables;
