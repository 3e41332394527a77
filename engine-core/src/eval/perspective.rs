//! Feature indices: the perspective of a side and the bucket of its king.

use crate::types::{Color, Piece, Square};

/// The bucket of a king on each square of the king side, its own back rank first. With a king on
/// the queen side the board is mirrored.
const BUCKET_OF_KING: [[u16; 4]; 8] = [
    [0, 1, 2, 3],
    [4, 5, 6, 7],
    [8, 8, 9, 9],
    [8, 8, 9, 9],
    [10, 10, 11, 11],
    [10, 10, 11, 11],
    [10, 10, 11, 11],
    [10, 10, 11, 11],
];

/// King buckets.
const BUCKETS: usize = 12;

/// The same for the vectors, which need more games to learn: in the centre, castled, on the second
/// rank, further on.
const VECTOR_BUCKET_OF_KING: [[u16; 4]; 8] = [
    [0, 0, 1, 1],
    [2, 2, 2, 2],
    [3, 3, 3, 3],
    [3, 3, 3, 3],
    [3, 3, 3, 3],
    [3, 3, 3, 3],
    [3, 3, 3, 3],
    [3, 3, 3, 3],
];

/// King buckets of the vectors.
const VECTOR_BUCKETS: usize = 4;

/// Weights of one bucket for own and enemy pieces of six roles on 64 squares.
pub const TABLE_SIZE: usize = 2 * 6 * 64;

/// The layout of a variant's weights: how they are divided into tables, and how a side sees the
/// board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WeightsLayout {
    tables: TableDivision,
    vectors: TableDivision,
    /// Features of each side beside its pieces on squares: see [`EvalRules::extra_features`].
    ///
    /// [`EvalRules::extra_features`]: super::EvalRules::extra_features
    extras: u8,
    /// Whether Black sees the board from its own back rank.
    flipped: bool,
    /// Whether a side sees the board mirrored if its king is on the queen side.
    mirrored: bool,
}

/// Which tables of weights there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum TableDivision {
    Single,
    BySide,
    ByKingBucket,
}

impl WeightsLayout {
    /// A table for each king bucket.
    pub(super) const KING_BUCKETS: WeightsLayout = WeightsLayout {
        tables: TableDivision::ByKingBucket,
        vectors: TableDivision::ByKingBucket,
        extras: 0,
        flipped: true,
        mirrored: true,
    };
    /// A table for each king bucket, but a single set of vectors, which needs fewer games to learn.
    pub(super) const SINGLE_VECTORS: WeightsLayout = WeightsLayout {
        vectors: TableDivision::Single,
        ..WeightsLayout::KING_BUCKETS
    };
    /// A single table, mirrored by the king.
    pub(super) const MIRRORED: WeightsLayout = WeightsLayout {
        tables: TableDivision::Single,
        ..WeightsLayout::SINGLE_VECTORS
    };
    /// A table for each side, where the sides play different games.
    pub(super) const BY_SIDE: WeightsLayout = WeightsLayout {
        tables: TableDivision::BySide,
        vectors: TableDivision::BySide,
        ..WeightsLayout::KING_BUCKETS
    };
    /// A single table for both sides, which run to the same rank.
    pub(super) const RACE: WeightsLayout = WeightsLayout {
        flipped: false,
        ..WeightsLayout::MIRRORED
    };
    /// A single table, where the king is a piece like others.
    pub(super) const KINGLESS: WeightsLayout = WeightsLayout {
        mirrored: false,
        ..WeightsLayout::MIRRORED
    };

    /// The same with this many features of each side beside its pieces on squares, 32 at most.
    pub(super) const fn with_extras(self, extras: u8) -> WeightsLayout {
        assert!(extras <= 32);
        WeightsLayout { extras, ..self }
    }

    /// The number of tables.
    pub const fn tables(self) -> usize {
        match self.tables {
            TableDivision::Single => 1,
            TableDivision::BySide => 2,
            TableDivision::ByKingBucket => BUCKETS,
        }
    }

    /// Weights of one table, and vectors of one bucket: [`TABLE_SIZE`] for the pieces on squares,
    /// then the extra features, first the own.
    pub const fn table_size(self) -> usize {
        TABLE_SIZE + 2 * self.extras()
    }

    /// Features of each side beside its pieces on squares.
    pub const fn extras(self) -> usize {
        self.extras as usize
    }

    /// The number of vectors.
    pub const fn vector_rows(self) -> usize {
        self.table_size()
            * match self.vectors {
                TableDivision::Single => 1,
                TableDivision::BySide => 2,
                TableDivision::ByKingBucket => VECTOR_BUCKETS,
            }
    }
}

