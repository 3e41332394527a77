//! Large functions of [`Position`], compiled once for each variant.

use super::Rules;
use crate::types::{MoveError, MoveText};
use crate::{Move, MoveList, Outcome, Position};

/// Functions of [`Position`] and [`perft`](crate::perft()) that are too large to compile in every
/// crate.
///
/// A generic function is compiled anew in every crate that calls it, and code for a position of
/// any variant calls all of its instances. The implementations of these are not generic: they are
/// compiled with this crate, and [`Position::legal_moves`] and the others call them.
#[doc(hidden)]
#[allow(missing_docs, reason = "named as the functions that call them")]
pub trait Compiled: Sized {
    fn legal_moves(position: &Position<Self>) -> MoveList
    where
        Self: Rules;
    fn has_legal_move(position: &Position<Self>) -> bool
    where
        Self: Rules;
    fn is_legal(position: &Position<Self>, m: Move) -> bool
    where
        Self: Rules;
    fn play(position: &mut Position<Self>, m: Move)
    where
        Self: Rules;
    fn perft(position: &Position<Self>, depth: u32) -> u64
    where
        Self: Rules;
    fn outcome(position: &Position<Self>) -> Option<Outcome>
    where
        Self: Rules;
    fn read_san(position: &Position<Self>, text: &[u8]) -> Result<Move, MoveError>
    where
        Self: Rules;
    fn write_san(position: &Position<Self>, m: Move) -> MoveText
    where
        Self: Rules;
    fn read_uci(position: &Position<Self>, text: &str) -> Result<Move, MoveError>
    where
        Self: Rules;
}
