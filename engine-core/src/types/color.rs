//! The two sides.

use core::fmt;
use core::ops::{Index, IndexMut, Not};
use core::str::FromStr;

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

    /// `white` or `black`. For the name of the player, `White` or `Black`, there is `Display`.
    pub const fn name(self) -> &'static str {
        if self.is_white() { "white" } else { "black" }
    }
}

/// The player of this colour, as text names them: `White` or `Black`.
///
/// ```
/// use engine_core::Color;
///
/// assert_eq!(format!("{} to move", Color::Black), "Black to move");
/// ```
impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(if self.is_white() { "White" } else { "Black" })
    }
}

/// Text that is not the name of a side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseColorError;

impl fmt::Display for ParseColorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a side: expected `white` or `black`")
    }
}

impl core::error::Error for ParseColorError {}

/// Reads `white` or `black` in any case, or the letter of the FEN field.
///
/// ```
/// use engine_core::Color;
///
/// for color in Color::ALL {
///     assert_eq!(color.name().parse(), Ok(color));
///     assert_eq!(color.to_string().parse(), Ok(color));
///     assert_eq!(color.letter().to_string().parse(), Ok(color));
/// }
/// assert!("B".parse::<Color>().is_err());
/// ```
impl FromStr for Color {
    type Err = ParseColorError;

    fn from_str(text: &str) -> Result<Color, ParseColorError> {
        let is_meant = |color: &Color| {
            text.eq_ignore_ascii_case(color.name()) || text.chars().eq([color.letter()])
        };
        let found = Color::ALL.into_iter().find(is_meant);
        found.ok_or(ParseColorError)
    }
}

impl Not for Color {
    type Output = Color;

    #[inline(always)]
    fn not(self) -> Color {
        Color::from_white(!self.is_white())
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
