//! The subcommands of the engine itself; each tool around it brings its own.

pub(crate) mod book;
#[cfg(feature = "manual")]
pub(crate) mod completions;
#[cfg(feature = "pgn")]
pub(crate) mod pgn;
pub(crate) mod tables;
