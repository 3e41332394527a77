//! Moves in the order in which they are worth searching, made only as far as they are needed.

mod make;
mod stack;

pub(super) use stack::MoveStack;

use super::history::{History, PieceTo};
use super::see;
use super::tt::Table;
use crate::rules::Rules;
use crate::{CheckSquares, Move, Position};
use make::{make_noisy, make_quiet};
use stack::{Set, Taken};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Table,
    MakeNoisy,
    GoodNoisy,
    MakeQuiet,
    Quiet,
    BadNoisy,
    Done,
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
    table_move: Option<Move>,
    /// A capture is good when it wins this much, in centipawns.
    threshold: i32,
    skip_quiets: bool,
    only_checks: bool,
    /// Where this node's part of the stack begins.
    start: usize,
    noisy: Set,
    quiet: Set,
    /// The best of what is left of the present set.
    upcoming: Option<Taken>,
    /// The score of the last losing capture: each goes behind the one before.
    bad: i32,
}

/// Losing captures have at most this score, all others more.
const BAD: i32 = -20_000;
/// Every move has more.
const NOTHING: i32 = i16::MIN as i32;

impl Picker {
    /// All moves; a legal table move comes first.
    pub(super) fn new(stack: &MoveStack, table_move: Option<Move>) -> Picker {
        Picker {
            stage: Stage::Table,
            table_move,
            threshold: 0,
            skip_quiets: false,
            only_checks: false,
            start: stack.len(),
            noisy: Set::EMPTY,
            quiet: Set::EMPTY,
            upcoming: None,
            bad: BAD,
        }
    }

    /// Captures and promotions only, those losing more than `threshold` last.
    pub(super) fn noisy(stack: &MoveStack, table_move: Option<Move>, threshold: i32) -> Picker {
        Picker {
            threshold,
            skip_quiets: true,
            ..Picker::new(stack, table_move)
        }
    }

    /// Captures, promotions, and quiet moves that give check.
    pub(super) fn with_checks(stack: &MoveStack, table_move: Option<Move>) -> Picker {
        Picker {
            only_checks: true,
            ..Picker::new(stack, table_move)
        }
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
    #[inline]
    pub(super) fn next<R: Rules>(
        &mut self,
        stack: &mut MoveStack,
        position: &Position<R>,
        history: &History,
        context: &Context,
        table: &Table,
    ) -> Option<Move> {
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage = Stage::MakeNoisy;
                    if self.table_move.is_some() {
                        return self.table_move;
                    }
                }
                Stage::MakeNoisy => {
                    self.noisy = make_noisy(stack, position, history);
                    self.look_ahead(stack, self.noisy, BAD, position, table);
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => {
                    while let Some(taken) = self.upcoming {
                        self.look_ahead(stack, self.noisy, BAD, position, table);
                        if self.table_move == Some(taken.m) {
                            continue;
                        }
                        if see::at_least(position, taken.m, self.threshold) {
                            return Some(taken.m);
                        }
                        // Keep the order: the best of the bad comes first later.
                        stack.put_back(self.noisy, taken, self.bad);
                        self.bad = (self.bad - 1).max(NOTHING + 1);
                    }
                    self.stage = Stage::MakeQuiet;
                }
                Stage::MakeQuiet => {
                    if self.skip_quiets {
                        self.begin_bad(stack, position, table);
                    } else {
                        self.quiet =
                            make_quiet(stack, position, history, context, self.only_checks);
                        self.look_ahead(stack, self.quiet, NOTHING, position, table);
                        self.stage = Stage::Quiet;
                    }
                }
                Stage::Quiet => {
                    if !self.skip_quiets {
                        while let Some(taken) = self.upcoming {
                            self.look_ahead(stack, self.quiet, NOTHING, position, table);
                            if self.table_move != Some(taken.m) {
                                return Some(taken.m);
                            }
                        }
                    }
                    self.begin_bad(stack, position, table);
                }
                Stage::BadNoisy => {
                    if let Some(taken) = self.upcoming {
                        self.look_ahead(stack, self.noisy, NOTHING, position, table);
                        return Some(taken.m);
                    }
                    self.stage = Stage::Done;
                }
                Stage::Done => return None,
            }
        }
    }

    /// Goes on to the captures that lose material.
    fn begin_bad<R: Rules>(
        &mut self,
        stack: &mut MoveStack,
        position: &Position<R>,
        table: &Table,
    ) {
        self.look_ahead(stack, self.noisy, NOTHING, position, table);
        self.stage = Stage::BadNoisy;
    }

    /// Finds the move after the one that is handed out, and has the table's entry of its position
    /// fetched from memory meanwhile: that takes longer than to play a move.
    #[inline(always)]
    fn look_ahead<R: Rules>(
        &mut self,
        stack: &mut MoveStack,
        set: Set,
        least: i32,
        position: &Position<R>,
        table: &Table,
    ) {
        self.upcoming = stack.take_best(set, least);
        if let Some(Taken { m, .. }) = self.upcoming {
            table.prefetch_after(position, m);
        }
    }
}
