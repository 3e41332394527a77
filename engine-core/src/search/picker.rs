//! The staged move picker: moves are generated and scored only when their stage is reached.

mod generate;
mod move_stack;

pub(super) use move_stack::MoveStack;

use super::history::History;
use super::move_info::MoveInfo;
use super::order_context::OrderContext;
use super::rules::SearchRules;
use super::see;
use crate::{Bitboard, Position};
use generate::{LAST_KILLER, generate_noisy, generate_quiet};
use move_stack::{LOWEST, MoveSet, Taken};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Table,
    GoodNoisy,
    Quiet,
    BadNoisy,
}

/// Picks the moves of one node in stages: transposition table move, good captures, quiet moves by
/// history score, bad captures.
pub(super) struct Picker {
    stage: Stage,
    tt_move: Option<MoveInfo>,
    skip_quiets: bool,
    only_checks: bool,
    /// The length of the move stack below this node.
    start: usize,
    /// Captures and promotions, once generated.
    noisy: Option<MoveSet>,
    quiet: MoveSet,
    /// The score with which the next capture that fails SEE is put back: one less each time, so that
    /// bad captures keep their order.
    next_bad_score: i32,
}

/// A move that the picker has chosen.
#[derive(Clone, Copy)]
pub(super) struct ScoredMove {
    pub(super) info: MoveInfo,
    /// Its history score, if the move was scored by history.
    pub(super) history_score: Option<i32>,
}

impl ScoredMove {
    #[inline(always)]
    pub(super) fn unscored(info: MoveInfo) -> ScoredMove {
        ScoredMove {
            info,
            history_score: None,
        }
    }

    #[inline(always)]
    fn quiet(taken: Taken) -> ScoredMove {
        ScoredMove {
            info: taken.info,
            history_score: (taken.score < LAST_KILLER).then_some(taken.score),
        }
    }
}

/// Captures that fail SEE get scores from here downward, below all others.
const BAD_NOISY: i32 = -20_000;

impl Picker {
    /// Picks all moves.
    pub(super) fn new(stack: &MoveStack) -> Picker {
        Picker {
            stage: Stage::Table,
            tt_move: None,
            skip_quiets: false,
            only_checks: false,
            start: stack.len(),
            noisy: None,
            quiet: MoveSet::EMPTY,
            next_bad_score: BAD_NOISY,
        }
    }

    /// Picks captures and promotions only.
    pub(super) fn noisy(stack: &MoveStack) -> Picker {
        Picker {
            skip_quiets: true,
            ..Picker::new(stack)
        }
    }

    /// Picks captures, promotions and quiet checks.
    pub(super) fn with_checks(stack: &MoveStack) -> Picker {
        Picker {
            only_checks: true,
            ..Picker::new(stack)
        }
    }

    /// Generates the captures and promotions to these squares now instead of at their stage, while
    /// the transposition table's cache line is being loaded.
    #[inline(always)]
    pub(super) fn generate_noisy<R: SearchRules>(
        &mut self,
        stack: &mut MoveStack,
        position: &Position<R>,
        history: &History,
        to: Bitboard,
    ) {
        self.noisy = Some(generate_noisy(stack, position, history, to));
    }

    /// Sets the transposition table move, which must be legal and comes first.
    pub(super) fn set_tt_move(&mut self, tt_move: Option<MoveInfo>) {
        self.tt_move = tt_move;
    }

    /// Picks no more quiet moves from now on.
    pub(super) fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// Restricts quiet moves, if not generated yet, to those that give check.
    pub(super) fn only_checks(&mut self) {
        self.only_checks = true;
    }

    /// Whether the picker has reached the bad captures.
    pub(super) fn is_bad_noisy(&self) -> bool {
        self.stage == Stage::BadNoisy
    }

    /// Frees this node's part of the move stack; deeper nodes have freed theirs.
    pub(super) fn finish(self, stack: &mut MoveStack) {
        stack.truncate(self.start);
    }

    /// The next move.
    #[inline(always)]
    pub(super) fn next<R: SearchRules>(
        &mut self,
        stack: &mut MoveStack,
        position: &Position<R>,
        history: &History,
        context: &OrderContext,
    ) -> Option<ScoredMove> {
        // The most frequent case: one more quiet move.
        if self.stage == Stage::Quiet
            && !self.skip_quiets
            && let Some(taken) = stack.take_best(self.quiet, LOWEST)
            && self.tt_move != Some(taken.info)
        {
            return Some(ScoredMove::quiet(taken));
        }
        self.next_of_stage(stack, position, history, context)
    }

    // Stages are tested one after the other: an indirect jump would often be mispredicted.
    #[inline(never)]
    fn next_of_stage<R: SearchRules>(
        &mut self,
        stack: &mut MoveStack,
        position: &Position<R>,
        history: &History,
        context: &OrderContext,
    ) -> Option<ScoredMove> {
        if self.stage == Stage::Table {
            self.stage = Stage::GoodNoisy;
            if let Some(info) = self.tt_move {
                return Some(ScoredMove::unscored(info));
            }
        }
        let noisy = *self
            .noisy
            .get_or_insert_with(|| generate_noisy(stack, position, history, Bitboard::FULL));
        if self.stage == Stage::GoodNoisy {
            while let Some(taken) = stack.take_best(noisy, BAD_NOISY) {
                if self.tt_move == Some(taken.info) {
                    continue;
                }
                if see::at_least(position, taken.info, 0) {
                    return Some(ScoredMove::unscored(taken.info));
                }
                stack.put_back(noisy, taken, self.next_bad_score);
                self.next_bad_score -= 1;
            }
            self.stage = Stage::Quiet;
            if !self.skip_quiets {
                self.quiet = generate_quiet(stack, position, history, context, self.only_checks);
            }
        }
        if self.stage == Stage::Quiet {
            while !self.skip_quiets
                && let Some(taken) = stack.take_best(self.quiet, LOWEST)
            {
                if self.tt_move != Some(taken.info) {
                    return Some(ScoredMove::quiet(taken));
                }
            }
            self.stage = Stage::BadNoisy;
        }
        stack
            .take_best(noisy, LOWEST)
            .map(|taken| ScoredMove::unscored(taken.info))
    }
}