/// The perspective of one side: its own back rank first, mirrored so that its king is on the king
/// side, with the weights of its king's bucket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Perspective {
    color: Color,
    /// What a square's index is combined with by XOR: 56 flips ranks, 7 flips files.
    flip: u8,
    /// The index of the first weight of the bucket.
    table: u16,
    /// The index of the first vector of the bucket.
    vectors: u16,
}

impl Perspective {
    /// The perspective of a side with its king on this square.
    #[inline]
    pub fn new(layout: WeightsLayout, color: Color, king: Option<Square>) -> Perspective {
        let ranks = if layout.flipped && !color.is_white() {
            56
        } else {
            0
        };
        let size = layout.table_size() as u16;
        let side_table = match layout.tables {
            TableDivision::BySide => color.index() as u16 * size,
            TableDivision::Single | TableDivision::ByKingBucket => 0,
        };
        let Some(king) = king.filter(|_| layout.mirrored) else {
            return Perspective {
                color,
                flip: ranks,
                table: side_table,
                vectors: side_table,
            };
        };
        let seen = king.index() ^ usize::from(ranks);
        let (rank, file) = (seen / 8, seen % 8);
        let (bucket_file, files) = if file < 4 {
            (3 - file, 7)
        } else {
            (file - 4, 0)
        };
        let first = |tables, buckets: &[[u16; 4]; 8]| match tables {
            TableDivision::ByKingBucket => buckets[rank][bucket_file] * size,
            TableDivision::Single | TableDivision::BySide => side_table,
        };
        Perspective {
            color,
            flip: ranks ^ files,
            table: first(layout.tables, &BUCKET_OF_KING),
            vectors: first(layout.vectors, &VECTOR_BUCKET_OF_KING),
        }
    }

    /// The index of the weight of a piece on a square, below the tables times
    /// [`WeightsLayout::table_size`].
    #[inline(always)]
    pub fn feature(self, piece: Piece, square: Square) -> usize {
        usize::from(self.table) + self.seen(piece, square)
    }

    /// The index of the vector of a piece on a square, below [`WeightsLayout::vector_rows`].
    #[inline(always)]
    pub fn vector_row(self, piece: Piece, square: Square) -> usize {
        usize::from(self.vectors) + self.seen(piece, square)
    }

    /// The indices of the weight and the vector of one of a side's extra features.
    #[inline(always)]
    pub fn extra_feature(self, layout: WeightsLayout, color: Color, extra: usize) -> [usize; 2] {
        let theirs = usize::from(color != self.color);
        let seen = TABLE_SIZE + theirs * layout.extras() + extra;
        [self.table, self.vectors].map(|first| usize::from(first) + seen)
    }

    /// The index within one table.
    #[inline(always)]
    fn seen(self, piece: Piece, square: Square) -> usize {
        let theirs = usize::from(piece.color != self.color);
        (theirs * 6 + piece.role.index()) * 64 + (square.index() ^ usize::from(self.flip))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Role;

    #[test]
    fn every_feature_is_in_range_and_both_sides_see_alike() {
        for king in Square::ALL {
            let white = Perspective::new(WeightsLayout::KING_BUCKETS, Color::White, Some(king));
            let black =
                Perspective::new(WeightsLayout::KING_BUCKETS, Color::Black, Some(king.flip()));
            for square in Square::ALL {
                for role in Role::ALL {
                    let own = white.feature(role.of(Color::White), square);
                    let enemy = white.feature(role.of(Color::Black), square);
                    let layout = WeightsLayout::KING_BUCKETS;
                    let features = layout.tables() * TABLE_SIZE;
                    assert!(own < features && enemy < features && own != enemy);
                    let row = white.vector_row(role.of(Color::Black), square);
                    assert!(row < layout.vector_rows() && row % TABLE_SIZE == enemy % TABLE_SIZE);
                    assert_eq!(own, black.feature(role.of(Color::Black), square.flip()));
                    assert_eq!(enemy, black.feature(role.of(Color::White), square.flip()));
                }
            }
        }
    }

    #[test]
    fn the_king_is_seen_on_the_right() {
        let perspective =
            Perspective::new(WeightsLayout::KING_BUCKETS, Color::Black, Some(Square::C8));
        let seen = perspective.feature(Role::King.of(Color::Black), Square::C8) % 64;
        assert_eq!(Square::ALL[seen], Square::F1);
    }
}
