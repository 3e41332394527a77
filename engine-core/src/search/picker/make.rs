//! Makes and scores the moves of a node.

use super::super::history::{History, Merits, PieceTo, QuietMerits};
use super::super::known::KnownMove;
use super::super::see;
use super::Context;
use super::stack::{MoveStack, Set};
use crate::movegen::{MoveSink, Noisy, Quiet, origin};
use crate::rules::Rules;
use crate::{Bitboard, Move, Position, Role, Square};

// The generator stays out of `next`, which would otherwise prepare for it at every call.
#[inline(never)]
pub(super) fn make_noisy<R: Rules>(
    stack: &mut MoveStack,
    position: &Position<R>,
    history: &History,
    to: Bitboard,
) -> Set {
    stack.begin();
    let mut sink = NoisySink {
        stack,
        position,
        history,
    };
    position.generate_as::<_, Noisy, _>(position.turn(), Bitboard::FULL, to, &mut sink);
    sink.stack.end()
}

#[inline(never)]
pub(super) fn make_quiet<R: Rules>(
    stack: &mut MoveStack,
    position: &Position<R>,
    history: &History,
    context: &Context,
    only_checks: bool,
) -> Set {
    stack.begin();
    let mut sink = QuietSink {
        stack,
        position,
        context,
        merits: history.quiet(position.turn(), context.before),
        only_checks,
    };
    // Castling goes to the rook.
    let to = if only_checks {
        context.checks.targets() | R::GOAL | position.castling()
    } else {
        Bitboard::FULL
    };
    position.generate_as::<_, Quiet, _>(position.turn(), Bitboard::FULL, to, &mut sink);
    sink.stack.end()
}

/// No capture has a lower score.
const LEAST: i32 = -16_000;

struct NoisySink<'a, R: Rules> {
    stack: &'a mut MoveStack,
    position: &'a Position<R>,
    history: &'a History,
}

impl<R: Rules> NoisySink<'_, R> {
    /// A capture with its score: most valuable victim first, then what history says of it.
    #[inline(always)]
    fn capture(position: &Position<R>, history: &History, role: Role, m: Move) -> (KnownMove, i32) {
        let captured = position.board().role_on(m.to());
        let piece = PieceTo::new(position.turn(), role, m.to());
        let known = KnownMove {
            m,
            role,
            captured: Some(captured),
        };
        let value = if R::EXPLODES {
            see::gain(position, known)
        } else {
            see::value(captured)
        };
        let score = 16 * value + history.capture(piece, captured) / 4;
        // A king can be captured where the rules let it be, and many pieces explode at once.
        (known, score.clamp(LEAST, i32::from(i16::MAX)))
    }
}

// The generator calls these from many places, and for either side: out of line they leave room in
// the processor's instruction cache. Most sets are empty.
impl<R: Rules> NoisySink<'_, R> {
    #[inline(never)]
    fn captures(&mut self, role: Role, from: Square, to: Bitboard) {
        let (position, history) = (self.position, self.history);
        self.stack.extend(to, |to| {
            NoisySink::capture(position, history, role, Move::normal(from, to))
        });
    }

    #[inline(never)]
    fn pawn_captures(&mut self, to: Bitboard, step: i8) {
        let (position, history) = (self.position, self.history);
        self.stack.extend(to, |to| {
            let m = Move::normal(origin(to, step), to);
            NoisySink::capture(position, history, Role::Pawn, m)
        });
    }

    #[cold]
    fn promote(&mut self, to: Bitboard, step: i8) {
        for to in to {
            let captured = self.position.board().role_at(to);
            let value = captured.map_or(0, see::value).min(1000);
            for (promoted, score) in [
                (Role::Queen, 16_000),
                (Role::Knight, -8_000),
                (Role::Rook, -16_000),
                (Role::Bishop, -16_000),
            ] {
                let known = KnownMove {
                    m: Move::promotion(origin(to, step), to, promoted),
                    role: Role::Pawn,
                    captured,
                };
                self.stack.push(known, score + value);
            }
        }
    }
}

