//! Attack maps of whole sides, and pins.

use crate::types::{Bitboard, Color, Role, Side, Square};
use crate::{Board, attacks};

impl Board {
    /// Every square that a piece of this side attacks, its own pieces included.
    ///
    /// ```
    /// use engine_core::{Color, Position, bitboard};
    ///
    /// let start: Position = Position::start();
    /// let attacked = bitboard! {
    ///     . . . . . . . .
    ///     . . . . . . . .
    ///     . . . . . . . .
    ///     . . . . . . . .
    ///     . . . . . . . .
    ///     X X X X X X X X
    ///     X X X X X X X X
    ///     . X X X X X X .
    /// };
    /// assert_eq!(start.board().attacked_by(Color::White), attacked);
    /// ```
    pub fn attacked_by(&self, color: Color) -> Bitboard {
        self.attack_map(color, self.occupied())
    }

    /// All squares that a side attacks with these occupied squares, as when a king has left its own.
    #[inline(always)]
    pub(crate) fn attack_map<S: Side>(&self, side: S, occupied: Bitboard) -> Bitboard {
        let pieces = self.color(side.color());
        let pawns = self.role(Role::Pawn) & pieces;
        let mut attacked = side.forward_west(pawns) | side.forward_east(pawns);
        for from in self.role(Role::Knight) & pieces {
            attacked |= attacks::knight(from);
        }
        for from in self.diagonals() & pieces {
            attacked |= attacks::bishop(from, occupied);
        }
        for from in self.orthogonals() & pieces {
            attacked |= attacks::rook(from, occupied);
        }
        for from in self.role(Role::King) & pieces {
            attacked |= attacks::king(from);
        }
        attacked
    }

    /// The sliders of both sides that would attack this square if nothing stood between.
    #[inline(always)]
    pub(crate) fn snipers(&self, square: Square) -> Bitboard {
        (attacks::rook_rays(square) & self.orthogonals())
            | (attacks::bishop_rays(square) & self.diagonals())
    }

    /// The line on which a piece on this square is pinned to the king, from edge to edge; `None`
    /// where it is not pinned.
    pub fn pin(&self, king: Square, square: Square) -> Option<Bitboard> {
        let enemy = match self.color_at(king) {
            Some(color) => self.color(!color),
            None => Bitboard::EMPTY,
        };
        let occupied = self.occupied() | square.bitboard();
        (self.snipers(king) & enemy)
            .into_iter()
            .find(|&sniper| attacks::between(king, sniper) & occupied == square.bitboard())
            .map(|sniper| attacks::line(king, sniper))
    }

    /// The pieces of both sides that are pinned to the king of their side.
    pub fn pinned(&self, kings: impl Fn(Color) -> Option<Square>) -> Bitboard {
        let is_pinned = |&square: &Square| {
            let king = self.color_at(square).and_then(&kings);
            king.is_some_and(|king| self.pin(king, square).is_some())
        };
        self.occupied().into_iter().filter(is_pinned).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{File, Setup};

    #[test]
    fn pins_of_every_direction() {
        let board = Setup::from_fen("4r2k/1b6/8/q3N3/4K1Rq/3B4/2b5/8 w - -").expect("a FEN");
        let board = board.board;
        let king = |color| board.king(color);
        let pinned: Bitboard = [Square::E5, Square::G4, Square::D3].into_iter().collect();
        assert_eq!(board.pinned(king), pinned);
        assert_eq!(board.pin(Square::E4, Square::E5), Some(File::E.bitboard()));
        assert_eq!(board.pin(Square::E4, Square::F4), None);
    }
}
