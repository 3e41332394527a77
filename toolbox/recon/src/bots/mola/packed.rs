//! A board in 32 bytes, so that sets of millions fit in memory and sort fast.

use crate::board::Board;
use engine_core::{Bitboard, Board as Pieces, Color, Role, Setup, Square};

/// A board without turn and clocks: for each square whether its piece is White's, and three bits
/// of what it is. The seventh kind is a rook that may still castle; an empty square marked White's
/// is one that a pawn has just passed over.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Packed {
    white: u64,
    kinds: [u64; 3],
}

/// The kind of a rook that may castle.
const CASTLING_ROOK: usize = 7;

impl Packed {
    /// Packs a board.
    pub fn new(board: &Board) -> Packed {
        let Setup {
            board,
            castling,
            en_passant,
            ..
        } = board.setup();
        let mut kinds = [0; 3];
        let mut add = |kind: usize, set: Bitboard| {
            for (bit, plane) in kinds.iter_mut().enumerate() {
                if kind >> bit & 1 != 0 {
                    *plane |= set.0;
                }
            }
        };
        for role in Role::ALL {
            add(role.index() + 1, board.role(role));
        }
        // 4 becomes 7.
        add(CASTLING_ROOK, *castling & board.role(Role::Rook));
        let passed = en_passant.map_or(Bitboard::EMPTY, Square::bitboard);
        Packed {
            white: (board.color(Color::White) | passed).0,
            kinds,
        }
    }

    fn occupied(&self) -> u64 {
        let [a, b, c] = self.kinds;
        a | b | c
    }

    /// The board with this side to move. Its clocks are at their start.
    pub fn board(&self, turn: Color) -> Board {
        let [a, b, c] = self.kinds;
        let occupied = self.occupied();
        let mut pieces = Pieces::EMPTY;
        for square in Bitboard(occupied) {
            let bit = |plane: u64| (plane >> square.index() & 1) as usize;
            let kind = bit(a) | bit(b) << 1 | bit(c) << 2;
            let role = if kind == CASTLING_ROOK {
                Role::Rook
            } else {
                Role::from_index(kind - 1).unwrap_or(Role::Pawn)
            };
            pieces.put(role.of(Color::from_white(bit(self.white) != 0)), square);
        }
        Board::from(Setup {
            board: pieces,
            turn,
            castling: Bitboard(a & b & c),
            en_passant: Bitboard(self.white & !occupied).first(),
            ..Setup::EMPTY
        })
    }

    /// What stands on some squares, as one number; equal for equal pieces, whatever their rights.
    pub fn observation(&self, squares: Bitboard) -> [u64; 4] {
        let castling_rooks = self.kinds.iter().fold(!0, |all, plane| all & plane);
        let [a, b, c] = self.kinds.map(|plane| plane & squares.0);
        // 7 becomes 4 again.
        let plain = !castling_rooks;
        [
            self.white & self.occupied() & squares.0,
            a & plain,
            b & plain,
            c,
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_come_back() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "rnbqkbnr/ppp1pppp/8/3p4/8/8/PPPPPPPP/RNBQKBNR w KQkq d6 0 1",
            "r3k2r/8/8/8/3pP3/8/8/1R2K2R b Kkq e3 0 1",
        ] {
            let board = Board::from_fen(fen).unwrap();
            let packed = Packed::new(&board);
            assert_eq!(packed.board(board.turn()), board);
            let without = fen.replace("KQkq", "-").replace("Kkq", "-");
            let other = Packed::new(&Board::from_fen(&without).unwrap());
            assert_ne!(packed, other);
            assert_eq!(
                packed.observation(Bitboard::FULL),
                other.observation(Bitboard::FULL)
            );
            let some = Bitboard::FILE_A;
            assert_ne!(packed.observation(some), packed.observation(Bitboard::FULL));
        }
    }
}
