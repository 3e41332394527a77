//! Moves in the order in which they are worth searching, made only as far as they are needed.

mod make;
mod stack;

pub(super) use stack::MoveStack;

use super::history::{History, PieceTo};
use super::known::KnownMove;
use super::see;
use crate::rules::Rules;
use crate::{Bitboard, CheckSquares, Move, Position};
use make::{LAST_KILLER, make_noisy, make_quiet};
use stack::{NOTHING, Set, Taken};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Table,
    GoodNoisy,
    Quiet,
    BadNoisy,
}

/// What the order of a node's moves depends on.
pub(super) struct Context {
    pub(super) killers: [Option<Move>; 2],
    /// The moves one and two plies before.
    pub(super) before: [PieceTo; 2],
    pub(super) checks: CheckSquares,
}

/// Hands out the moves of one node: the table's move, winning captures, quiet moves by history,
/// losing captures.
pub(super) struct Picker {
    stage: Stage,
    table_move: Option<KnownMove>,
    skip_quiets: bool,
    only_checks: bool,
    /// Where this node's part of the stack begins.
    start: usize,
    /// Once they are made.
    noisy: Option<Set>,
    quiet: Set,
    /// The score of the last losing capture: each goes behind the one before.
    bad: i32,
}

/// A move that is handed out.
#[derive(Clone, Copy)]
pub(super) struct Pick {
    pub(super) known: KnownMove,
    /// What history said of it when it was made, if it was asked.
    pub(super) merit: Option<i32>,
}

impl Pick {
    #[inline(always)]
    pub(super) fn plain(known: KnownMove) -> Pick {
        Pick { known, merit: None }
    }

    #[inline(always)]
    fn quiet(taken: Taken) -> Pick {
        Pick {
            known: taken.known,
            merit: (taken.score < LAST_KILLER).then_some(taken.score),
        }
    }
}

/// Losing captures have at most this score, all others more.
const BAD: i32 = -20_000;

impl Picker {
    /// All moves.
    pub(super) fn new(stack: &MoveStack) -> Picker {
        Picker {
            stage: Stage::Table,
            table_move: None,
            skip_quiets: false,
            only_checks: false,
            start: stack.len(),
            noisy: None,
            quiet: Set::EMPTY,
            bad: BAD,
        }
    }

    /// Captures and promotions only, the losing ones last.
    pub(super) fn noisy(stack: &MoveStack) -> Picker {
        Picker {
            skip_quiets: true,
            ..Picker::new(stack)
        }
    }

    /// Captures, promotions, and quiet moves that give check.
    pub(super) fn with_checks(stack: &MoveStack) -> Picker {
        Picker {
            only_checks: true,
            ..Picker::new(stack)
        }
    }

    /// Makes the captures and promotions to these squares now, and not when they are wanted:
    /// something to do while memory answers.
    #[inline(always)]
    pub(super) fn prepare<R: Rules>(
        &mut self,
        stack: &mut MoveStack,
        position: &Position<R>,
        history: &History,
        to: Bitboard,
    ) {
        self.noisy = Some(make_noisy(stack, position, history, to));
    }

    /// Begins with the table's move, if there is one; it is legal.
    pub(super) fn begin_with(&mut self, table_move: Option<KnownMove>) {
        self.table_move = table_move;
    }

    /// From now on no more quiet moves.
    pub(super) fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// Quiet moves, where not made yet, shall only be those that give check.
    pub(super) fn only_checks(&mut self) {
        self.only_checks = true;
    }

    /// Whether what comes now are captures that lose material.
    pub(super) fn is_bad_noisy(&self) -> bool {
        self.stage == Stage::BadNoisy
    }

    /// Gives the place on the stack back; the moves of deeper nodes are gone already.
    pub(super) fn finish(self, stack: &mut MoveStack) {
        stack.truncate(self.start);
    }

    /// The next move.
    #[inline(always)]
    pub(super) fn next<R: Rules>(
        &mut self,
        stack: &mut MoveStack,
        position: &Position<R>,
        history: &History,
        context: &Context,
    ) -> Option<Pick> {
        // Most are one more quiet move.
        if self.stage == Stage::Quiet
            && !self.skip_quiets
            && let Some(taken) = stack.take_best(self.quiet, NOTHING)
            && self.table_move != Some(taken.known)
        {
            return Some(Pick::quiet(taken));
        }
        self.next_of_stage(stack, position, history, context)
    }

    // The stages follow each other in one line: a jump for each would often be mispredicted.
    #[inline(never)]
    fn next_of_stage<R: Rules>(
        &mut self,
        stack: &mut MoveStack,
        position: &Position<R>,
        history: &History,
        context: &Context,
    ) -> Option<Pick> {
        if self.stage == Stage::Table {
            self.stage = Stage::GoodNoisy;
            if let Some(known) = self.table_move {
                return Some(Pick::plain(known));
            }
        }
        let noisy = *self
            .noisy
            .get_or_insert_with(|| make_noisy(stack, position, history, Bitboard::FULL));
        if self.stage == Stage::GoodNoisy {
            while let Some(taken) = stack.take_best(noisy, BAD) {
                if self.table_move == Some(taken.known) {
                    continue;
                }
                if see::at_least(position, taken.known, 0) {
                    return Some(Pick::plain(taken.known));
                }
                // Keep the order: the best of the bad comes first later.
                stack.put_back(noisy, taken, self.bad);
                self.bad -= 1;
            }
            self.stage = Stage::Quiet;
            if !self.skip_quiets {
                self.quiet = make_quiet(stack, position, history, context, self.only_checks);
            }
        }
        if self.stage == Stage::Quiet {
            while !self.skip_quiets
                && let Some(taken) = stack.take_best(self.quiet, NOTHING)
            {
                if self.table_move != Some(taken.known) {
                    return Some(Pick::quiet(taken));
                }
            }
            self.stage = Stage::BadNoisy;
        }
        stack
            .take_best(noisy, NOTHING)
            .map(|taken| Pick::plain(taken.known))
    }
}
