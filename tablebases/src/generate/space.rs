//! How the positions of some material are kept while they are solved.
//!
//! A position is White's king, Black's king, and up to two more pieces, here called first and
//! second. Symmetry brings White's king into a triangle, or with pawns onto the left half of the
//! board. All squares of the second piece make a set of 64 bits, a *row*, so that one operation
//! treats 64 positions.

use super::symmetry::Symmetry;
use crate::Material;
use engine_core::{Bitboard, ByColor, Color, File, Piece, Rank, Role, Square, attacks};

/// Material of three or four pieces, and where its positions are kept.
#[derive(Clone, Debug)]
pub(super) struct Space {
    /// The first piece beside the kings; of three pieces there is only the second.
    pub(super) first: Option<Piece>,
    pub(super) second: Piece,
    /// The squares of White's king in the positions that are kept.
    canonical_kings: Vec<Square>,
    /// For every square of White's king: the symmetry that makes it canonical, and the number of that square.
    symmetries: Vec<(Symmetry, usize)>,
}

/// The squares that all positions of a row share; the side to move is kept apart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) king: ByColor<Square>,
    /// Where the first extra piece stands, if there is one.
    pub(super) first: Square,
}

impl Row {
    #[inline]
    pub(super) fn kings(self) -> Bitboard {
        self.king[Color::White].bitboard() | self.king[Color::Black].bitboard()
    }

    #[inline]
    pub(super) fn kings_touch(self) -> bool {
        attacks::king(self.king[Color::White]).has(self.king[Color::Black])
    }

    /// The row with the king of one side on another square.
    #[inline]
    pub(super) fn with_king(mut self, color: Color, square: Square) -> Row {
        self.king[color] = square;
        self
    }
}

impl Space {
    /// The positions of normalized material; `None` unless it has three or four pieces, two of
    /// them kings.
    pub(super) fn new(material: Material) -> Option<Space> {
        let kings = Color::ALL.map(|color| material.count(Role::King.of(color)));
        let mut extras = material
            .iter()
            .filter(|(piece, _)| piece.role != Role::King)
            .flat_map(|(piece, count)| std::iter::repeat_n(piece, count as usize))
            .collect::<Vec<_>>();
        if kings != [1, 1] || !matches!(extras.len(), 1 | 2) {
            return None;
        }
        // A pawn comes first, so that all positions of a row have it on one square; with a pawn
        // on either side White's.
        extras.sort_by_key(|piece| (piece.role != Role::Pawn, piece.color));
        let second = extras.pop()?;
        let has_pawns = material.has_pawns();
        let symmetry = |square: Square| {
            let mirror = square.file() > File::D;
            let flip = !has_pawns && square.rank() > Rank::Fourth;
            let half = Symmetry {
                mirror,
                flip,
                transpose: false,
            };
            let turned = half.square(square);
            let above = turned.rank().index() > turned.file().index();
            Symmetry {
                transpose: !has_pawns && above,
                ..half
            }
        };
        let canonical_kings: Vec<Square> = Bitboard::FULL
            .into_iter()
            .filter(|&square| symmetry(square) == Symmetry::default())
            .collect();
        let symmetries = Bitboard::FULL.into_iter().map(|square| {
            let king = symmetry(square).square(square);
            let king = canonical_kings.iter().position(|&other| other == king);
            (symmetry(square), king.unwrap_or(0))
        });
        Some(Space {
            first: extras.pop(),
            second,
            symmetries: symmetries.collect(),
            canonical_kings,
        })
    }

    /// How many places the first extra piece has.
    fn firsts(&self) -> usize {
        if self.first.is_some() { 64 } else { 1 }
    }

    /// The number of rows.
    pub(super) fn rows(&self) -> usize {
        self.canonical_kings.len() * 64 * self.firsts()
    }

    /// The row of a number.
    pub(super) fn row(&self, number: usize) -> Row {
        let firsts = self.firsts();
        Row {
            king: ByColor([
                self.canonical_kings[number / (64 * firsts)],
                Square::from_index_masked(number / firsts),
            ]),
            first: Square::from_index_masked(number % firsts),
        }
    }

    /// The number of the equivalent row that is kept, and the symmetry that leads to it.
    #[inline]
    pub(super) fn find(&self, row: Row) -> (Symmetry, usize) {
        let (symmetry, king) = self.symmetries[row.king[Color::White].index()];
        let black_king = symmetry.square(row.king[Color::Black]).index();
        let kings = king * 64 + black_king;
        let number = match self.first {
            Some(_) => kings * 64 + symmetry.square(row.first).index(),
            None => kings,
        };
        (symmetry, number)
    }
}
