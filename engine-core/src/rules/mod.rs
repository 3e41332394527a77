//! What makes one variant differ from another.
//!
//! A variant is a type that implements [`Rules`]; every item defaults to standard chess. All items
//! are constants or inlined functions, so that they cost standard chess nothing.
//! [`AnyPosition`](crate::AnyPosition) with [`dispatch!`](crate::dispatch) is the only run-time switch.
//!
//! Where rules differ between implementations, these are those of python-chess. In particular no
//! moves are generated after a variant has ended, so perft counts no lines beyond a king on the
//! hill or a third check.

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

pub use atomic::Atomic;
#[cfg(feature = "search")]
pub(crate) use atomic::blast;
pub use checks::{RemainingChecks, ThreeCheck};
pub use compiled::Compiled;
pub use crazyhouse::{Crazyhouse, CrazyhouseExtra, Pockets};
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
pub use variant::{UnknownVariant, Variant, is_name_of_chess960};

use crate::movegen::{Generator, MoveClass, MoveSink};
use crate::position::Faults;
use crate::position::{MoveEffect, Observer};
use crate::types::{Move, MoveError};
use crate::{Bitboard, Board, Color, Outcome, Position, Setup, Side, Square, Termination};
use core::fmt::Debug;

/// The rules of one variant.
pub trait Rules: Compiled + Copy + Debug + Eq + Send + Sync + 'static {
    /// The state that a position has beyond standard chess: pockets, remaining checks, or `()`.
    type Extra: Extra;

    /// Which variant this is: its names, start position and table suffixes are in [`Variant`].
    const VARIANT: Variant;
    /// Whether kings are royal: they may not be left in check, and no pawn promotes to one.
    const ROYAL: bool = true;
    /// Whether a capture removes all but pawns around it, capturer included.
    const EXPLODES: bool = false;
    /// Whether a king can be captured, or explode; it takes its castling rights with it.
    const KING_CAN_BE_CAPTURED: bool = Self::EXPLODES || !Self::ROYAL;
    /// Whether captured pieces come back as drops.
    const DROPS: bool = false;
    /// Whether a side without moves that is not in check draws.
    const STALEMATE_DRAWS: bool = true;
    /// Whether fifty moves without a capture or pawn move are a draw by claim.
    const FIFTY_MOVES: bool = true;
    /// Whether checks are counted, so that no earlier position can repeat after one.
    const COUNTS_CHECKS: bool = false;
    /// Whether an earlier position can repeat after a capture or pawn move.
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
    fn generate<S: Side, W: MoveClass, K: MoveSink>(
        generator: &Generator<'_, Self, S>,
        sink: &mut K,
    ) {
        generator.run::<W, K>(sink);
    }

    /// Applies what a move changes beyond the standard rules. Called after the pieces were moved
    /// and the turn has changed.
    #[doc(hidden)]
    #[inline(always)]
    fn after_move<O: Observer>(_: &mut Position<Self>, _: MoveEffect, _: &mut O) {}

    /// Applies what a null move changes, after the turn has changed.
    #[doc(hidden)]
    #[inline(always)]
    fn after_null_move(_: &mut Position<Self>, _by: Color) {}

    /// Whether the game has ended by a rule of this variant, such as a king on the hill. No moves
    /// are generated then.
    #[inline(always)]
    fn is_variant_end(_position: &Position<Self>) -> bool {
        false
    }

    /// The result of such an end, or of a stalemate that is no draw in this variant.
    #[inline(always)]
    fn variant_end(_position: &Position<Self>) -> Option<Outcome> {
        None
    }

    /// The promoted pieces that a FEN marks with `~`.
    fn promoted_in_fen(setup: &Setup) -> Bitboard {
        setup.promoted
    }

    /// Whether the side to move must capture.
    #[inline(always)]
    fn must_capture(_position: &Position<Self>) -> bool {
        false
    }

    /// Why a pseudo-legal move is not legal, in a game that goes on.
    fn why_illegal(_position: &Position<Self>, _m: Move) -> MoveError {
        MoveError::KingInCheck
    }

    /// Whether the variant's state of two positions is the same by the rule of repetitions.
    fn extras_repeat(one: &Position<Self>, other: &Position<Self>) -> bool {
        one.extra() == other.extra()
    }

    /// Whether this side can never win, whatever the opponent plays.
    fn has_insufficient_material(position: &Position<Self>, color: Color) -> bool {
        standard::has_insufficient_material(position.board(), color)
    }

    /// Faults of a setup by the rules of this variant, given those by standard rules.
    fn faults(_setup: &Setup, standard: Faults) -> Faults {
        standard
    }
}

/// The outcome of an end by the rules of a variant, given the side to move.
#[inline(always)]
fn end(turn: Color, winner: Option<Color>) -> Outcome {
    let termination = match winner {
        None => Termination::VariantDraw,
        Some(color) if color == turn => Termination::VariantWin,
        Some(_) => Termination::VariantLoss,
    };
    Outcome {
        termination,
        winner,
    }
}

/// The outcome if the only side that meets a condition wins, and a draw if both meet it.
#[inline(always)]
fn end_if(turn: Color, meets: impl Fn(Color) -> bool) -> Option<Outcome> {
    match (meets(Color::White), meets(Color::Black)) {
        (false, false) => None,
        (true, true) => Some(end(turn, None)),
        (white, _) => Some(end(turn, Some(Color::from_white(white)))),
    }
}
