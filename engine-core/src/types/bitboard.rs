//! Sets of squares.

use super::{File, Rank, Square};
use core::fmt;
use core::iter::FusedIterator;
use core::ops::{
    BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub, SubAssign,
};

/// A set of squares: bit 0 is a1, bit 63 is h8.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
#[repr(transparent)]
pub struct Bitboard(pub u64);

impl Bitboard {
    /// No square.
    pub const EMPTY: Bitboard = Bitboard(0);
    /// All squares.
    pub const FULL: Bitboard = Bitboard(!0);
    /// The a-file.
    pub const FILE_A: Bitboard = Bitboard(0x0101_0101_0101_0101);
    /// The h-file.
    pub const FILE_H: Bitboard = Bitboard(0x8080_8080_8080_8080);
    /// The first and the eighth rank.
    pub const BACKRANKS: Bitboard = Bitboard(0xff00_0000_0000_00ff);
    /// a1, c1, … h8.
    pub const DARK_SQUARES: Bitboard = Bitboard(0xaa55_aa55_aa55_aa55);
    /// b1, d1, … g8.
    pub const LIGHT_SQUARES: Bitboard = Bitboard(0x55aa_55aa_55aa_55aa);
    /// The four corners.
    pub const CORNERS: Bitboard = Bitboard(0x8100_0000_0000_0081);

    /// Whether there is no square.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether there is a square.
    #[inline(always)]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// Whether there are two squares or more.
    #[inline(always)]
    pub const fn more_than_one(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// The number of squares.
    #[inline(always)]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether the square is in the set.
    #[inline(always)]
    pub const fn has(self, square: Square) -> bool {
        self.0 >> square as u32 & 1 != 0
    }

    /// The lowest square.
    #[inline(always)]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 {
            None
        } else {
            Some(Square::from_index_masked(self.0.trailing_zeros() as usize))
        }
    }

    /// The lowest square, or a1 from the empty set; for sets known to hold one.
    #[inline(always)]
    pub const fn first_or_a1(self) -> Square {
        Square::from_index_masked(self.0.trailing_zeros() as usize)
    }

    /// The highest square.
    #[inline(always)]
    pub const fn last(self) -> Option<Square> {
        if self.0 == 0 {
            None
        } else {
            Some(Square::from_index_masked(
                63 - self.0.leading_zeros() as usize,
            ))
        }
    }

    /// The only square of a set of one.
    pub const fn single(self) -> Option<Square> {
        if self.more_than_one() {
            None
        } else {
            self.first()
        }
    }

    /// Whether all squares of this set are in the other.
    #[inline(always)]
    pub const fn is_subset(self, other: Bitboard) -> bool {
        self.0 & !other.0 == 0
    }

    /// Whether all squares of the other set are in this one.
    ///
    /// ```
    /// use engine_core::{Bitboard, Square};
    ///
    /// assert!(Bitboard::FULL.is_superset(Square::E4.into()));
    /// assert!(!Bitboard::EMPTY.is_superset(Square::E4.into()));
    /// ```
    #[inline(always)]
    pub const fn is_superset(self, other: Bitboard) -> bool {
        other.is_subset(self)
    }

    /// Whether the sets have no square in common.
    ///
    /// ```
    /// use engine_core::{Bitboard, Square};
    ///
    /// let square = Bitboard::from(Square::E4);
    /// assert!(square.is_disjoint(Square::E5.into()));
    /// assert!(!square.is_disjoint(square));
    /// ```
    #[inline(always)]
    pub const fn is_disjoint(self, other: Bitboard) -> bool {
        self.0 & other.0 == 0
    }

    /// All subsets, from the empty set to this set itself, in the order of their numbers. By the
    /// carry-rippler: <https://www.chessprogramming.org/Traversing_Subsets_of_a_Set>.
    ///
    /// ```
    /// use engine_core::{Bitboard, bitboard};
    ///
    /// let set = bitboard! {
    ///     . . . . . . . .
    ///     . . . . . . . .
    ///     . . . . . . . .
    ///     . . . . . . . .
    ///     . . . . . . . .
    ///     . . . . . . . .
    ///     . . X . . . . .
    ///     X . . . . X . .
    /// };
    /// assert_eq!(set.subsets().count(), 8);
    /// assert!(set.subsets().all(|subset| subset.is_subset(set)));
    /// assert_eq!(set.subsets().next(), Some(Bitboard::EMPTY));
    /// assert_eq!(set.subsets().last(), Some(set));
    /// ```
    pub fn subsets(self) -> impl Iterator<Item = Bitboard> {
        let next = move |&Bitboard(subset): &Bitboard| {
            (subset != self.0).then(|| Bitboard(subset.wrapping_sub(self.0) & self.0))
        };
        core::iter::successors(Some(Bitboard::EMPTY), next)
    }

    /// Top to bottom.
    #[inline(always)]
    pub const fn flip(self) -> Bitboard {
        Bitboard(self.0.swap_bytes())
    }

    /// Union in constant expressions.
    #[inline(always)]
    pub const fn or(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 | other.0)
    }
}

impl File {
    /// All squares of this file.
    #[inline(always)]
    pub const fn bitboard(self) -> Bitboard {
        Bitboard(Bitboard::FILE_A.0 << self as u32)
    }
}

impl Rank {
    /// All squares of this rank.
    #[inline(always)]
    pub const fn bitboard(self) -> Bitboard {
        Bitboard(0xff << (8 * self as u32))
    }
}

impl Square {
    /// The set of this square alone.
    #[inline(always)]
    pub const fn bitboard(self) -> Bitboard {
        Bitboard(1 << self as u32)
    }
}

