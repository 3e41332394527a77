//! What all crates ask of a position, compiled once for each variant.
//!
//! A generic function is compiled anew in every crate that calls it, and code for a position of
//! any variant calls all ten. The methods of these implementations are not generic: they are
//! compiled with this crate, and a call of [`Position::legal_moves`] elsewhere is a call of theirs.

use crate::perft::count_games;
use crate::{Move, MoveList, Position};

/// Functions of [`Position`] and [`perft`](crate::perft()) that are too large to compile twice.
#[doc(hidden)]
#[allow(missing_docs, reason = "named as the functions that call them")]
pub trait Compiled: Sized {
    fn legal_moves(position: &Position<Self>) -> MoveList
    where
        Self: super::Rules;
    fn has_legal_move(position: &Position<Self>) -> bool
    where
        Self: super::Rules;
    fn is_legal(position: &Position<Self>, m: Move) -> bool
    where
        Self: super::Rules;
    fn play(position: &mut Position<Self>, m: Move)
    where
        Self: super::Rules;
    fn perft(position: &Position<Self>, depth: u32) -> u64
    where
        Self: super::Rules;
}

macro_rules! compiled {
    ($($rules:ident)*) => {
        $(impl Compiled for super::$rules {
            fn legal_moves(position: &Position<Self>) -> MoveList {
                position.list_moves()
            }

            fn has_legal_move(position: &Position<Self>) -> bool {
                position.finds_move()
            }

            fn is_legal(position: &Position<Self>, m: Move) -> bool {
                position.finds(m)
            }

            fn play(position: &mut Position<Self>, m: Move) {
                position.play_observed(m, &mut ());
            }

            fn perft(position: &Position<Self>, depth: u32) -> u64 {
                count_games(position, depth)
            }
        })*
    };
}

compiled! {
    Standard Suicide Giveaway Antichess Atomic KingOfTheHill RacingKings Horde ThreeCheck Crazyhouse
}
