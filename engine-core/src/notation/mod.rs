//! Reading and writing positions and moves.
//!
//! Everything here reads text that anyone may have written, so nothing here may panic.
#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod error;
mod fen;
mod find;
mod human;
mod lan;
mod nearest;
mod number;
mod san;
mod text;
mod uci;

pub use error::MoveError;
pub use fen::{EnPassant, FenError, FenFault, FenField, FenProblem};
pub use human::HumanMoveError;
pub use number::whole_number;
pub(crate) use number::{finite_number, is_blank};
pub use text::MoveText;

use crate::{File, Rank, Square};

/// The square that two bytes such as `e4` name.
fn square(file: u8, rank: u8) -> Option<Square> {
    let file = File::from_letter(char::from(file))?;
    Some(Square::new(file, Rank::from_digit(char::from(rank))?))
}
