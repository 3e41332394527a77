//! Captures and pawn moves: they lead to other material, or to positions of the same material
//! with pawns further on, all of which have been solved before.

use super::space::{Row, Space};
use super::values::{Child, ILLEGAL, Solved, Value, flag};
use crate::Material;
use engine_core::{Bitboard, Color, Piece, Rank, Role, Square, attacks};
use std::cmp::Ordering;
use std::sync::Arc;

/// What tables count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Metric {
    /// Plies to the next capture or pawn move.
    Dtz,
    /// Plies to mate, for the built-in tables. Only for three pieces: no loser has a capture or
    /// pawn move that loses, so none can put off the mate.
    #[cfg(test)]
    Dtm,
}

/// What captures and pawn moves make of a position.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Zeroing {
    /// Plies of the quickest win by one of them; 0 when none wins.
    pub(super) quickest_win: u8,
    /// One of them does not lose.
    pub(super) some_not_losing: bool,
    /// One of them is legal.
    pub(super) some_legal: bool,
    /// See [`flag`].
    pub(super) flags: u8,
}

const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

/// The extra pieces by number: the first and the second.
const EXTRAS: [usize; 2] = [0, 1];

/// Where captures and pawn moves of some material lead.
pub(super) struct ZeroingMoves {
    metric: Metric,
    extras: [Option<Piece>; 2],
    /// With one of the extra pieces captured.
    without: [Option<Child>; 2],
    /// With one of them promoted.
    promoted: [Vec<Child>; 2],
    /// With one of them promoted by capturing the other.
    promoted_alone: [Vec<Child>; 2],
}

impl ZeroingMoves {
    /// Finds the material that was solved before. `None` when some of it is lacking.
    pub(super) fn new(
        space: &Space,
        metric: Metric,
        find: &impl Fn(Material) -> Option<Arc<Solved>>,
    ) -> Option<ZeroingMoves> {
        let extras = [space.first, Some(space.second)];
        let child = |extras: &[Option<Piece>]| {
            let extras: Vec<Piece> = extras.iter().copied().flatten().collect();
            Child::new(&extras, find)
        };
        let [first, second] = extras;
        let mut moves = ZeroingMoves {
            metric,
            extras,
            without: [None, Some(child(&[first])?)],
            promoted: [Vec::new(), Vec::new()],
            promoted_alone: [Vec::new(), Vec::new()],
        };
        if first.is_some() {
            moves.without[0] = Some(child(&[second])?);
        }
        for mover in EXTRAS {
            let Some(pawn) = extras[mover].filter(|piece| piece.role == Role::Pawn) else {
                continue;
            };
            for role in PROMOTIONS {
                let mut after = extras;
                after[mover] = Some(role.of(pawn.color));
                moves.promoted[mover].push(child(&after)?);
                moves.promoted_alone[mover].push(child(&[after[mover]])?);
            }
        }
        Some(moves)
    }

    /// What captures and pawn moves make of a position. `solved` has the positions with pawns
    /// further on, and `terminal` those among them without a legal move.
    pub(super) fn evaluate(
        &self,
        solved: &Solved,
        terminal: &[Vec<Bitboard>; 2],
        turn: Color,
        row: Row,
        second: Square,
    ) -> Zeroing {
        let mut sum = MoveSums {
            metric: self.metric,
            zeroing: Zeroing::default(),
        };
        let squares = [row.first, second];
        for taken in EXTRAS {
            if self.extras[taken].is_some_and(|piece| piece.color != turn) {
                self.captures(&solved.space, turn, row, squares, taken, &mut sum);
            }
        }
        for mover in EXTRAS {
            let own = Role::Pawn.of(turn);
            if self.extras[mover] == Some(own) {
                self.pushes(solved, terminal, turn, row, squares, mover, &mut sum);
            }
        }
        sum.zeroing
    }

    /// Captures of one of the extra pieces.
    fn captures(
        &self,
        space: &Space,
        turn: Color,
        row: Row,
        squares: [Square; 2],
        taken: usize,
        sum: &mut MoveSums,
    ) {
        let Some(without) = &self.without[taken] else {
            return;
        };
        let (to, other) = (squares[taken], 1 - taken);
        if attacks::king(row.king[turn]).has(to) {
            let after = row.with_king(turn, to);
            sum.add(without.value(!turn, after, squares[other]), true);
        }
        let Some(piece) = self.extras[other].filter(|piece| piece.color == turn) else {
            return;
        };
        let occupied = space.occupied(row) | squares[1].bitboard();
        if !attacks::piece(piece, squares[other], occupied).has(to) {
            return;
        }
        if piece.role == Role::Pawn && to.rank() == turn.relative_rank(Rank::Eighth) {
            for child in &self.promoted_alone[other] {
                sum.add(child.value(!turn, row, to), true);
            }
        } else {
            sum.add(without.value(!turn, row, to), true);
        }
    }

