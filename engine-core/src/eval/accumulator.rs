//! The sums that the evaluation needs, as an observer of `Position::play`.

use super::view::View;
use super::weights::{Tapered, phase, weights};
use crate::position::Observer;
use crate::rules::Rules;
use crate::types::{ByColor, Color, Piece, Role, Square};
use crate::{Board, Position, zobrist};
use std::marker::PhantomData;

/// Piece-square sums of a position with keys of parts of it.
///
/// Each side has a sum of its own, seen from its king. When that king moves so far that its view
/// changes, all pieces look different: `settle` then sums anew, once the move is
/// over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Accumulator<R: Rules> {
    /// The pieces as each side sees them, in its favour.
    sums: ByColor<Tapered>,
    views: ByColor<View>,
    /// Whether a king has left its view.
    unsettled: bool,
    /// How much material is left: from `TOTAL_PHASE` (all) to 0.
    phase: i32,
    /// Zobrist keys of the pawns alone, and of each side's other pieces.
    pub(crate) keys: [u64; 3],
    rules: PhantomData<R>,
}

impl<R: Rules> Accumulator<R> {
    const WEIGHTS: &'static [Tapered] = weights(R::VARIANT);
    const PHASE: &'static [i32; 6] = phase(R::VARIANT);

    /// The sums of a position from scratch.
    pub fn of(position: &Position<R>) -> Accumulator<R> {
        let board = position.board();
        let view = |color| View::new(R::VARIANT, color, board.king(color));
        let mut accumulator = Accumulator {
            sums: ByColor::default(),
            views: ByColor(Color::ALL.map(view)),
            unsettled: false,
            phase: 0,
            keys: [0; 3],
            rules: PhantomData,
        };
        for (square, piece) in board.iter() {
            accumulator.put(piece, square);
        }
        accumulator.unsettled = false;
        accumulator
    }

    /// Brings the sums up to date when a move has changed the view of a king.
    #[inline(always)]
    pub(crate) fn settle(&mut self, board: &Board) {
        if self.unsettled {
            self.look_again(board);
        }
    }

    #[cold]
    fn look_again(&mut self, board: &Board) {
        self.unsettled = false;
        for color in Color::ALL {
            let view = View::new(R::VARIANT, color, board.king(color));
            if self.views[color] != view {
                self.views[color] = view;
                self.sums[color] = Self::sum(board, view);
            }
        }
    }

    /// What all pieces are worth in a view.
    fn sum(board: &Board, view: View) -> Tapered {
        let mut sum = Tapered::default();
        for (square, piece) in board.iter() {
            sum += Self::WEIGHTS[view.feature(piece, square)];
        }
        sum
    }

    /// How much better a side sees its pieces than the other does.
    #[inline(always)]
    pub(super) fn balance(&self, side: Color) -> Tapered {
        self.sums[side] - self.sums[!side]
    }

    pub(super) fn phase(&self) -> i32 {
        self.phase
    }

    #[inline(always)]
    fn toggle_key(&mut self, piece: Piece, key: u64) {
        // Without a branch, which would often be mispredicted.
        let part = usize::from(piece.role != Role::Pawn) * (1 + piece.color.index());
        self.keys[part] ^= key;
    }
}

impl<R: Rules> Observer for Accumulator<R> {
    #[inline(always)]
    fn put(&mut self, piece: Piece, square: Square) {
        for color in Color::ALL {
            self.sums[color] += Self::WEIGHTS[self.views[color].feature(piece, square)];
        }
        if piece.role == Role::King {
            let view = View::new(R::VARIANT, piece.color, Some(square));
            self.unsettled |= view != self.views[piece.color];
        }
        self.phase += Self::PHASE[piece.role.index()];
        self.toggle_key(piece, zobrist::piece(piece, square));
    }

    #[inline(always)]
    fn take(&mut self, piece: Piece, square: Square) {
        for color in Color::ALL {
            self.sums[color] -= Self::WEIGHTS[self.views[color].feature(piece, square)];
        }
        self.phase -= Self::PHASE[piece.role.index()];
        self.toggle_key(piece, zobrist::piece(piece, square));
    }

    #[inline(always)]
    fn relocate(&mut self, piece: Piece, from: Square, to: Square) {
        for color in Color::ALL {
            let [from, to] = self.views[color].features(piece, [from, to]);
            self.sums[color] += Self::WEIGHTS[to] - Self::WEIGHTS[from];
        }
        if piece.role == Role::King {
            let view = View::new(R::VARIANT, piece.color, Some(to));
            self.unsettled |= view != self.views[piece.color];
        }
        let change = zobrist::piece(piece, from) ^ zobrist::piece(piece, to);
        self.toggle_key(piece, change);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::evaluate;
    use crate::{Setup, Standard};

    #[test]
    fn play_keeps_the_sums() {
        for game in 0..20 {
            let mut position = Position::<Standard>::start();
            let mut sums = Accumulator::of(&position);
            let mut seed = zobrist::mix(game);
            for _ in 0..200 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                seed = zobrist::mix(seed);
                position.play_observed(moves[seed as usize % moves.len()], &mut sums);
                sums.settle(position.board());
                assert_eq!(sums, Accumulator::of(&position));
            }
        }
    }

    #[test]
    fn colours_are_alike() {
        let pairs = [
            (
                "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
                "r3k2r/pppbbppp/2n2q1P/1P2p3/3pn3/BN2PNP1/P1PPQPB1/R3K2R b KQkq - 0 1",
            ),
            (
                "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
                "8/4p1p1/8/1r3P1K/kp5R/3P4/2P5/8 b - - 0 1",
            ),
        ];
        for (white, black) in pairs {
            let value = |fen| {
                let setup = Setup::from_fen(fen).unwrap();
                let mode = setup.castling_mode();
                evaluate(&Position::<Standard>::from_setup(&setup, mode).unwrap())
            };
            assert_eq!(value(white), value(black));
        }
    }
}
