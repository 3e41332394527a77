//! Generates and scores the moves of a node.

use super::super::history::{History, QuietHistory};
use super::super::move_info::MoveInfo;
use super::super::order_context::OrderContext;
use super::super::rules::SearchRules;
use super::super::see;
use super::super::tunables as tune;
use super::move_stack::{MoveSet, MoveStack};
use crate::movegen::{MoveSink, Noisy, Quiet, origin};
use crate::{Bitboard, Move, Position, Role, Square};

// Not inlined into `next`, whose prologue would otherwise save registers for it at every call.
#[inline(never)]
pub(super) fn generate_noisy<R: SearchRules>(
    stack: &mut MoveStack,
    position: &Position<R>,
    history: &History,
    to: Bitboard,
) -> MoveSet {
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
pub(super) fn generate_quiet<R: SearchRules>(
    stack: &mut MoveStack,
    position: &Position<R>,
    history: &History,
    context: &OrderContext,
    only_checks: bool,
) -> MoveSet {
    stack.begin();
    let mut sink = QuietSink {
        stack,
        position,
        context,
        history: history.quiet(position.turn(), context),
        only_checks,
    };
    // The target square of castling is the rook's.
    let to = if only_checks {
        context.checks.targets() | R::KING_GOAL | position.castling()
    } else {
        Bitboard::FULL
    };
    position.generate_as::<_, Quiet, _>(position.turn(), Bitboard::FULL, to, &mut sink);
    sink.stack.end()
}

/// The least gain of an exploding capture for ordering: it stays above the bad captures.
const LEAST_GAIN: i32 = -700;
/// In promotions and en passant a captured king, in variants where it is a piece like others, counts
/// hardly more than a queen.
const MAX_VALUE: i32 = 1000;
/// Scores of promotions: to a queen at about the capture of a queen, to others after all good captures.
const QUEEN_PROMOTION: i32 = 16_000;
const KNIGHT_PROMOTION: i32 = -8_000;
const OTHER_PROMOTION: i32 = -16_000;

struct NoisySink<'a, R: SearchRules> {
    stack: &'a mut MoveStack,
    position: &'a Position<R>,
    history: &'a History,
}

impl<R: SearchRules> NoisySink<'_, R> {
    /// Adds the captures of a role on these squares: most valuable victim first, then by capture
    /// history.
    #[inline(always)]
    fn add(&mut self, role: Role, to: Bitboard, m: impl Fn(Square) -> Move) {
        let position = self.position;
        let planes = position.board().planes();
        let history = self.history.captures(position.turn(), role);
        self.stack.extend(to, |to| {
            let captured = planes.role_on(to);
            let info = MoveInfo {
                m: m(to),
                role,
                captured: Some(captured),
            };
            let value = if R::EXPLODES {
                see::gain(position, info).max(LEAST_GAIN)
            } else {
                see::value(captured)
            };
            let history = history.of(to, captured) >> tune::capture_history_shift();
            (info, tune::capture_value_factor() * value + history)
        });
    }
}

// The generator calls these from many places and for both sides: not inlined, they save
// instruction cache. Most target sets are empty.
impl<R: SearchRules> NoisySink<'_, R> {
    #[inline(never)]
    fn captures(&mut self, role: Role, from: Square, to: Bitboard) {
        self.add(role, to, |to| Move::normal(from, to));
    }

    #[inline(never)]
    fn pawn_captures(&mut self, to: Bitboard, step: i8) {
        self.add(Role::Pawn, to, |to| Move::normal(origin(to, step), to));
    }

    #[cold]
    fn promote(&mut self, to: Bitboard, step: i8) {
        for to in to {
            let captured = self.position.board().role_at(to);
            let value = captured.map_or(0, see::value).min(MAX_VALUE);
            for (promoted, score) in [
                (Role::Queen, QUEEN_PROMOTION),
                (Role::Knight, KNIGHT_PROMOTION),
                (Role::Rook, OTHER_PROMOTION),
                (Role::Bishop, OTHER_PROMOTION),
            ] {
                let info = MoveInfo {
                    m: Move::promotion(origin(to, step), to, promoted),
                    role: Role::Pawn,
                    captured,
                };
                self.stack.push(info, score + value);
            }
        }
    }
}

impl<R: SearchRules> MoveSink for NoisySink<'_, R> {
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
        // En passant captures a pawn; promotions to a king (losing variants) are ordered like others.
        let info = MoveInfo::new(self.position, m);
        let value = info.captured.map_or(0, see::value);
        let value = value.min(MAX_VALUE);
        self.stack.push(info, tune::capture_value_factor() * value);
    }
}

/// The score of the second killer, above every history score.
pub(super) const LAST_KILLER: i32 = 100_000;

struct QuietSink<'a, R: SearchRules> {
    stack: &'a mut MoveStack,
    position: &'a Position<R>,
    context: &'a OrderContext,
    history: QuietHistory<'a>,
    /// Only moves that give check or bring the king to its goal.
    only_checks: bool,
}

impl<R: SearchRules> QuietSink<'_, R> {
    /// Adds the moves of a role to these squares: killers first, then by history score.
    #[inline(always)]
    fn quiets(&mut self, role: Role, to: Bitboard, m: impl Fn(Square) -> Move) {
        let (killers, history) = (self.context.killers, self.history.of(role));
        self.stack.extend(to, |to| {
            let m = m(to);
            let score = if killers[0] == Some(m) {
                LAST_KILLER + 1
            } else if killers[1] == Some(m) {
                LAST_KILLER
            } else {
                history.of(m)
            };
            let info = MoveInfo {
                m,
                role,
                captured: None,
            };
            (info, score)
        });
    }

    // A branch for checks is cheaper than a second instance of the generator.
    #[inline(never)]
    fn steps(&mut self, role: Role, from: Square, mut to: Bitboard) {
        if self.only_checks {
            let checks = self.context.checks.among(role, from, to);
            let goals = if role == Role::King {
                to & R::KING_GOAL
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

impl<R: SearchRules> MoveSink for QuietSink<'_, R> {
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
        self.quiets(Role::King, m.to().bitboard(), |_| m);
    }

    #[inline(never)]
    fn drops(&mut self, role: Role, mut to: Bitboard) {
        if self.only_checks {
            to &= self.context.checks.direct(role);
        }
        self.quiets(role, to, |to| Move::drop(role, to));
    }
}
