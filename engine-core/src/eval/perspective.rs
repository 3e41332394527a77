//! Feature indices: the perspective of a side and the bucket of its king.

use crate::rules::Variant;
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
pub const BUCKETS: usize = 12;
/// Weights of one bucket: own and enemy pieces of six roles on 64 squares.
pub const TABLE_SIZE: usize = 2 * 6 * 64;
/// Weights of all buckets.
pub const FEATURES: usize = BUCKETS * TABLE_SIZE;

/// The number of weight tables of a variant: one for each king bucket where pieces move and mate as
/// in standard chess, one for each side where the sides differ, else a single one.
pub const fn tables(variant: Variant) -> usize {
    match variant {
        Variant::Standard | Variant::KingOfTheHill | Variant::ThreeCheck | Variant::Crazyhouse => {
            BUCKETS
        }
        Variant::Horde => 2,
        _ => 1,
    }
}

/// The perspective of one side: its own back rank first, mirrored so that its king is on the king
/// side, with the weights of its king's bucket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Perspective {
    color: Color,
    /// XORed with a square's index: 56 flips ranks, 7 flips files.
    flip: u8,
    /// The index of the first weight of the bucket.
    table: u16,
}

impl Perspective {
    /// The perspective of a side whose king is on this square; the king does not matter in every
    /// variant.
    #[inline]
    pub fn new(variant: Variant, color: Color, king: Option<Square>) -> Perspective {
        // In Racing Kings both sides run to the eighth rank.
        let ranks = if color.is_white() || matches!(variant, Variant::RacingKings) {
            0
        } else {
            56
        };
        let king = match variant {
            Variant::Suicide | Variant::Giveaway | Variant::Antichess => None,
            _ => king,
        };
        let table = match variant {
            Variant::Horde => color.index() * TABLE_SIZE,
            _ => 0,
        };
        let Some(king) = king else {
            return Perspective {
                color,
                flip: ranks,
                table: table as u16,
            };
        };
        let seen = king.index() ^ ranks as usize;
        let (rank, file) = (seen / 8, seen % 8);
        let (right, files) = if file < 4 {
            (3 - file, 7)
        } else {
            (file - 4, 0)
        };
        let table = if tables(variant) == BUCKETS {
            BUCKET_OF_KING[rank][right] * TABLE_SIZE as u16
        } else {
            table as u16
        };
        Perspective {
            color,
            flip: ranks ^ files,
            table,
        }
    }

    /// The index of the weight of a piece on a square, below [`FEATURES`].
    #[inline(always)]
    pub fn feature(self, piece: Piece, square: Square) -> usize {
        let [feature] = self.features(piece, [square]);
        feature
    }

    /// The same for several squares.
    #[inline(always)]
    pub(crate) fn features<const N: usize>(self, piece: Piece, squares: [Square; N]) -> [usize; N] {
        let theirs = usize::from(piece.color != self.color);
        let first = usize::from(self.table) + (theirs * 6 + piece.role.index()) * 64;
        squares.map(|square| first + (square.index() ^ usize::from(self.flip)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Role;

    #[test]
    fn every_feature_is_in_range_and_both_sides_see_alike() {
        for king in Square::ALL {
            let white = Perspective::new(Variant::Standard, Color::White, Some(king));
            let black = Perspective::new(Variant::Standard, Color::Black, Some(king.flip()));
            for square in Square::ALL {
                for role in Role::ALL {
                    let own = white.feature(role.of(Color::White), square);
                    let enemy = white.feature(role.of(Color::Black), square);
                    assert!(own < FEATURES && enemy < FEATURES && own != enemy);
                    assert_eq!(own, black.feature(role.of(Color::Black), square.flip()));
                    assert_eq!(enemy, black.feature(role.of(Color::White), square.flip()));
                }
            }
        }
    }

    #[test]
    fn the_king_is_seen_on_the_right() {
        let perspective = Perspective::new(Variant::Standard, Color::Black, Some(Square::C8));
        let seen = perspective.feature(Role::King.of(Color::Black), Square::C8) % 64;
        assert_eq!(Square::ALL[seen], Square::F1);
    }
}
