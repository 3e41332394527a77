//! Reading and writing positions and moves.
//!
//! The text comes from outside, so nothing here may panic.
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

mod any_position;
mod epd;
mod fen;
mod find;
mod human;
mod lan;
mod language;
mod nearest;
mod number;
mod san;
mod uci;
mod variation;

pub use crate::types::{MoveError, MoveText};
pub use any_position::ReadPositionError;
pub use epd::{Epd, EpdError, EpdProblem, Operand, Operations, float};
pub use fen::{EnPassant, FenError, FenFault, FenField, FenProblem, read_board};
pub use human::HumanMoveError;
pub use language::{Language, UnknownLanguage};
pub use nearest::edit_distance;
pub(crate) use number::real_number;
pub use number::{is_blank, whole_number, words};
pub use variation::move_number;

use crate::{File, Rank, Square};

/// The square that two bytes such as `e4` name.
fn square(file: u8, rank: u8) -> Option<Square> {
    let file = File::from_letter(char::from(file))?;
    Some(Square::new(file, Rank::from_digit(char::from(rank))?))
}
