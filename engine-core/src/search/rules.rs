//! What differs between variants in the search.

use super::endings;
use super::limits::Driver;
use super::move_info::MoveInfo;
use super::score::Score;
use super::tunables as tune;
use crate::eval::EvalRules;
use crate::movegen::{All, HasMove, MoveSink, origin};
use crate::rules::{
    Atomic, Crazyhouse, HILL, Horde, KingOfTheHill, Losing, RACE_GOAL, RacingKings, Standard,
    ThreeCheck, blast,
};
use crate::{Bitboard, CheckSquares, Move, Position, Role, Square, attacks};

/// What differs between variants in the search; the defaults suit most of them.
pub(super) trait SearchRules: EvalRules {
    /// Whether quiescence searches quiet checks, and quiet moves of the king to its goal, at its first ply:
    /// those that lose no material or, where checks are counted, all.
    const QUIET_CHECKS: bool = false;
    /// Whether captures that lose material are pruned.
    const PRUNES_BAD_CAPTURES: bool = true;
    /// Squares that the king wants to reach.
    const KING_GOAL: Bitboard = Bitboard::EMPTY;
    /// Whether the evaluation is good enough for reverse futility pruning before the transposition table is
    /// probed and, in quiescence, for delta pruning and for stand pat without the table. That of the variants is
    /// weaker: they lost games with such cutoffs.
    const TRUSTS_EVALUATION: bool = false;
    /// What searches the root best. In chess PVS gains most from time, variants lost games with it.
    const DRIVER: Driver = Driver::Mtdf;

    /// Reverse futility pruning is tried up to this depth.
    #[inline(always)]
    fn reverse_futility_depth() -> i32 {
        tune::reverse_futility_depth_of_variants()
    }

    /// By how many percent the evaluation would be scaled down without any pieces; see
    /// [`tune::material_scaling`].
    #[inline(always)]
    fn material_scaling() -> i32 {
        0
    }

    /// The evaluation of an ending with what is known of its kind.
    #[inline(always)]
    fn adjust_ending(_position: &Position<Self>, value: Score) -> Score {
        value
    }

    /// Whether the side to move wins with its next move by a rule of this variant, as far as that
    /// is cheap to see.
    #[inline(always)]
    fn has_winning_move(_position: &Position<Self>) -> bool {
        false
    }

    /// Whether a legal capture may end the game by a rule of this variant, whatever it gains.
    #[inline(always)]
    fn may_end_game(_position: &Position<Self>, _capture: MoveInfo) -> bool {
        false
    }

    /// Whether zugzwang is unlikely, so that null moves and the pruning of moves are safe: the side to
    /// move has a piece beside king and pawns.
    #[inline(always)]
    fn zugzwang_is_unlikely(position: &Position<Self>) -> bool {
        has_pieces(position)
    }
}

/// Whether the side to move has non-pawn material.
#[inline(always)]
fn has_pieces<R: EvalRules>(position: &Position<R>) -> bool {
    let board = position.board();
    let pawns_and_kings = board.role(Role::Pawn) | board.role(Role::King);
    (board.color(position.turn()) - pawns_and_kings).any()
}

impl SearchRules for Standard {
    const QUIET_CHECKS: bool = true;
    const TRUSTS_EVALUATION: bool = true;
    const DRIVER: Driver = Driver::Pvs;

    /// Less deep than in variants: standard chess loses more by overlooked sacrifices, while Horde
    /// and Racing Kings lost games with this depth.
    #[inline(always)]
    fn reverse_futility_depth() -> i32 {
        tune::reverse_futility_depth()
    }

    #[inline(always)]
    fn material_scaling() -> i32 {
        tune::material_scaling()
    }

    #[inline(always)]
    fn adjust_ending(position: &Position<Self>, value: Score) -> Score {
        if position.board().occupied().count() > endings::MAX_PIECES {
            return value;
        }
        Score(endings::adjust(position.board(), position.turn(), value.0))
    }
}