impl<R: Rules> MoveSink for NoisySink<'_, R> {
    #[inline(always)]
    fn piece(&mut self, role: Role, from: Square, to: Bitboard) {
        if to.any() {
            self.captures(role, from, to);
        }
    }

    #[inline(always)]
    fn pawns(&mut self, to: Bitboard, step: i8) {
        if to.any() {
            self.pawn_captures(to, step);
        }
    }

    #[inline(always)]
    fn promotions(&mut self, to: Bitboard, step: i8) {
        if to.any() {
            self.promote(to, step);
        }
    }

    #[cold]
    fn single(&mut self, m: Move) {
        // En passant takes a pawn; a king that was a pawn goes with the other promotions.
        let known = KnownMove::of(self.position, m);
        let value = known.captured.map_or(0, see::value);
        self.stack.push(known, 16 * value.min(1000));
    }
}

struct QuietSink<'a, R: Rules> {
    stack: &'a mut MoveStack,
    position: &'a Position<R>,
    context: &'a Context,
    merits: Merits<'a>,
    /// Whether only moves are wanted that give check or bring the king where it wants to go.
    only_checks: bool,
}

impl<R: Rules> QuietSink<'_, R> {
    /// A quiet move of a role with its score: killers first, then as history says.
    #[inline(always)]
    fn quiet(killers: [Option<Move>; 2], merits: &QuietMerits, m: Move) -> (KnownMove, i32) {
        let score = if killers[0] == Some(m) {
            i32::from(i16::MAX)
        } else if killers[1] == Some(m) {
            i32::from(i16::MAX) - 1
        } else {
            merits.of(m) / 2
        };
        let known = KnownMove {
            m,
            role: merits.role,
            captured: None,
        };
        (known, score)
    }

    /// Adds the moves of a role to these squares.
    #[inline(always)]
    fn quiets(&mut self, role: Role, to: Bitboard, m: impl Fn(Square) -> Move) {
        let (killers, merits) = (self.context.killers, self.merits.of(role));
        self.stack
            .extend(to, |to| Self::quiet(killers, &merits, m(to)));
    }

    // A branch for checks is cheaper than a generator of their own beside the other one.
    #[inline(never)]
    fn steps(&mut self, role: Role, from: Square, mut to: Bitboard) {
        if self.only_checks {
            let checks = self.context.checks.among(role, from, to);
            let goals = if role == Role::King {
                to & R::GOAL
            } else {
                Bitboard::EMPTY
            };
            to = checks | goals;
        }
        self.quiets(role, to, |to| Move::normal(from, to));
    }

    #[inline(never)]
    fn pawn_steps(&mut self, mut to: Bitboard, step: i8) {
        if self.only_checks {
            let checks = &self.context.checks;
            let gives_check = |&to: &Square| {
                let from = origin(to, step);
                checks.among(Role::Pawn, from, to.bitboard()).any()
            };
            to = to.into_iter().filter(gives_check).collect();
        }
        self.quiets(Role::Pawn, to, |to| Move::normal(origin(to, step), to));
    }
}

impl<R: Rules> MoveSink for QuietSink<'_, R> {
    #[inline(always)]
    fn piece(&mut self, role: Role, from: Square, to: Bitboard) {
        if to.any() {
            self.steps(role, from, to);
        }
    }

    #[inline(always)]
    fn pawns(&mut self, to: Bitboard, step: i8) {
        if to.any() {
            self.pawn_steps(to, step);
        }
    }

    fn promotions(&mut self, _: Bitboard, _: i8) {}

    #[cold]
    fn single(&mut self, m: Move) {
        if self.only_checks && !self.position.gives_check(m, &self.context.checks) {
            return;
        }
        let (known, score) = Self::quiet(self.context.killers, &self.merits.of(Role::King), m);
        self.stack.push(known, score);
    }

    #[inline(never)]
    fn drops(&mut self, role: Role, mut to: Bitboard) {
        if self.only_checks {
            to &= self.context.checks.direct(role);
        }
        self.quiets(role, to, |to| Move::drop(role, to));
    }
}
