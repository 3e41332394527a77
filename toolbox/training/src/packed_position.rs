//! A position with its score and the result of its game, as small as it can be held in memory.
//!
//! Castling rights, en passant and clocks, which the evaluation does not use, are left out.

use engine_core::eval::{EvalRules, threats};
use engine_core::{Bitboard, Color, Piece, Position, Role, Square, Variant};

/// Bytes for the pieces, two in one: up to 52 of them, of which only Horde needs more than 32.
const PIECES: usize = 26;

/// A position with its score and the result of its game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PackedPosition {
    /// Occupied squares, a1 the lowest bit.
    occupied: u64,
    /// A nibble for each of them from a1 on, low nibble first: role (pawn 0 to king 5), plus 8 for
    /// Black.
    pieces: [u8; PIECES],
    /// The extra terms of the variant, added to the learned value of the side to move, in
    /// centipawns.
    pub extra: i16,
    /// What White and Black have beside their pieces on squares: [`EvalRules::extra_features`].
    pub extra_features: [u32; 2],
    /// The threats on the board: [`threats`].
    pub threats: u32,
    /// From White's view, in centipawns.
    pub score: i16,
    /// White's half points.
    pub result: u8,
    /// The side to move.
    pub turn: Color,
}

impl PackedPosition {
    /// Packs a position; `None` when it holds more pieces than any of its variant.
    pub fn new<R: EvalRules>(
        position: &Position<R>,
        score: i16,
        result: u8,
    ) -> Option<PackedPosition> {
        let board = position.board();
        let most = if R::VARIANT == Variant::Horde {
            2 * PIECES
        } else {
            32
        };
        if board.occupied().count() as usize > most {
            return None;
        }
        let mut pieces = [0; PIECES];
        for (at, (_, piece)) in board.iter().enumerate() {
            let nibble = piece.role as u8 | if piece.color.is_white() { 0 } else { 8 };
            *pieces.get_mut(at / 2)? |= nibble << (at % 2 * 4);
        }
        Some(PackedPosition {
            occupied: board.occupied().0,
            pieces,
            extra: R::extra_terms(position) as i16,
            extra_features: Color::ALL.map(|color| R::extra_features(position, color)),
            threats: threats(board, position.turn()),
            score,
            result,
            turn: position.turn(),
        })
    }

    fn nibble(&self, at: usize) -> Option<u8> {
        Some(self.pieces.get(at / 2)? >> (at % 2 * 4) & 15)
    }

    /// Every piece with its square, a1 first.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        let squares = Bitboard(self.occupied).into_iter().enumerate();
        squares.filter_map(|(at, square)| {
            let nibble = self.nibble(at)?;
            let role = Role::from_index(usize::from(nibble & 7))?;
            Some((square, role.of(Color::from_white(nibble < 8))))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine_core::Horde;

    #[test]
    fn pieces_are_kept() {
        let mut position = Position::<Horde>::start();
        position.play(position.legal_moves()[0]);
        let packed = PackedPosition::new(&position, -345, 2).expect("52 pieces fit");
        assert!(packed.pieces().eq(position.board().iter()));
        assert_eq!(
            (packed.turn, packed.score, packed.result),
            (Color::Black, -345, 2)
        );
    }
}
