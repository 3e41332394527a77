//! Frames and coordinates around the board.

use super::Element;
use super::parts::SIDE;
use super::picture::Picture;
use diagram::parts::{Escaped, push_word, word_width};
use engine_core::Color;
use engine_core::notation::float;
use std::fmt::Write;
use std::sync::OnceLock;

impl Picture<'_> {
    /// Draws the outer border, the margin and the inner border, if present.
    pub(super) fn draw_frames<'a>(&'a self, draw: &mut impl FnMut(Element<'a>)) {
        let (outer, margin, inner) = (self.outer(), self.margin(), self.inner());
        for (name, before, width) in [
            ("outer border", 0, outer),
            ("margin", outer, margin),
            ("inner border", outer + margin, inner),
        ] {
            let (Some((color, opacity)), true) = (self.color(name), width > 0) else {
                continue;
            };
            let start = f64::from(before) + f64::from(width) / 2.0;
            let side = self.side() - 2 * before - width;
            let frame = Element::new(
                "rect",
                [
                    ("x", start.into()),
                    ("y", start.into()),
                    ("width", side.into()),
                    ("height", side.into()),
                    ("fill", "none".into()),
                    ("stroke", color.into()),
                    ("stroke-width", width.into()),
                ],
            );
            draw(frame.with_opacity(opacity));
        }
    }

    /// The names of files and ranks on all four sides, in their colour.
    pub(super) fn write_coordinates(&self, text: &mut String) {
        // All pictures of a side, with borders or without, have the same.
        static WORDS: [[OnceLock<String>; 2]; 2] = [const { [const { OnceLock::new() }; 2] }; 2];
        let (color, opacity) = self.color("coord").unwrap_or(("#e5e5e5", 1.0));
        let _ = write!(
            text,
            r#"<g fill="none" stroke="{}" stroke-width="1.1""#,
            Escaped(color)
        );
        if opacity < 1.0 {
            let _ = write!(text, r#" opacity="{}""#, float(opacity));
        }
        text.push('>');
        let [[white, white_framed], [black, black_framed]] = &WORDS;
        let words = match (self.diagram.orientation, self.borders) {
            (Color::White, false) => white,
            (Color::White, true) => white_framed,
            (Color::Black, false) => black,
            (Color::Black, true) => black_framed,
        };
        text.push_str(words.get_or_init(|| self.words()));
        text.push_str("</g>");
    }

    fn words(&self) -> String {
        let mut text = String::new();
        let (side, offset) = (f64::from(self.side()), f64::from(self.offset()));
        let edge = f64::from(self.outer());
        for index in 0..8_u8 {
            let (file, rank) = match self.diagram.orientation {
                Color::White => (b'a' + index, b'8' - index),
                Color::Black => (b'h' - index, b'1' + index),
            };
            let middle = offset + (f64::from(index) + 0.5) * f64::from(SIDE);
            for at in [edge + 7.5, side - edge - 7.5] {
                for (byte, x, y) in [(file, middle, at), (rank, at, middle)] {
                    let name = char::from(byte).to_string();
                    let left = x - word_width(&name) / 2.0;
                    push_word(&name, left, y - 3.0, 1.0, &mut text);
                }
            }
        }
        text
    }
}
