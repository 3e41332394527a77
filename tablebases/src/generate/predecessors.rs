//! Quiet moves, many positions at a time.

use super::space::{Row, Space};
use engine_core::{Bitboard, Color, Piece, Role, attacks};

impl Space {
    /// The kings and the first extra piece.
    #[inline]
    pub(super) fn occupied(&self, row: Row) -> Bitboard {
        match self.first {
            Some(_) => row.kings() | row.first.bitboard(),
            None => row.kings(),
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
        let (kings, occupied) = (row.kings(), self.occupied(row));
        for to in attacks::king(row.king[turn]) - occupied {
            let (symmetry, number) = self.find(row.with_king(turn, to));
            found |= symmetry.undo(targets[number]) - to.bitboard();
        }
        let own = |piece: &Piece| piece.color == turn && piece.role != Role::Pawn;
        if let Some(piece) = self.first.filter(own)
            && (wanted - found).any()
        {
            for to in attacks::piece(piece, row.first, kings) - kings {
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
                .filter(|&from| (attacks::piece(self.second, from, occupied) & target).any())
                .collect();
        }
        found & wanted
    }

    /// The squares of the second extra piece with which this side attacks the other king.
    pub(super) fn checks(&self, by: Color, row: Row) -> Bitboard {
        let king = row.king[!by];
        let mut checks = Bitboard::EMPTY;
        if let Some(piece) = self.first.filter(|piece| piece.color == by)
            && attacks::piece(piece, row.first, row.kings()).has(king)
        {
            checks |= !attacks::between(row.first, king);
        }
        if self.second.color == by {
            // Looking back from the king, a pawn is one of the other colour.
            let back = self.second.role.of(!by);
            checks |= attacks::piece(back, king, self.occupied(row));
        }
        checks
    }
}
