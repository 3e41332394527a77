//! The position of a node, with what is updated incrementally beside it.

use super::move_info::MoveInfo;
use super::score::Score;
#[cfg(test)]
use crate::Move;
use crate::eval::{DirtyPieces, EvalRules, Tracker};
use crate::{Position, Role, Variant};

/// A position with the incrementally updated inputs of its evaluation.
#[derive(Clone, Copy)]
pub(super) struct SearchPosition<R: EvalRules> {
    pub(super) position: Position<R>,
    pub(super) eval: Tracker<R>,
    /// Whether the side to move is in check.
    pub(super) in_check: bool,
}

impl<R: EvalRules> SearchPosition<R> {
    pub(super) fn new(position: Position<R>) -> SearchPosition<R> {
        SearchPosition {
            eval: Tracker::of(&position),
            in_check: position.in_check(),
            position,
        }
    }

    /// The state after a legal move.
    #[cfg(test)]
    pub(super) fn play(&self, m: Move) -> SearchPosition<R> {
        let checks = self.position.check_squares();
        let gives_check = self.position.gives_check(m, &checks);
        let mut child = self.copy();
        let info = MoveInfo::new(&self.position, m);
        child.advance(info, gives_check, &mut DirtyPieces::NONE.clone());
        child
    }

    /// A copy, field by field: each takes a few vector moves, where one copy of the whole would
    /// call memcpy.
    #[inline(always)]
    pub(super) fn copy(&self) -> SearchPosition<R> {
        SearchPosition {
            position: self.position,
            eval: self.eval,
            in_check: self.in_check,
        }
    }

    /// Makes a legal move, given whether it gives check, and notes the pieces that it changes.
    // Not inlined: the search barely fits the instruction cache.
    #[inline(never)]
    pub(super) fn advance(&mut self, info: MoveInfo, gives_check: bool, dirty: &mut DirtyPieces) {
        let MoveInfo { m, role, captured } = info;
        let (position, eval) = (&mut self.position, &mut self.eval);
        let mut observer = eval.observer(dirty);
        position.play_with_roles(position.turn(), m, role, captured, &mut observer);
        // Horde may have two black kings, of which one is royal at a time: when it is taken the other.
        let is_king_taken = R::VARIANT == Variant::Horde && captured == Some(Role::King);
        self.in_check = if is_king_taken {
            self.position.in_check()
        } else {
            gives_check
        };
        let kings = self
            .position
            .board()
            .pieces(self.position.turn(), Role::King);
        debug_assert!(self.position.in_check() == self.in_check || kings.more_than_one());
    }

    /// The state after a null move, which is illegal in check: no piece moves and none gives check, so that
    /// `eval` and `in_check` stay as they are.
    #[inline(always)]
    pub(super) fn pass(&self) -> SearchPosition<R> {
        let mut child = self.copy();
        child.position.play_null();
        child
    }

    /// The score of a position without legal moves: mate, stalemate, or an end of the variant.
    #[cold]
    pub(super) fn score_without_moves(&self, ply: usize) -> Score {
        match R::variant_end(&self.position).map(|end| end.winner) {
            Some(Some(winner)) if winner == self.position.turn() => -Score::mated_in(ply),
            Some(Some(_)) => Score::mated_in(ply),
            None if self.in_check => Score::mated_in(ply),
            _ => Score::DRAW,
        }
    }
}
