//! Racing Kings: no checks; the first king on the eighth rank wins.

use super::{Rules, Variant, end_if};
use crate::movegen::{Generator, MoveClass, MoveSink, origin};
use crate::position::{Fault, Faults};
use crate::types::{Bitboard, Color, Move, MoveError, Rank, Role, Side, Square};
use crate::{CheckSquares, Outcome, Position, Setup, attacks};

/// The rules of Racing Kings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RacingKings;

/// The rank where the race ends.
pub(crate) const GOAL: Bitboard = Rank::Eighth.bitboard();

impl Rules for RacingKings {
    type Extra = ();

    const VARIANT: Variant = Variant::RacingKings;

    #[inline(always)]
    fn generate<S: Side, W: MoveClass, K: MoveSink>(
        generator: &Generator<'_, Self, S>,
        sink: &mut K,
    ) {
        let position = generator.position;
        let checks = position.check_squares();
        let given = checks.is_given(position);
        generator.run::<W, _>(&mut WithoutChecks {
            sink,
            position,
            checks,
            given,
        });
    }

    #[inline(always)]
    fn is_variant_end(position: &Position<Self>) -> bool {
        (position.board().role(Role::King) & GOAL).any() && !black_can_draw(position)
    }

    #[inline(always)]
    fn variant_end(position: &Position<Self>) -> Option<Outcome> {
        if !Self::is_variant_end(position) {
            return None;
        }
        let board = position.board();
        end_if(position.turn(), |color| {
            (board.pieces(color, Role::King) & GOAL).any()
        })
    }

    fn why_illegal(position: &Position<Self>, m: Move) -> MoveError {
        if position.after(m).in_check() {
            MoveError::GivesCheck
        } else {
            MoveError::KingInCheck
        }
    }

    /// The king alone can win the race.
    fn has_insufficient_material(_: &Position<Self>, _: Color) -> bool {
        false
    }

    fn faults(setup: &Setup, standard: Faults) -> Faults {
        let mut faults = standard;
        let board = &setup.board;
        let in_check = setup.checkers::<Self>(setup.turn).any();
        faults.add_if(in_check, Fault::RaceCheck);
        faults.add_if(in_check, Fault::TooManyCheckers);
        faults.add_if(in_check, Fault::ImpossibleCheck);
        let kings_in_goal = board.role(Role::King) & GOAL;
        let both = Color::ALL
            .into_iter()
            .all(|color| (board.color(color) & kings_in_goal).any());
        faults.add_if(!setup.turn.is_white() && both, Fault::RaceOver);
        let most = [0, 2, 2, 2, 1, u32::MAX];
        let too_many = Color::ALL.into_iter().any(|color| {
            let count = |role| board.pieces(color, role).count();
            Role::ALL
                .into_iter()
                .any(|role| count(role) > most[role.index()])
        });
        faults.add_if(too_many, Fault::RaceMaterial);
        faults
    }
}

/// Whether White has reached the goal first and Black, who moved second, can reach it too.
#[cold]
fn black_can_draw(position: &Position<RacingKings>) -> bool {
    let board = position.board();
    if position.turn().is_white() {
        return false;
    }
    let Some(king) = board.pieces(Color::Black, Role::King).last() else {
        return false;
    };
    let targets = (attacks::king(king) & GOAL) - board.color(Color::Black);
    !GOAL.has(king)
        && targets.into_iter().any(|target| {
            let attackers = board.attackers(target, Color::White, board.occupied());
            attackers.is_empty()
        })
}

/// Passes on moves that give no check.
struct WithoutChecks<'a, K> {
    sink: &'a mut K,
    position: &'a Position<RacingKings>,
    checks: CheckSquares,
    /// Whether the enemy king is in check already.
    given: bool,
}

impl<K> WithoutChecks<'_, K> {
    fn is_legal(&self, m: Move) -> bool {
        if self.given {
            !self.position.after(m).in_check()
        } else {
            !self.position.gives_check(m, &self.checks)
        }
    }

    fn legal_targets(&self, to: Bitboard, m: impl Fn(Square) -> Move) -> Bitboard {
        to.into_iter().filter(|&to| self.is_legal(m(to))).collect()
    }
}

impl<K: MoveSink> MoveSink for WithoutChecks<'_, K> {
    #[inline(always)]
    fn piece(&mut self, role: Role, from: Square, to: Bitboard) {
        let legal = if self.given {
            self.legal_targets(to, |to| Move::normal(from, to))
        } else {
            to - self.checks.among(role, from, to)
        };
        self.sink.piece(role, from, legal);
    }

    fn pawns(&mut self, to: Bitboard, step: i8) {
        let legal = self.legal_targets(to, |to| Move::normal(origin(to, step), to));
        self.sink.pawns(legal, step);
    }

    fn promotions(&mut self, to: Bitboard, step: i8) {
        for to in to {
            for role in crate::movegen::PROMOTIONS {
                self.single(Move::promotion(origin(to, step), to, role));
            }
        }
    }

    fn single(&mut self, m: Move) {
        if self.is_legal(m) {
            self.sink.single(m);
        }
    }

    #[inline(always)]
    fn is_done(&self) -> bool {
        self.sink.is_done()
    }
}
