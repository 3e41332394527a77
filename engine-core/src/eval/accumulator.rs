//! The accumulator of the evaluation, updated move by move as an observer of `Position::play`.

use super::perspective::Perspective;
use super::rules::EvalRules;
use super::weights::Tapered;
use crate::position::Observer;
use crate::types::{ByColor, Color, Piece, Role, Square};
use crate::{Board, Position, zobrist};
use std::marker::PhantomData;

/// Piece-square sums of a position, with keys of its pawns and pieces.
///
/// Each side has its own sum, from the perspective of its king. When the king moves to another
/// bucket or across the middle of the board, every feature of that perspective changes:
/// `refresh_if_needed` then sums anew once the move is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Accumulator<R: EvalRules> {
    /// The sum from each side's perspective, positive if it is better.
    sums: ByColor<Tapered>,
    perspectives: ByColor<Perspective>,
    /// Whether a king has moved to another bucket or half of the board.
    needs_refresh: bool,
    /// The game phase: from `TOTAL_PHASE` (all material) to 0.
    phase: i32,
    /// Zobrist keys of the pawns alone, and of each side's other pieces.
    pub(crate) keys: [u64; 3],
    rules: PhantomData<R>,
}

impl<R: EvalRules> Accumulator<R> {
    const WEIGHTS: &'static [Tapered] = R::WEIGHTS.features;

    /// The sums of a position from scratch.
    pub(crate) fn of(position: &Position<R>) -> Accumulator<R> {
        let board = position.board();
        let perspective = |color| Perspective::new(R::LAYOUT, color, board.king(color));
        let mut accumulator = Accumulator {
            sums: ByColor::default(),
            perspectives: ByColor(Color::ALL.map(perspective)),
            needs_refresh: false,
            phase: 0,
            keys: [0; 3],
            rules: PhantomData,
        };
        for (square, piece) in board.iter() {
            accumulator.put(piece, square);
        }
        accumulator.needs_refresh = false;
        accumulator
    }

    /// Recomputes the sums of a perspective that a king's move has changed.
    #[inline(always)]
    pub(crate) fn refresh_if_needed(&mut self, board: &Board) {
        if self.needs_refresh {
            self.refresh(board);
        }
    }

    #[cold]
    fn refresh(&mut self, board: &Board) {
        self.needs_refresh = false;
        for color in Color::ALL {
            let perspective = Perspective::new(R::LAYOUT, color, board.king(color));
            if self.perspectives[color] != perspective {
                self.perspectives[color] = perspective;
                self.sums[color] = Self::sum(board, perspective);
            }
        }
    }

    /// The sum of all pieces from a perspective.
    fn sum(board: &Board, perspective: Perspective) -> Tapered {
        let mut sum = Tapered::default();
        for (square, piece) in board.iter() {
            sum += Self::WEIGHTS[perspective.feature(piece, square)];
        }
        sum
    }

    /// One side's sum less the other's.
    #[inline(always)]
    pub(super) fn balance(&self, side: Color) -> Tapered {
        self.sums[side] - self.sums[!side]
    }

    pub(super) fn phase(&self) -> i32 {
        self.phase
    }

    #[inline(always)]
    fn toggle_key(&mut self, piece: Piece, key: u64) {
        // Branchless: the branch would often be mispredicted.
        let part = usize::from(piece.role != Role::Pawn) * (1 + piece.color.index());
        self.keys[part] ^= key;
    }
}

impl<R: EvalRules> Observer for Accumulator<R> {
    #[inline(always)]
    fn put(&mut self, piece: Piece, square: Square) {
        for color in Color::ALL {
            self.sums[color] += Self::WEIGHTS[self.perspectives[color].feature(piece, square)];
        }
        if piece.role == Role::King {
            let perspective = Perspective::new(R::LAYOUT, piece.color, Some(square));
            self.needs_refresh |= perspective != self.perspectives[piece.color];
        }
        self.phase += R::PHASE[piece.role.index()];
        self.toggle_key(piece, zobrist::piece(piece, square));
    }

    #[inline(always)]
    fn take(&mut self, piece: Piece, square: Square) {
        for color in Color::ALL {
            self.sums[color] -= Self::WEIGHTS[self.perspectives[color].feature(piece, square)];
        }
        self.phase -= R::PHASE[piece.role.index()];
        self.toggle_key(piece, zobrist::piece(piece, square));
    }

    #[inline(always)]
    fn relocate(&mut self, piece: Piece, from: Square, to: Square) {
        for color in Color::ALL {
            let [from, to] = self.perspectives[color].features(piece, [from, to]);
            self.sums[color] += Self::WEIGHTS[to] - Self::WEIGHTS[from];
        }
        if piece.role == Role::King {
            let perspective = Perspective::new(R::LAYOUT, piece.color, Some(to));
            self.needs_refresh |= perspective != self.perspectives[piece.color];
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
                sums.refresh_if_needed(position.board());
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