impl SearchRules for Atomic {
    const QUIET_CHECKS: bool = true;

    /// The enemy king explodes.
    #[inline(always)]
    fn may_end_game(position: &Position<Self>, capture: MoveInfo) -> bool {
        let board = position.board();
        let king = board.pieces(!position.turn(), Role::King);
        (blast(board, capture.m.to()) & king).any()
    }
}

impl SearchRules for Crazyhouse {
    const QUIET_CHECKS: bool = true;
}

impl SearchRules for RacingKings {
    const QUIET_CHECKS: bool = true;
    /// In a race a guard is worth more than its price.
    const PRUNES_BAD_CAPTURES: bool = false;
    const KING_GOAL: Bitboard = RACE_GOAL;

    /// The king reaches its goal.
    #[inline(always)]
    fn may_end_game(_position: &Position<Self>, capture: MoveInfo) -> bool {
        capture.role == Role::King && RACE_GOAL.has(capture.m.to())
    }
}

impl SearchRules for Horde {
    /// It takes the last of the horde.
    #[inline(always)]
    fn may_end_game(position: &Position<Self>, _capture: MoveInfo) -> bool {
        !position.board().color(!position.turn()).more_than_one()
    }

    /// A large horde always has a pawn move to spare.
    #[inline(always)]
    fn zugzwang_is_unlikely(position: &Position<Self>) -> bool {
        has_pieces(position) || position.board().color(position.turn()).count() > 10
    }
}

impl SearchRules for KingOfTheHill {
    const KING_GOAL: Bitboard = HILL;

    #[inline(always)]
    fn has_winning_move(position: &Position<Self>) -> bool {
        let king = position.board().king(position.turn());
        king.is_some_and(|king| (attacks::king(king) & HILL).any() && can_climb(position, king))
    }
}

/// Whether the king can step on the hill.
#[cold]
fn can_climb(position: &Position<KingOfTheHill>, king: Square) -> bool {
    let mut has_move = HasMove(false);
    position.generate_within::<All, _>(king.bitboard(), HILL, &mut has_move);
    has_move.0
}

impl<const KIND: usize> SearchRules for Losing<KIND>
where
    Losing<KIND>: EvalRules,
{
    /// A null move would evade forced captures.
    #[inline(always)]
    fn zugzwang_is_unlikely(_: &Position<Self>) -> bool {
        false
    }
}

impl SearchRules for ThreeCheck {
    const QUIET_CHECKS: bool = true;

    #[inline(always)]
    fn has_winning_move(position: &Position<Self>) -> bool {
        position.extra().0[position.turn()] == 1 && can_check(position)
    }
}

/// Whether a legal move gives check.
#[cold]
fn can_check(position: &Position<ThreeCheck>) -> bool {
    let mut checking = Checking {
        position,
        checks: position.check_squares(),
        found: false,
    };
    position.generate::<All, _>(&mut checking);
    checking.found
}

/// Looks for a move that gives check.
struct Checking<'a> {
    position: &'a Position<ThreeCheck>,
    checks: CheckSquares,
    found: bool,
}

impl MoveSink for Checking<'_> {
    #[inline(always)]
    fn piece(&mut self, role: Role, from: Square, to: Bitboard) {
        self.found |= self.checks.among(role, from, to).any();
    }

    #[inline(always)]
    fn pawns(&mut self, to: Bitboard, step: i8) {
        let gives = |to: Square| {
            let targets = self
                .checks
                .among(Role::Pawn, origin(to, step), to.bitboard());
            targets.any()
        };
        self.found |= to.into_iter().any(gives);
    }

    fn promotions(&mut self, to: Bitboard, step: i8) {
        for to in to {
            self.single(Move::promotion(origin(to, step), to, Role::Queen));
            self.single(Move::promotion(origin(to, step), to, Role::Knight));
        }
    }

    fn single(&mut self, m: Move) {
        self.found |= self.position.gives_check(m, &self.checks);
    }

    fn is_done(&self) -> bool {
        self.found
    }
}
