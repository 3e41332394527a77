//! What makes one variant differ from another.
//!
//! A variant is a type that implements [`Rules`]; every item defaults to standard chess. All of
//! its decisions are constants or inlined functions, so standard chess pays nothing for the rest.
//! [`AnyPosition`] with [`dispatch!`](crate::dispatch) is the only run-time switch.

mod any;
mod standard;
mod variant;

pub use any::AnyPosition;
pub use standard::Standard;
pub use variant::Variant;

use crate::setup::Faults;
use crate::{Color, Outcome, Position, Role, Setup};
use std::fmt::Debug;
use std::hash::Hash;

/// The rules of one variant.
pub trait Rules: Copy + Debug + Eq + Send + Sync + 'static {
    /// What a position holds beyond a standard one: pockets, remaining checks, or nothing.
    type Extra: Copy + Debug + Default + Eq + Hash + Send + Sync;

    /// Which variant this is: its names, start position and table suffixes are in [`Variant`].
    const VARIANT: Variant;

    /// An end that only this variant knows, such as a king on the hill.
    #[inline(always)]
    fn variant_end(_position: &Position<Self>) -> Option<Outcome> {
        None
    }

    /// Whether passing can be trusted to be worse than some move: not with pawns alone, where
    /// zugzwang is common. Guards null-move pruning and the skipping of late moves.
    #[inline(always)]
    fn may_pass(position: &Position<Self>) -> bool {
        let board = position.board();
        let humble = board.role(Role::Pawn) | board.role(Role::King);
        (board.color(position.turn()) - humble).any()
    }

    /// Whether this side can never win, whatever the opponent plays.
    fn has_insufficient_material(position: &Position<Self>, color: Color) -> bool {
        standard::has_insufficient_material(position.board(), color)
    }

    /// Faults of a setup as this variant sees them, given those of standard chess.
    fn faults(_setup: &Setup, standard: Faults) -> Faults {
        standard
    }
}
