//! How a side looks at the board: from its own king.

use crate::rules::Variant;
use crate::types::{Color, Piece, Square};

/// The table of weights that a king on each square of the right half asks for, its own back rank
/// first. A king on the left half looks at the board in a mirror.
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

/// Tables for different places of the king.
pub const BUCKETS: usize = 12;
/// Weights in one table: own and enemy pieces of six roles on 64 squares.
pub const TABLE_SIZE: usize = 2 * 6 * 64;
/// Weights of all tables.
pub const FEATURES: usize = BUCKETS * TABLE_SIZE;

/// The tables of a variant: for each place of the king where chess is played much as usual, one for
/// each side where they play different games, else a single one.
pub const fn tables(variant: Variant) -> usize {
    match variant {
        Variant::Standard | Variant::KingOfTheHill | Variant::ThreeCheck | Variant::Crazyhouse => {
            BUCKETS
        }
        Variant::Horde => 2,
        _ => 1,
    }
}

/// How one side looks at the board: with its own back rank below, in a mirror that has its king
/// on the right, through the table of weights that fits the king's place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct View {
    color: Color,
    /// What turns a square into the one seen: 56 flips ranks, 7 flips files.
    flip: u8,
    /// Where the table begins.
    table: u16,
}

impl View {
    /// The view of a side whose king stands here, if it has one that matters.
    #[inline]
    pub fn new(variant: Variant, color: Color, king: Option<Square>) -> View {
        // Racing kings all run the same way.
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
            return View {
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
        View {
            color,
            flip: ranks ^ files,
            table,
        }
    }

    /// The weight that counts for a piece on a square, as a number below [`FEATURES`].
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
            let white = View::new(Variant::Standard, Color::White, Some(king));
            let black = View::new(Variant::Standard, Color::Black, Some(king.flip()));
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
        let view = View::new(Variant::Standard, Color::Black, Some(Square::C8));
        let seen = view.feature(Role::King.of(Color::Black), Square::C8) % 64;
        assert_eq!(Square::ALL[seen], Square::F1);
    }
}
