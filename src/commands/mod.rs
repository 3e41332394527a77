//! The subcommands of the engine itself; those of the tools are in their crates.

pub(crate) mod book;
#[cfg(feature = "manual")]
pub(crate) mod completions;
#[cfg(feature = "pgn")]
pub(crate) mod pgn;
mod positions;
#[cfg(feature = "recon")]
pub(crate) mod recon;
pub(crate) mod tables;
