//! Sizes and letters.

use super::colors::INK;
use plotters::style::{IntoFont, TextStyle};

/// `plotters` has integer coordinates only, so pictures are drawn twice as large as they are shown.
pub(super) const SCALE: u32 = 2;
/// The size of most letters; the crate divides it by 1.24.
pub(super) const LETTERS: u32 = 16 * SCALE;

/// Text of this size in the colour of ink.
pub(super) fn letters(size: u32) -> TextStyle<'static> {
    TextStyle::from(("sans-serif", size).into_font()).color(&INK)
}
