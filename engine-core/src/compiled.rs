//! The implementations of [`Compiled`]: each large function compiled once per variant in this crate.

use crate::notation::{MoveError, MoveText};
use crate::perft::perft_generic;
use crate::{Compiled, Move, MoveList, Outcome, Position, rules};

macro_rules! implement {
    ({} $($rules:ident $properties:tt)*) => {
        $(impl Compiled for rules::$rules {
            fn legal_moves(position: &Position<Self>) -> MoveList {
                position.legal_moves_generic()
            }

            fn has_legal_move(position: &Position<Self>) -> bool {
                position.has_legal_move_generic()
            }

            fn is_legal(position: &Position<Self>, m: Move) -> bool {
                position.is_legal_generic(m)
            }

            fn play(position: &mut Position<Self>, m: Move) {
                position.play_observed(m, &mut ());
            }

            fn perft(position: &Position<Self>, depth: u32) -> u64 {
                perft_generic(position, depth)
            }

            fn outcome(position: &Position<Self>) -> Option<Outcome> {
                position.outcome_generic()
            }

            fn read_san(position: &Position<Self>, text: &[u8]) -> Result<Move, MoveError> {
                position.read_san(text)
            }

            fn write_san(position: &Position<Self>, m: Move) -> MoveText {
                position.write_san(m)
            }

            fn read_uci(position: &Position<Self>, text: &str) -> Result<Move, MoveError> {
                position.read_uci(text)
            }
        })*
    };
}

crate::for_each_variant!(implement {});
