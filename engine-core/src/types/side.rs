//! A side as a type, with the directions of its pawns.

use super::{Bitboard, Color};

/// A side as a type parameter: with `White` or `Black` pawn directions are constants, with a
/// `Color` they are looked up and the function is compiled only once for both sides.
pub trait Side: Copy {
    /// The opponent's type.
    type Other: Side<Other = Self>;

    /// The side as a value.
    fn color(self) -> Color;
    /// The opponent.
    fn other(self) -> Self::Other;

    /// Every square one step towards the opponent.
    #[inline(always)]
    fn forward(self, set: Bitboard) -> Bitboard {
        if self.color().is_white() {
            Bitboard(set.0 << 8)
        } else {
            Bitboard(set.0 >> 8)
        }
    }

    /// Diagonal step towards the opponent and the a-file.
    #[inline(always)]
    fn forward_west(self, set: Bitboard) -> Bitboard {
        let set = set.0 & !Bitboard::FILE_A.0;
        Bitboard(if self.color().is_white() {
            set << 7
        } else {
            set >> 9
        })
    }

    /// Diagonal step towards the opponent and the h-file.
    #[inline(always)]
    fn forward_east(self, set: Bitboard) -> Bitboard {
        let set = set.0 & !Bitboard::FILE_H.0;
        Bitboard(if self.color().is_white() {
            set << 9
        } else {
            set >> 7
        })
    }
}

/// White as a type.
#[derive(Clone, Copy, Debug)]
pub struct White;

/// Black as a type.
#[derive(Clone, Copy, Debug)]
pub struct Black;

impl Side for White {
    type Other = Black;

    #[inline(always)]
    fn color(self) -> Color {
        Color::White
    }

    #[inline(always)]
    fn other(self) -> Black {
        Black
    }
}

impl Side for Black {
    type Other = White;

    #[inline(always)]
    fn color(self) -> Color {
        Color::Black
    }

    #[inline(always)]
    fn other(self) -> White {
        White
    }
}

impl Side for Color {
    type Other = Color;

    #[inline(always)]
    fn color(self) -> Color {
        self
    }

    #[inline(always)]
    fn other(self) -> Color {
        !self
    }
}
