//! The sums of the evaluation, updated move by move.

use super::perspective::Perspective;
use super::rules::EvalRules;
use super::tapered::Tapered;
use super::vectors::Vector;
use super::weights::Weights;
use crate::types::{Color, Piece, Square};
use crate::{Board, Position};
use std::ops::{Add, Sub};

/// The sums of a position from the perspective of one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Accumulator {
    /// The sum of the piece-square tables, positive if this side is better.
    pub(super) table: Tapered,
    /// The sum of the piece-square vectors; unused if the weights have none.
    pub(super) vector: Vector,
}

impl Accumulator {
    pub(super) const ZERO: Accumulator = Accumulator {
        table: Tapered::new(0, 0),
        vector: Vector::ZERO,
    };

    /// Computes the sums from all pieces of the board ("accumulator refresh").
    pub(super) fn refresh(&mut self, weights: &Weights, perspective: Perspective, board: &Board) {
        let mut table = Tapered::default();
        for (square, piece) in board.iter() {
            table += weights.tables[perspective.feature(piece, square)];
        }
        self.table = table;
        if let Some(vectors) = &weights.vectors {
            self.vector = vectors.bias;
            for (square, piece) in board.iter() {
                self.vector
                    .add(vectors.feature(perspective.vector_row(piece, square)));
            }
        }
    }

    /// The same with the features of both sides beside pieces on squares, such as pieces in hand:
    /// see [`EvalRules::extra_features`].
    pub(super) fn with_extras<R: EvalRules>(
        mut self,
        weights: &Weights,
        perspective: Perspective,
        position: &Position<R>,
    ) -> Accumulator {
        // A sum of more than 64 vectors, which no game leads to, could overflow.
        let mut room = 64 - position.board().occupied().count();
        for color in Color::ALL {
            let mut extras = R::extra_features(position, color);
            while extras != 0 && room > 0 {
                let extra = extras.trailing_zeros() as usize;
                extras &= extras - 1;
                room -= 1;
                let [weight, row] = perspective.extra_feature(R::LAYOUT, color, extra);
                self.table += weights.tables[weight];
                if let Some(vectors) = &weights.vectors {
                    self.vector.add(vectors.feature(row));
                }
            }
        }
        self
    }

    /// Computes the sums after a move from those before it, given the pieces that it puts on the
    /// board and those that it takes off. The perspective must be the same before and after.
    #[inline(always)]
    pub(super) fn update(
        &mut self,
        before: &Accumulator,
        weights: &Weights,
        perspective: Perspective,
        [put, taken]: [&[(Piece, Square)]; 2],
    ) {
        let table =
            |&(piece, square): &(Piece, Square)| weights.tables[perspective.feature(piece, square)];
        // Nearly all moves are plain ones or captures, which need no loop.
        self.table = match (put, taken) {
            ([to], [from]) => before.table + table(to) - table(from),
            ([to], [one, two]) => before.table + table(to) - table(one) - table(two),
            _ => {
                let sum = put.iter().map(table).fold(before.table, Tapered::add);
                taken.iter().map(table).fold(sum, Tapered::sub)
            }
        };
        let Some(vectors) = &weights.vectors else {
            return;
        };
        let vector = |&(piece, square): &(Piece, Square)| {
            vectors.feature(perspective.vector_row(piece, square))
        };
        match (put, taken) {
            ([to], [from]) => self.vector = before.vector.moved(vector(to), vector(from)),
            ([to], [one, two]) => {
                let taken = [vector(one), vector(two)];
                self.vector = before.vector.captured(vector(to), taken);
            }
            _ => {
                self.vector = before.vector;
                for piece in put {
                    self.vector.add(vector(piece));
                }
                for piece in taken {
                    self.vector.subtract(vector(piece));
                }
            }
        }
    }
}
