//! The two sides, as a value (`Color`) and as a type (`Side`).

use super::{Bitboard, Rank};
use core::ops::{Index, IndexMut, Not};

/// One of the two sides.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[repr(u8)]
pub enum Color {
    /// The side that moves first.
    White = 0,
    /// The side that moves second.
    Black = 1,
}

impl Color {
    /// White, then Black.
    pub const ALL: [Color; 2] = [Color::White, Color::Black];

    /// `0` for White, `1` for Black.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// `White` for true.
    #[inline(always)]
    pub const fn from_white(white: bool) -> Color {
        if white { Color::White } else { Color::Black }
    }

    /// Whether this is White.
    #[inline(always)]
    pub const fn is_white(self) -> bool {
        matches!(self, Color::White)
    }

    /// The letter of the FEN field: `w` or `b`.
    pub const fn letter(self) -> char {
        if self.is_white() { 'w' } else { 'b' }
    }

    /// `white` or `black`.
    pub const fn name(self) -> &'static str {
        if self.is_white() { "white" } else { "black" }
    }

    /// The rank as this side counts it: its own first rank is `Rank::First`.
    #[inline(always)]
    pub const fn relative_rank(self, rank: Rank) -> Rank {
        if self.is_white() {
            rank
        } else {
            Rank::ALL[7 - rank as usize]
        }
    }

    /// The rank where this side's pieces start.
    #[inline(always)]
    pub const fn backrank(self) -> Rank {
        self.relative_rank(Rank::First)
    }
}

impl Not for Color {
    type Output = Color;

    #[inline(always)]
    fn not(self) -> Color {
        Color::from_white(!self.is_white())
    }
}

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

/// One value for each side, indexed by `Color`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(transparent)]
pub struct ByColor<T>(pub [T; 2]);

impl<T> Index<Color> for ByColor<T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, color: Color) -> &T {
        &self.0[color.index()]
    }
}

impl<T> IndexMut<Color> for ByColor<T> {
    #[inline(always)]
    fn index_mut(&mut self, color: Color) -> &mut T {
        &mut self.0[color.index()]
    }
}
