//! A position with its score and the result of its game, in 28 bytes; in 40 in Horde, which has
//! more pieces.
//!
//! | bytes | content |
//! |---|---|
//! | 0..8 | occupied squares, a1 the lowest bit, little-endian |
//! | 8..24 | one nibble for each of them from a1 on, low nibble first: role (pawn 0 to king 5), plus 8 for Black |
//! | then | the search's score from White's view in centipawns, little-endian |
//! | | the game's result for White: 0 lost, 1 drawn, 2 won |
//! | | the side to move: 0 White, 1 Black |
//!
//! Score, result and side take the last four bytes. Castling rights, en passant and clocks, which
//! the evaluation does not use, are left out.

use engine_core::{Bitboard, Board, Color, Piece, Role, Square, Variant};

/// Bytes for the pieces: two in one, up to 56 of them, of which only Horde needs more than 32.
const PIECES: usize = 28;
const USUAL_PIECES: usize = 16;

/// Bytes of a record of a variant.
pub fn size(variant: Variant) -> usize {
    8 + pieces(variant) + 4
}

fn pieces(variant: Variant) -> usize {
    if variant == Variant::Horde {
        PIECES
    } else {
        USUAL_PIECES
    }
}

/// A position with its score and the result of its game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Record {
    occupied: u64,
    pieces: [u8; PIECES],
    /// From White's view, in centipawns.
    pub score: i16,
    /// White's half points.
    pub result: u8,
    /// The side to move.
    pub turn: Color,
}

impl Record {
    /// The record of a board; `None` when it holds more pieces than there is room for.
    pub fn new(
        variant: Variant,
        board: &Board,
        turn: Color,
        score: i16,
        result: u8,
    ) -> Option<Record> {
        if board.occupied().count() as usize > 2 * self::pieces(variant) {
            return None;
        }
        let mut pieces = [0; PIECES];
        for (at, (_, piece)) in board.iter().enumerate() {
            let nibble = piece.role as u8 | if piece.color.is_white() { 0 } else { 8 };
            *pieces.get_mut(at / 2)? |= nibble << (at % 2 * 4);
        }
        Some(Record {
            occupied: board.occupied().0,
            pieces,
            score,
            result,
            turn,
        })
    }

    /// As written to a file.
    pub fn to_bytes(self, variant: Variant) -> Vec<u8> {
        let mut bytes = self.occupied.to_le_bytes().to_vec();
        bytes.extend(self.pieces.iter().take(pieces(variant)));
        bytes.extend(self.score.to_le_bytes());
        bytes.push(self.result);
        bytes.push(u8::from(!self.turn.is_white()));
        bytes
    }

    /// As read from a file; `None` when no record looks like this.
    pub fn from_bytes(bytes: &[u8]) -> Option<Record> {
        let (occupied, rest) = bytes.split_first_chunk::<8>()?;
        let (written, rest) = rest.split_at_checked(rest.len().checked_sub(4)?)?;
        let &[low, high, result @ 0..=2, turn @ 0..=1] = rest else {
            return None;
        };
        let mut pieces = [0; PIECES];
        pieces.get_mut(..written.len())?.copy_from_slice(written);
        let record = Record {
            occupied: u64::from_le_bytes(*occupied),
            pieces,
            score: i16::from_le_bytes([low, high]),
            result,
            turn: Color::from_white(turn == 0),
        };
        let count = record.occupied.count_ones() as usize;
        let is_piece = |at| record.nibble(at).is_some_and(|nibble| nibble & 7 < 6);
        let fits = count <= 2 * written.len();
        (fits && (0..count).all(is_piece)).then_some(record)
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
    use engine_core::{Position, Standard};

    fn start() -> Record {
        let position = Position::<Standard>::start();
        Record::new(Variant::Standard, position.board(), Color::Black, -345, 2)
            .expect("32 pieces fit")
    }

    #[test]
    fn bytes_and_back() {
        let record = start();
        for variant in [Variant::Standard, Variant::Horde] {
            let bytes = record.to_bytes(variant);
            assert_eq!(bytes.len(), size(variant));
            assert_eq!(Record::from_bytes(&bytes), Some(record));
        }
        let position = Position::<Standard>::start();
        assert!(record.pieces().eq(position.board().iter()));
    }

    #[test]
    fn damage_is_seen() {
        for (at, value) in [(8, 0x66), (23, 0x70), (26, 3), (27, 2), (3, 1)] {
            let mut bytes = start().to_bytes(Variant::Standard);
            bytes[at] = value;
            assert_eq!(Record::from_bytes(&bytes), None, "byte {at}");
        }
    }
}
