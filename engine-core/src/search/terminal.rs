//! Terminal nodes: ends of variants, draws, and the greatest ply.

use super::piece_to::PieceTo;
use super::rules::SearchRules;
use super::score::{MAX_PLY, Score};
use super::search_position::SearchPosition;
use super::worker::Worker;
use crate::rules::Rules;
use crate::{Color, Position, Role};

/// Whether neither side may be able to win: a quick answer for nearly all positions.
#[inline(always)]
fn has_few_pieces<R: Rules>(position: &Position<R>) -> bool {
    let board = position.board();
    let mating = board.role(Role::Pawn) | board.role(Role::Rook) | board.role(Role::Queen);
    mating.is_empty() || board.occupied().count() <= 4
}

impl Worker {
    /// The score of a node that ends its line before any move is searched.
    #[inline(always)]
    pub(super) fn terminal_score<R: SearchRules>(
        &mut self,
        state: &SearchPosition<R>,
        ply: usize,
    ) -> Option<Score> {
        let position = &state.position;
        if R::is_variant_end(position) {
            return Some(state.score_without_moves(ply));
        }
        if self.is_draw(position, state.in_check, ply) {
            return Some(Score::DRAW);
        }
        (ply >= MAX_PLY - 1).then(|| self.evaluate(state, ply))
    }

    /// Whether a node is drawn. A single repetition inside the tree is enough, since what was best
    /// once is best again; positions from before the root must occur twice.
    #[inline(always)]
    pub(super) fn is_draw<R: Rules>(
        &self,
        position: &Position<R>,
        in_check: bool,
        ply: usize,
    ) -> bool {
        let repeatable = position.repeatable_plies();
        (repeatable >= 4 && self.is_fifty_moves_or_repetition(position, in_check, ply, repeatable))
            || (has_few_pieces(position)
                && R::has_insufficient_material(position, Color::White)
                && R::has_insufficient_material(position, Color::Black))
    }

    /// Whether the search has made a null move at any of these plies.
    fn has_passed(&self, mut plies: core::ops::Range<usize>) -> bool {
        plies.any(|ply| self.stack[ply].played == PieceTo::NONE)
    }

    fn is_fifty_moves_or_repetition<R: Rules>(
        &self,
        position: &Position<R>,
        in_check: bool,
        ply: usize,
        repeatable: usize,
    ) -> bool {
        // A side without moves is mated, or stalemated, which is not in every variant a draw.
        let is_draw_anyway = R::STALEMATE_DRAWS && !in_check;
        if R::FIFTY_MOVES && repeatable >= 100 && (is_draw_anyway || position.has_legal_move()) {
            return true;
        }
        let key = position.key();
        let mut before_root = false;
        // The last key is one ply back; the first that can be equal is four back.
        let known = self.keys.len();
        for back in (4..=repeatable.min(known)).step_by(2) {
            if self.keys[known - back] == key {
                if back <= ply || before_root {
                    // A null move cannot be played, so that what it leads back to is no repetition.
                    return !self.has_passed(ply.saturating_sub(back)..ply);
                }
                before_root = true;
            }
        }
        false
    }
}
