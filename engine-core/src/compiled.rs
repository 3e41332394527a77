//! The functions of [`Compiled`] for each variant.

use crate::notation::{MoveError, MoveText};
use crate::perft::count_leaves;
use crate::{Compiled, Move, MoveList, Outcome, Position, rules};

macro_rules! implement {
    ({} $($rules:ident $properties:tt)*) => {
        $(impl Compiled for rules::$rules {
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
                count_leaves(position, depth)
            }

            fn outcome(position: &Position<Self>) -> Option<Outcome> {
                position.find_outcome()
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
