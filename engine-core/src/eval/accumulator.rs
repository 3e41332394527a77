//! The sums that the evaluation needs, as an observer of `Position::play`.

use super::weights::{PHASE, TOTAL_PHASE, Tapered, WEIGHTS};
use crate::position::Observer;
use crate::rules::Rules;
use crate::types::{ByColor, Piece, Role, Square};
use crate::{Position, zobrist};

/// Piece-square sums of a position with keys of parts of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Accumulator {
    /// Middlegame and endgame value from White's view.
    value: Tapered,
    /// How much material is left: from `TOTAL_PHASE` (all) to 0.
    phase: i32,
    /// Zobrist key of the pawns alone.
    pub(crate) pawn_key: u64,
    /// Zobrist keys of each side's pieces other than pawns.
    pub(crate) piece_keys: ByColor<u64>,
}

impl Accumulator {
    /// The sums of a position from scratch.
    pub fn of<R: Rules>(position: &Position<R>) -> Accumulator {
        let mut sums = Accumulator::default();
        for (square, piece) in position.board().iter() {
            sums.put(piece, square);
        }
        sums
    }

    /// The value from White's view, between middlegame and endgame as material goes.
    #[inline]
    pub fn white_value(&self) -> i32 {
        // Promotions can exceed the material of the start.
        let phase = self.phase.min(TOTAL_PHASE);
        (self.value.middlegame() * phase + self.value.endgame() * (TOTAL_PHASE - phase))
            / TOTAL_PHASE
    }

    #[inline(always)]
    fn toggle_key(&mut self, piece: Piece, square: Square) {
        let key = zobrist::piece(piece, square);
        if piece.role == Role::Pawn {
            self.pawn_key ^= key;
        } else {
            self.piece_keys[piece.color] ^= key;
        }
    }
}

/// The weight of a piece on a square, from White's view.
#[inline(always)]
fn weight(piece: Piece, square: Square) -> Tapered {
    WEIGHTS[piece.color.index()][piece.role.index()][square.index()]
}

impl Observer for Accumulator {
    #[inline(always)]
    fn put(&mut self, piece: Piece, square: Square) {
        self.value += weight(piece, square);
        self.phase += PHASE[piece.role.index()];
        self.toggle_key(piece, square);
    }

    #[inline(always)]
    fn take(&mut self, piece: Piece, square: Square) {
        self.value -= weight(piece, square);
        self.phase -= PHASE[piece.role.index()];
        self.toggle_key(piece, square);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Color, Standard};

    #[test]
    fn play_keeps_the_sums() {
        let mut position = Position::<Standard>::start();
        let mut sums = Accumulator::of(&position);
        let mut seed = 7u64;
        for _ in 0..200 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            seed = zobrist::extra(seed);
            position.play_observed(moves[seed as usize % moves.len()], &mut sums);
            assert_eq!(sums, Accumulator::of(&position));
        }
    }

    #[test]
    fn colours_are_alike() {
        for role in Role::ALL {
            for square in Square::ALL {
                let white = weight(role.of(Color::White), square);
                let black = weight(role.of(Color::Black), square.flip());
                assert_eq!(white.middlegame(), -black.middlegame());
                assert_eq!(white.endgame(), -black.endgame());
            }
        }
    }
}
