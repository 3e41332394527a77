//! Sizes and letters.

use super::colors::INK;
use plotters::style::{IntoFont, TextStyle};

/// `plotters` has integer coordinates only, so pictures are drawn twice as large as they are shown.
pub(super) const SCALE: u32 = 2;
/// The size of most letters, as `plotters` counts it.
pub(super) const LETTERS: u32 = 16 * SCALE;
/// What `plotters` divides a size by for the `font-size` of an SVG.
pub(super) const FONT_RATIO: f64 = 1.24;

/// Text of this size in the colour of ink.
pub(super) fn letters(size: u32) -> TextStyle<'static> {
    TextStyle::from(("sans-serif", size).into_font()).color(&INK)
}
