//! python-chess for Mola: what that library accepts, answers, names and draws, word for word.
//!
//! The crates below have types and messages of their own; all that imitates python-chess is here,
//! behind the option `--batch` of [`position`], [`fen`], [`san`], [`epd`] and [`svg`], and the
//! option `--compat` of [`svg`] and of all commands for [`games`].
//!
//! Everything here reads text that anyone may have written, so nothing here may panic.
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

use std::io::Write;

mod claims;
mod clocks;
mod coordinates;
pub mod epd;
pub mod fen;
pub mod games;
pub mod messages;
pub mod names;
pub mod pockets;
pub mod position;
pub mod san;
pub mod svg;

/// Writes the record of a text that is wrong, and fails with what is wrong with it.
fn refuse<T>(record: &str, message: String) -> Result<T, String> {
    writeln!(std::io::stdout(), "{record}").map_err(|error| error.to_string())?;
    Err(message)
}