macro_rules! set_operator {
    ($trait:ident $method:ident $assign:ident $assign_method:ident |$a:ident, $b:ident| $value:expr) => {
        impl $trait for Bitboard {
            type Output = Bitboard;

            #[inline(always)]
            fn $method(self, other: Bitboard) -> Bitboard {
                let ($a, $b) = (self.0, other.0);
                Bitboard($value)
            }
        }

        impl $assign for Bitboard {
            #[inline(always)]
            fn $assign_method(&mut self, other: Bitboard) {
                let ($a, $b) = (self.0, other.0);
                self.0 = $value;
            }
        }
    };
}

set_operator!(BitAnd bitand BitAndAssign bitand_assign |a, b| a & b);
set_operator!(BitOr bitor BitOrAssign bitor_assign |a, b| a | b);
set_operator!(BitXor bitxor BitXorAssign bitxor_assign |a, b| a ^ b);
set_operator!(Sub sub SubAssign sub_assign |a, b| a & !b);

impl Not for Bitboard {
    type Output = Bitboard;

    #[inline(always)]
    fn not(self) -> Bitboard {
        Bitboard(!self.0)
    }
}

impl From<Square> for Bitboard {
    #[inline(always)]
    fn from(square: Square) -> Bitboard {
        square.bitboard()
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Bitboard {
        squares
            .into_iter()
            .fold(Bitboard::EMPTY, |set, square| set | square.bitboard())
    }
}

/// The squares of a set, lowest first.
#[derive(Clone, Debug)]
pub struct Squares(u64);

impl Iterator for Squares {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        let square = Bitboard(self.0).first()?;
        self.0 &= self.0 - 1;
        Some(square)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.0.count_ones() as usize;
        (count, Some(count))
    }
}

impl DoubleEndedIterator for Squares {
    #[inline]
    fn next_back(&mut self) -> Option<Square> {
        let square = Bitboard(self.0).last()?;
        self.0 ^= square.bitboard().0;
        Some(square)
    }
}

impl ExactSizeIterator for Squares {}

impl FusedIterator for Squares {}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline(always)]
    fn into_iter(self) -> Squares {
        Squares(self.0)
    }
}

/// Eight lines of `X` and `.`, the eighth rank first.
impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..8).rev() {
            for file in 0..8 {
                let has = self.0 >> (rank * 8 + file) & 1 != 0;
                f.write_str(if has { "X" } else { "." })?;
                f.write_str(if file < 7 { " " } else { "\n" })?;
            }
        }
        Ok(())
    }
}

/// A set of squares drawn as a board, the eighth rank first: `X` is in the set, `.` is not.
///
/// ```
/// use engine_core::{bitboard, Square};
///
/// let ring = bitboard! {
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     X X X . . . . .
///     X . X . . . . .
///     X X X . . . . .
/// };
/// assert_eq!(ring.count(), 8);
/// assert!(!ring.has(Square::B2));
/// ```
#[macro_export]
macro_rules! bitboard {
    ($($token:tt)*) => {{
        const TOKENS: &[u8] = concat!($(stringify!($token)),*).as_bytes();
        const SET: $crate::Bitboard = $crate::Bitboard::from_picture(TOKENS);
        SET
    }};
}

impl Bitboard {
    /// Reads a picture of 64 marks; the compile-time half of [`bitboard!`](crate::bitboard).
    ///
    /// # Panics
    /// When there are not exactly 64 marks `X` or `.`.
    pub const fn from_picture(marks: &[u8]) -> Bitboard {
        assert!(marks.len() == 64, "a board picture has 64 marks");
        let mut set = 0;
        let mut i = 0;
        while i < 64 {
            match marks[i] {
                b'X' => set |= 1 << (i ^ 0x38),
                b'.' => {}
                _ => panic!("a board picture has the marks X and . only"),
            }
            i += 1;
        }
        Bitboard(set)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iteration_is_ordered_and_complete() {
        let set = bitboard! {
            . . . . . . . X
            . . . . . . . .
            . . . X . . . .
            . . . . . . . .
            . . . . X . . .
            . . . . . . . .
            . X . . . . . .
            X . . . . . . .
        };
        let squares = [Square::A1, Square::B2, Square::E4, Square::D6, Square::H8];
        assert!(set.into_iter().eq(squares));
        assert_eq!(squares.into_iter().collect::<Bitboard>(), set);
        assert_eq!(set.into_iter().len(), 5);
        assert_eq!(
            (set.first(), set.last()),
            (Some(Square::A1), Some(Square::H8))
        );
        assert_eq!(set.flip().first(), Some(Square::H1));
        assert_eq!(Bitboard::from(Square::C3).single(), Some(Square::C3));
        assert_eq!(set.single(), None);
    }

    #[test]
    fn the_empty_set_has_no_squares() {
        assert_eq!(Bitboard::EMPTY.first(), None);
        assert_eq!(Bitboard::EMPTY.last(), None);
        assert_eq!(Bitboard::EMPTY.single(), None);
        assert_eq!(Bitboard::EMPTY.first_or_a1(), Square::A1);
        assert!(!Bitboard::EMPTY.more_than_one());
    }

    #[test]
    fn operators_are_those_of_sets() {
        let (a, b) = (Bitboard(0b1100), Bitboard(0b1010));
        assert_eq!(a & b, Bitboard(0b1000));
        assert_eq!(a | b, Bitboard(0b1110));
        assert_eq!(a ^ b, Bitboard(0b0110));
        assert_eq!(a - b, Bitboard(0b0100));
        assert_eq!(!Bitboard::EMPTY, Bitboard::FULL);
    }
}
