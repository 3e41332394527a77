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
    /// The sum of the tables, positive if this side is better.
    pub(super) table: Tapered,
    /// The sums of the vectors; without meaning if there are none.
    pub(super) vector: Vector,
}

impl Accumulator {
    pub(super) const ZERO: Accumulator = Accumulator {
        table: Tapered::new(0, 0),
        vector: Vector::ZERO,
    };

    /// Sums anew ("accumulator refresh").
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

    /// The same with what the sides have beside pieces on squares.
    pub(super) fn with_counts<R: EvalRules>(
        mut self,
        weights: &Weights,
        perspective: Perspective,
        position: &Position<R>,
    ) -> Accumulator {
        let mut room = 64 - position.board().occupied().count();
        for color in Color::ALL {
            let mut counts = R::counts(position, color);
            // More than 64 rows, which no game has, could overflow.
            while counts != 0 && room > 0 {
                let count = counts.trailing_zeros() as usize;
                counts &= counts - 1;
                room -= 1;
                let [weight, row] = perspective.count_feature(R::LAYOUT, color, count);
                self.table += weights.tables[weight];
                if let Some(vectors) = &weights.vectors {
                    self.vector.add(vectors.feature(row));
                }
            }
        }
        self
    }

    /// The sums after a move that put and took these pieces, from those before it, seen from the
    /// same king.
    #[inline(always)]
    pub(super) fn update(
        &mut self,
        before: &Accumulator,
        weights: &Weights,
        perspective: Perspective,
        lists: [&[(Piece, Square)]; 2],
    ) {
        let table =
            |&(piece, square): &(Piece, Square)| weights.tables[perspective.feature(piece, square)];
        // Nearly all moves are of the first two kinds, which need no loop.
        self.table = match lists {
            [[put], [taken]] => before.table + table(put) - table(taken),
            [[put], [one, two]] => before.table + table(put) - table(one) - table(two),
            [put, taken] => {
                let put = put.iter().map(table).fold(before.table, Tapered::add);
                taken.iter().map(table).fold(put, Tapered::sub)
            }
        };
        let Some(vectors) = &weights.vectors else {
            return;
        };
        let vector = |&(piece, square): &(Piece, Square)| {
            vectors.feature(perspective.vector_row(piece, square))
        };
        match lists {
            [[put], [taken]] => self.vector = before.vector.moved(vector(put), vector(taken)),
            [[put], [one, two]] => {
                let taken = [vector(one), vector(two)];
                self.vector = before.vector.captured(vector(put), taken);
            }
            [put, taken] => {
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
