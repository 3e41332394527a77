//! Moves in the order in which they are worth searching, made only as far as they are needed.

use super::history::{History, PieceTo};
use super::see;
use crate::movegen::{MoveSink, Noisy, Quiet, origin};
use crate::rules::Rules;
use crate::{Bitboard, CheckSquares, Move, Position, Role, Square};

/// A move under its sort key: the key in the high half, the move in the low one, so that an
/// integer comparison sorts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Scored(i32);

impl Scored {
    #[inline(always)]
    fn new(m: Move, score: i32) -> Scored {
        let score = score.clamp(i32::from(i16::MIN), i32::from(i16::MAX));
        Scored(score << 16 | i32::from(m.to_bits()))
    }

    #[inline(always)]
    fn get(self) -> Option<Move> {
        Move::from_bits(self.0 as u16)
    }
}

/// The moves of all nodes on the current path, in one stack.
#[derive(Default)]
pub(super) struct MoveStack(Vec<Scored>);

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
    /// The losing captures lie from `start` to `bad`, the moves still to come from `next` on.
    start: usize,
    bad: usize,
    next: usize,
}

impl Picker {
    /// All moves; a legal table move comes first.
    pub(super) fn new(stack: &MoveStack, table_move: Option<Move>) -> Picker {
        let start = stack.0.len();
        Picker {
            stage: Stage::Table,
            table_move,
            threshold: 0,
            skip_quiets: false,
            only_checks: false,
            start,
            bad: start,
            next: start,
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
        stack.0.truncate(self.start);
    }

    /// The next move.
    #[inline]
    pub(super) fn next<R: Rules>(
        &mut self,
        stack: &mut MoveStack,
        position: &Position<R>,
        history: &History,
        context: &Context,
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
                    make_noisy(stack, position, history);
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => {
                    while let Some(m) = self.best(stack) {
                        if self.table_move == Some(m) {
                            continue;
                        }
                        if see::at_least(position, m, self.threshold) {
                            return Some(m);
                        }
                        // Keep the order: the best of the bad comes first later.
                        stack.0[self.bad] = stack.0[self.next - 1];
                        self.bad += 1;
                    }
                    self.stage = Stage::MakeQuiet;
                }
                Stage::MakeQuiet => {
                    if self.skip_quiets {
                        self.stage = Stage::BadNoisy;
                        self.next = self.start;
                        continue;
                    }
                    stack.0.truncate(self.bad);
                    self.next = self.bad;
                    make_quiet(stack, position, history, context, self.only_checks);
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet => {
                    if !self.skip_quiets {
                        while let Some(m) = self.best(stack) {
                            if self.table_move != Some(m) {
                                return Some(m);
                            }
                        }
                    }
                    self.stage = Stage::BadNoisy;
                    self.next = self.start;
                }
                Stage::BadNoisy => {
                    if self.next < self.bad {
                        self.next += 1;
                        return stack.0[self.next - 1].get();
                    }
                    self.stage = Stage::Done;
                }
                Stage::Done => return None,
            }
        }
    }

    /// Takes the best of the moves to come: one step of a selection sort.
    #[inline(always)]
    fn best(&mut self, stack: &mut MoveStack) -> Option<Move> {
        // Keys differ, so the greatest can be found in two passes, of which the first is done by
        // vector instructions.
        let rest = stack.0.get_mut(self.next..)?;
        let greatest = Scored(
            rest.iter()
                .fold(i32::MIN, |most, scored| most.max(scored.0)),
        );
        let at = rest.iter().position(|&scored| scored == greatest)?;
        rest.swap(0, at);
        self.next += 1;
        greatest.get()
    }
}

// The generator stays out of `next`, which would otherwise prepare for it at every call.
#[inline(never)]
fn make_noisy<R: Rules>(stack: &mut MoveStack, position: &Position<R>, history: &History) {
    position.generate::<Noisy, _>(&mut NoisySink {
        stack,
        position,
        history,
    });
}

#[inline(never)]
fn make_quiet<R: Rules>(
    stack: &mut MoveStack,
    position: &Position<R>,
    history: &History,
    context: &Context,
    only_checks: bool,
) {
    let mut sink = QuietSink {
        stack,
        position,
        history,
        context,
    };
    if only_checks {
        position.generate::<Quiet, _>(&mut CheckSink(sink));
    } else {
        position.generate::<Quiet, _>(&mut sink);
    }
}

struct NoisySink<'a, R: Rules> {
    stack: &'a mut MoveStack,
    position: &'a Position<R>,
    history: &'a History,
}

