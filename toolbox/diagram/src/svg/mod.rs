//! Boards as scalable images (SVG 1.1). Letters are drawn as strokes; a caption uses a font only if
//! one of its letters has no strokes.

mod animation;
mod arrow;
mod bar;
mod canvas;
mod color;
mod diagram;
mod evaluation;
mod glyph;
mod layout;
mod pieces;
mod strokes;
mod surroundings;
mod theme;
mod xml;

pub use animation::{Animation, AnimationStep};
pub use arrow::{Arrow, ParseArrowError};
pub use color::is_css_color;
pub use diagram::{Diagram, InHand};
pub use evaluation::Evaluation;
pub use theme::{Theme, UnknownTheme};

/// What images of another layout are made of, too.
pub mod parts {
    pub use super::glyph::{can_draw, push as push_word, width as word_width};
    pub use super::pieces::define as define_piece;
    pub use super::theme::{ARROWS, split_alpha};
    pub use super::xml::Escaped;
}

use canvas::Canvas;
use engine_core::Piece;
use pieces::SQUARE;
use std::fmt::Write;
use xml::Short;

impl Diagram {
    /// The image, as SVG.
    pub fn svg(&self) -> String {
        let mut canvas = Canvas::open(self);
        canvas.define(|role| self.board.role(role).any() || self.in_hand().has(role));
        canvas.squares();
        canvas.pieces();
        canvas.marks();
        canvas.panels();
        canvas.close()
    }
}

/// An image of one piece on an empty square, in the colours of a theme.
///
/// ```
/// use diagram::{Theme, piece_svg};
/// use engine_core::{Color, Role};
///
/// let svg = piece_svg(Role::Knight.of(Color::White), &Theme::default(), Some(90));
/// assert!(svg.starts_with("<svg ") && svg.contains("viewBox=\"0 0 45 45\" width=\"90\""));
/// ```
pub fn piece_svg(piece: Piece, theme: &Theme, size: Option<u32>) -> String {
    let side = Short(SQUARE);
    let mut text =
        format!(r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {side}""#);
    if let Some(size) = size {
        // Writing to a string cannot fail.
        let _ = write!(text, r#" width="{size}" height="{size}""#);
    }
    text.push('>');
    theme.begin_pieces(piece.color, &mut text);
    pieces::define(piece.role, &mut text);
    text + "</g></svg>"
}

#[cfg(test)]
mod tests;
