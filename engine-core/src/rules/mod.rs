//! What makes one variant differ from another.
//!
//! A variant is a type that implements [`Rules`]; every item defaults to standard chess. All of
//! its decisions are constants or inlined functions, so standard chess pays nothing for the rest.
//! [`AnyPosition`] with [`dispatch!`](crate::dispatch) is the only run-time switch.
//!
//! The decisions are those of python-chess. In particular no moves are generated after a variant
//! has ended, so that perft counts no lines through a king on the hill or a third check.

mod any;
mod atomic;
mod checks;
mod compiled;
mod crazyhouse;
mod extra;
mod hill;
mod horde;
mod losing;
mod racing;
mod standard;
mod variant;

pub use any::AnyPosition;
pub use atomic::Atomic;
#[cfg(feature = "search")]
pub(crate) use atomic::blast;
pub use checks::{RemainingChecks, ThreeCheck};
pub use compiled::Compiled;
pub use crazyhouse::{Crazyhouse, Household, Pockets};
pub use extra::Extra;
#[cfg(feature = "search")]
pub(crate) use hill::HILL;
pub use hill::KingOfTheHill;
pub use horde::Horde;
pub use losing::{Antichess, Giveaway, Losing, Promoted, Suicide};
#[cfg(feature = "search")]
pub(crate) use racing::GOAL as RACE_GOAL;
pub use racing::RacingKings;
pub use standard::Standard;
pub use variant::{UnknownVariant, Variant};

use crate::movegen::{Generator, MoveSink, Want};
use crate::position::{Observer, Played};
use crate::setup::Faults;
use crate::{Bitboard, Board, Color, Outcome, Position, Setup, Side, Square, Termination};
use std::fmt::Debug;

/// The rules of one variant.
pub trait Rules: Compiled + Copy + Debug + Eq + Send + Sync + 'static {
    /// What a position holds beyond a standard one: pockets, remaining checks, or nothing.
    type Extra: Extra;

    /// Which variant this is: its names, start position and table suffixes are in [`Variant`].
    const VARIANT: Variant;
    /// Whether kings are royal: they may not be left in check, and no other piece becomes one.
    const ROYAL: bool = true;
    /// Whether a capture removes all but pawns around it, capturer included.
    const EXPLODES: bool = false;
    /// Whether captured pieces come back as drops.
    const DROPS: bool = false;
    /// Whether fifty moves without a capture or pawn move are a draw by claim.
    const FIFTY_MOVES: bool = true;
    /// Whether checks are counted, so that no position stands again after one.
    const COUNTS_CHECKS: bool = false;
    /// Whether a position can stand again after a capture or pawn move.
    const CAPTURES_REPEAT: bool = false;

    /// The king of a side that can be in check now.
    #[inline(always)]
    fn royal(board: &Board, color: Color) -> Option<Square> {
        board.king(color)
    }

    /// The king of a side that has castling rights.
    #[inline(always)]
    fn castling_king(position: &Position<Self>, color: Color) -> Option<Square> {
        position.board().king(color)
    }

    /// Hands the wanted legal moves to the sink.
    #[doc(hidden)]
    #[inline(always)]
    fn generate<S: Side, W: Want, K: MoveSink>(generator: &Generator<'_, Self, S>, sink: &mut K) {
        generator.run::<W, K>(sink);
    }

    /// What a move changes beyond the standard rules: called when its pieces stand and the turn
    /// has passed.
    #[doc(hidden)]
    #[inline(always)]
    fn after_move<O: Observer>(_: &mut Position<Self>, _: Played, _: &mut O) {}

    /// Whether the game has ended in a way that only this variant knows, such as a king on the
    /// hill. No moves are generated then.
    #[inline(always)]
    fn is_variant_end(_position: &Position<Self>) -> bool {
        false
    }

    /// The result of such an end, or of a stalemate that is no draw in this variant.
    #[inline(always)]
    fn variant_end(_position: &Position<Self>) -> Option<Outcome> {
        None
    }

    /// The pieces that a FEN marks with `~`, since they were pawns and it matters.
    fn marked(setup: &Setup) -> Bitboard {
        setup.promoted
    }

    /// Whether the side to move must capture.
    #[inline(always)]
    fn must_capture(_position: &Position<Self>) -> bool {
        false
    }

    /// Whether what two positions add to the board is the same by the rule of repetitions.
    fn same_extra(one: &Position<Self>, other: &Position<Self>) -> bool {
        one.extra() == other.extra()
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

/// The end of a variant that is won by a side, lost by the other, or drawn.
#[inline(always)]
fn end(position_turn: Color, winner: Option<Color>) -> Outcome {
    let termination = match winner {
        None => Termination::VariantDraw,
        Some(color) if color == position_turn => Termination::VariantWin,
        Some(_) => Termination::VariantLoss,
    };
    Outcome {
        termination,
        winner,
    }
}

/// The side that alone meets a condition, if either does: the end that it wins, or a draw if both
/// meet it.
#[inline(always)]
fn end_if(turn: Color, meets: impl Fn(Color) -> bool) -> Option<Outcome> {
    match (meets(Color::White), meets(Color::Black)) {
        (false, false) => None,
        (true, true) => Some(end(turn, None)),
        (white, _) => Some(end(turn, Some(Color::from_white(white)))),
    }
}