    /// Steps of a pawn.
    #[expect(clippy::too_many_arguments, reason = "all that a position is")]
    fn pushes(
        &self,
        solved: &Solved,
        terminal: &[Vec<Bitboard>; 2],
        turn: Color,
        row: Row,
        squares: [Square; 2],
        mover: usize,
        sum: &mut MoveSums,
    ) {
        let occupied = solved.space.occupied(row) | squares[1].bitboard();
        let forward = if turn.is_white() { 1 } else { -1 };
        let from = squares[mover];
        let after = |to: Square| {
            let mut squares = squares;
            squares[mover] = to;
            let [first, second] = squares;
            (Row { first, ..row }, second)
        };
        let free = |square: &Square| !occupied.has(*square);
        let Some(one) = from.offset(0, forward).filter(free) else {
            return;
        };
        let (next, second) = after(one);
        if one.rank() == turn.relative_rank(Rank::Eighth) {
            for child in &self.promoted[mover] {
                sum.add(child.value(!turn, next, second), false);
            }
            return;
        }
        sum.add(solved.value(!turn, next, second), false);
        let Some(two) = from.offset(0, 2 * forward).filter(free) else {
            return;
        };
        if from.rank() == turn.relative_rank(Rank::Second) {
            let (next, second) = after(two);
            let quiet = solved.value(!turn, next, second);
            let value = if self.can_be_taken(turn, squares[1 - mover], two, 1 - mover) {
                let (symmetry, number) = solved.space.find(next);
                let is_terminal = terminal[(!turn).index()][number].has(symmetry.square(second));
                self.value_with_en_passant(turn, row, one, mover, quiet, is_terminal)
            } else {
                quiet
            };
            sum.add(value, false);
        }
    }

    /// Whether the other extra piece is a pawn that stands beside one that has made a double step.
    fn can_be_taken(&self, turn: Color, square: Square, two: Square, other: usize) -> bool {
        self.extras[other] == Some(Role::Pawn.of(!turn))
            && square.rank() == two.rank()
            && square.distance(two) == 1
    }

    /// The value for the opponent after a double step, given that without en passant. Only who
    /// wins is right, which is enough: distances end with a pawn move.
    fn value_with_en_passant(
        &self,
        turn: Color,
        row: Row,
        ep_square: Square,
        mover: usize,
        quiet: Value,
        is_terminal: bool,
    ) -> Value {
        let taken = match &self.without[mover] {
            Some(child) => child.value(turn, row, ep_square),
            None => ILLEGAL,
        };
        if taken == ILLEGAL || quiet == ILLEGAL {
            return quiet;
        }
        let by_taking = -taken.signum();
        if by_taking >= quiet.signum() || is_terminal {
            by_taking
        } else {
            quiet
        }
    }
}

/// Adds moves up.
struct MoveSums {
    metric: Metric,
    zeroing: Zeroing,
}

impl MoveSums {
    /// Adds a move that leads to a position of this value for the opponent.
    fn add(&mut self, value: Value, is_capture: bool) {
        if value == ILLEGAL {
            return;
        }
        let sum = &mut self.zeroing;
        sum.some_legal = true;
        let level = match value.cmp(&0) {
            Ordering::Greater => flag::CAPTURE_LOSES,
            Ordering::Equal => {
                sum.some_not_losing = true;
                flag::CAPTURE_DRAWS
            }
            Ordering::Less => {
                let plies = match self.metric {
                    Metric::Dtz => 1,
                    #[cfg(test)]
                    Metric::Dtm => value.unsigned_abs(),
                };
                sum.quickest_win = if sum.quickest_win == 0 {
                    plies
                } else {
                    sum.quickest_win.min(plies)
                };
                sum.some_not_losing = true;
                sum.flags |= flag::WINS_AT_ONCE;
                flag::CAPTURE_WINS
            }
        };
        if is_capture {
            let best = (sum.flags & flag::CAPTURE).max(level);
            sum.flags = sum.flags & !flag::CAPTURE | best;
        }
    }
}