impl<R: Rules> NoisySink<'_, R> {
    /// Most valuable victim first, then what history says of the capture.
    #[inline(always)]
    fn capture(&mut self, role: Role, m: Move) {
        let captured = self.position.board().role_on(m.to());
        let piece = PieceTo::new(self.position.turn(), role, m.to());
        let value = if R::EXPLODES {
            see::gain(self.position, m)
        } else {
            see::value(captured)
        };
        let score = 16 * value + self.history.capture(piece, captured) / 4;
        self.stack.0.push(Scored::new(m, score));
    }
}

impl<R: Rules> MoveSink for NoisySink<'_, R> {
    #[inline(always)]
    fn piece(&mut self, role: Role, from: Square, to: Bitboard) {
        for to in to {
            self.capture(role, Move::normal(from, to));
        }
    }

    #[inline(always)]
    fn pawns(&mut self, to: Bitboard, step: i8) {
        for to in to {
            self.capture(Role::Pawn, Move::normal(origin(to, step), to));
        }
    }

    fn promotions(&mut self, to: Bitboard, step: i8) {
        for to in to {
            let captured = self.position.board().role_at(to).map_or(0, see::value);
            for (role, score) in [
                (Role::Queen, 16_000),
                (Role::Knight, -8_000),
                (Role::Rook, -16_000),
                (Role::Bishop, -16_000),
            ] {
                let m = Move::promotion(origin(to, step), to, role);
                self.stack.0.push(Scored::new(m, score + captured));
            }
        }
    }

    fn single(&mut self, m: Move) {
        // En passant takes a pawn; a king that was a pawn goes with the other promotions.
        let value = match m.promoted() {
            Some(_) => self.position.captured(m).map_or(0, see::value),
            None => see::value(Role::Pawn),
        };
        self.stack.0.push(Scored::new(m, 16 * value));
    }
}

struct QuietSink<'a, R: Rules> {
    stack: &'a mut MoveStack,
    position: &'a Position<R>,
    history: &'a History,
    context: &'a Context,
}

impl<R: Rules> QuietSink<'_, R> {
    #[inline(always)]
    fn quiet(&mut self, role: Role, m: Move) {
        let color = self.position.turn();
        let piece = PieceTo::new(color, role, m.to());
        let score = if self.context.killers[0] == Some(m) {
            i32::from(i16::MAX)
        } else if self.context.killers[1] == Some(m) {
            i32::from(i16::MAX) - 1
        } else {
            self.history.quiet(color, m, piece, self.context.before) / 2
        };
        self.stack.0.push(Scored::new(m, score));
    }
}

impl<R: Rules> MoveSink for QuietSink<'_, R> {
    #[inline(always)]
    fn piece(&mut self, role: Role, from: Square, to: Bitboard) {
        for to in to {
            self.quiet(role, Move::normal(from, to));
        }
    }

    #[inline(always)]
    fn pawns(&mut self, to: Bitboard, step: i8) {
        for to in to {
            self.quiet(Role::Pawn, Move::normal(origin(to, step), to));
        }
    }

    fn promotions(&mut self, _: Bitboard, _: i8) {}

    fn single(&mut self, m: Move) {
        self.quiet(Role::King, m);
    }

    fn drops(&mut self, role: Role, to: Bitboard) {
        for to in to {
            self.quiet(role, Move::drop(role, to));
        }
    }
}

/// Passes on what gives check.
struct CheckSink<'a, R: Rules>(QuietSink<'a, R>);

impl<R: Rules> MoveSink for CheckSink<'_, R> {
    #[inline(always)]
    fn piece(&mut self, role: Role, from: Square, to: Bitboard) {
        self.0
            .piece(role, from, self.0.context.checks.among(role, from, to));
    }

    #[inline(always)]
    fn pawns(&mut self, to: Bitboard, step: i8) {
        let checks = &self.0.context.checks;
        let checking = to
            .into_iter()
            .filter(|&to| {
                checks
                    .among(Role::Pawn, origin(to, step), to.bitboard())
                    .any()
            })
            .collect();
        self.0.pawns(checking, step);
    }

    fn promotions(&mut self, _: Bitboard, _: i8) {}

    fn single(&mut self, m: Move) {
        if self.0.position.gives_check(m, &self.0.context.checks) {
            self.0.single(m);
        }
    }

    fn drops(&mut self, role: Role, to: Bitboard) {
        self.0.drops(role, to & self.0.context.checks.direct(role));
    }
}
