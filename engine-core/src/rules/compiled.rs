//! Large functions of [`Position`], compiled once for each variant.
//!
//! A generic function is compiled anew in every crate that calls it, and code for a position of
//! any variant calls all of its instances. The methods of these implementations are not generic:
//! they are compiled with this crate, and [`Position::legal_moves`] calls them.

use crate::notation::{MoveError, MoveText};
use crate::perft::count_leaves;
use crate::rules::Rules;
use crate::{Move, MoveList, Outcome, Position};

/// Declares the trait and implements it for each variant.
macro_rules! define_compiled {
    ($(fn $name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)? $body:block)*) => {
        /// Functions of [`Position`] and [`perft`](crate::perft()) that are too large to compile
        /// in every crate.
        #[doc(hidden)]
        #[allow(missing_docs, reason = "named as the functions that call them")]
        pub trait Compiled: Sized {
            $(fn $name($($argument: $type),*) $(-> $result)? where Self: Rules;)*
        }

        crate::for_each_variant!(implement {
            { $(fn $name($($argument: $type),*) $(-> $result)? $body)* }
        });
    };
}

macro_rules! implement {
    ({ $functions:tt } $($rules:ident $properties:tt)*) => {
        $(impl Compiled for super::$rules $functions)*
    };
}

define_compiled! {
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
}
