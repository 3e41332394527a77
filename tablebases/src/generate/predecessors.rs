//! Quiet moves, many positions at a time.

use super::space::{Row, Space};
use engine_core::{Bitboard, Color, Piece, Role, Square, attacks};

/// The squares that a piece attacks.
#[inline]
pub(super) fn attacked(piece: Piece, from: Square, occupied: Bitboard) -> Bitboard {
    match piece.role {
        Role::Pawn => attacks::pawn(piece.color, from),
        Role::Knight => attacks::knight(from),
        Role::Bishop => attacks::bishop(from, occupied),
        Role::Rook => attacks::rook(from, occupied),
        Role::Queen => attacks::queen(from, occupied),
        Role::King => attacks::king(from),
    }
}

impl Space {
    /// The kings and the first extra piece.
    #[inline]
    pub(super) fn occupied(&self, row: Row) -> Bitboard {
        let kings = row.white_king.bitboard() | row.black_king.bitboard();
        match self.first {
            Some(_) => kings | row.first.bitboard(),
            None => kings,
        }
    }

    /// The squares of the second extra piece, among those wanted, from which a quiet move other
    /// than a pawn's leads to one of the targets, legal positions of the other side, by row.
    pub(super) fn predecessors(
        &self,
        turn: Color,
        row: Row,
        wanted: Bitboard,
        targets: &[Bitboard],
    ) -> Bitboard {
        let mut found = Bitboard::EMPTY;
        let kings = row.white_king.bitboard() | row.black_king.bitboard();
        let occupied = self.occupied(row);
        let king = match turn {
            Color::White => row.white_king,
            Color::Black => row.black_king,
        };
        for to in attacks::king(king) - occupied {
            let after = match turn {
                Color::White => Row {
                    white_king: to,
                    ..row
                },
                Color::Black => Row {
                    black_king: to,
                    ..row
                },
            };
            let (symmetry, number) = self.find(after);
            found |= symmetry.undo(targets[number]) - to.bitboard();
        }
        let own = |piece: &Piece| piece.color == turn && piece.role != Role::Pawn;
        if let Some(piece) = self.first.filter(own)
            && (wanted - found).any()
        {
            for to in attacked(piece, row.first, kings) - kings {
                let (_, number) = self.find(Row { first: to, ..row });
                let path = attacks::between(row.first, to) | to.bitboard();
                found |= targets[number] - path;
            }
        }
        let (_, number) = self.find(row);
        let target = targets[number];
        if own(&self.second) && target.any() {
            found |= (wanted - found)
                .into_iter()
                .filter(|&from| (attacked(self.second, from, occupied) & target).any())
                .collect();
        }
        found & wanted
    }

    /// The squares of the second extra piece with which this side attacks the other king.
    pub(super) fn checks(&self, by: Color, row: Row) -> Bitboard {
        let king = match by {
            Color::White => row.black_king,
            Color::Black => row.white_king,
        };
        let kings = row.white_king.bitboard() | row.black_king.bitboard();
        let mut checks = Bitboard::EMPTY;
        if let Some(piece) = self.first.filter(|piece| piece.color == by)
            && attacked(piece, row.first, kings).has(king)
        {
            checks |= !attacks::between(row.first, king);
        }
        if self.second.color == by {
            // Looking back from the king, a pawn is one of the other colour.
            let back = self.second.role.of(!by);
            checks |= attacked(back, king, self.occupied(row));
        }
        checks
    }
}
