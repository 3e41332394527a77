//! An image that is being drawn.

use super::diagram::Diagram;
use super::layout::{BOARD, Panel, corner, rectangle};
use super::pieces::SQUARE;
use super::theme::{Paint, split_alpha};
use super::xml::{Escaped, Short};
use super::{glyph, pieces};
use engine_core::{Bitboard, Color, Role, Square};
use std::fmt::Write;

/// An image that is being drawn.
pub(super) struct Canvas<'a> {
    pub(super) diagram: &'a Diagram,
    pub(super) panel: Panel,
    pub(super) text: String,
}

/// The board is drawn in a group that begins at its corner.
impl<'a> Canvas<'a> {
    pub(super) fn open(diagram: &'a Diagram) -> Canvas<'a> {
        let panel = Panel::of(diagram);
        let mut text = String::with_capacity(10_000);
        let (width, height) = (Short(panel.width), Short(panel.height));
        // Writing to a string cannot fail, here and below.
        let _ = write!(
            text,
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}""#
        );
        if let Some(size) = diagram.size {
            let size = f64::from(size);
            let height = Short(size * panel.height / panel.width);
            let _ = write!(text, r#" width="{}" height="{height}""#, Short(size));
        }
        text.push('>');
        if let Some(style) = &diagram.style {
            let _ = write!(text, "<style>{}</style>", Escaped(style));
        }
        Canvas {
            diagram,
            panel,
            text,
        }
    }

    /// Defines the pieces that are there, and the glow of a check.
    pub(super) fn define(&mut self, is_used: impl Fn(Role) -> bool) {
        self.text.push_str("<defs>");
        for role in Role::ALL.into_iter().filter(|&role| is_used(role)) {
            pieces::define(role, &mut self.text);
        }
        self.text.push_str(
            r##"<radialGradient id="glow"><stop offset=".1" stop-color="#f00"/><stop offset=".5" stop-color="#e00" stop-opacity=".8"/><stop offset="1" stop-color="#900" stop-opacity="0"/></radialGradient></defs>"##,
        );
        let theme = &self.diagram.theme;
        let Panel {
            width,
            height,
            left,
            top,
        } = self.panel;
        if width > BOARD || height > BOARD {
            let _ = write!(
                self.text,
                r#"<path{} d="M0 0H{}V{}H0z"/>"#,
                Paint("fill", &theme.ground),
                Short(width),
                Short(height)
            );
        }
        let _ = write!(
            self.text,
            r#"<g transform="translate({} {})">"#,
            Short(left),
            Short(top)
        );
    }

    /// Squares of one kind as one path.
    fn path(&mut self, class: &str, color: &str, squares: Bitboard) {
        if squares.is_empty() {
            return;
        }
        let _ = write!(
            self.text,
            r#"<path class="{class}"{} d=""#,
            Paint("fill", color)
        );
        for square in squares {
            let (x, y) = self.corner(square);
            let _ = write!(self.text, "M{} {}h45v45h-45z", Short(x), Short(y));
        }
        self.text.push_str("\"/>");
    }

    pub(super) fn squares(&mut self) {
        let diagram = self.diagram;
        let theme = &diagram.theme;
        let last = diagram.last_move;
        let _ = write!(
            self.text,
            r#"<path class="light"{} d="M0 0H360V360H0z"/>"#,
            Paint("fill", &theme.light)
        );
        self.path("dark", &theme.dark, Bitboard::DARK_SQUARES);
        self.path(
            "light last",
            &theme.light_last,
            last & Bitboard::LIGHT_SQUARES,
        );
        self.path("dark last", &theme.dark_last, last & Bitboard::DARK_SQUARES);
        for (square, color) in &diagram.fill {
            self.path("fill", color, square.bitboard());
        }
        if let Some(king) = diagram.check {
            self.path("check", "url(#glow)", king.bitboard());
        }
        if diagram.border {
            let _ = write!(
                self.text,
                r#"<path fill="none"{} d="M.5.5H359.5V359.5H.5z"/>"#,
                Paint("stroke", &theme.ink)
            );
        }
        if diagram.coordinates {
            self.coordinates();
        }
    }

    fn coordinates(&mut self) {
        let diagram = self.diagram;
        let zoom = self.panel.zoom_of_letters(diagram.size);
        let scale = 1.15 * zoom;
        let [on_light, on_dark] = &diagram.theme.coordinates;
        for (light, color) in [(true, on_light), (false, on_dark)] {
            let _ = write!(
                self.text,
                r#"<g class="coordinate" fill="none"{} stroke-width="{}">"#,
                Paint("stroke", color),
                Short(zoom)
            );
            for index in 0..8_u8 {
                // Ranks at the left from the top, files at the bottom from the left; the corners
                // a1 and h8 are dark.
                let (rank, file) = match diagram.orientation {
                    Color::White => (b'8' - index, b'a' + index),
                    Color::Black => (b'1' + index, b'h' - index),
                };
                let offset = f64::from(index) * SQUARE;
                let name = |byte: u8| char::from(byte).to_string();
                if (index % 2 == 0) == light {
                    glyph::push(&name(rank), 2.6, offset + 3.0, scale, &mut self.text);
                }
                if (index % 2 == 1) == light {
                    let name = name(file);
                    let x = offset + SQUARE - 2.8 - scale * glyph::width(&name);
                    let descends = if file == b'g' { 1.6 } else { 0.0 };
                    let y = BOARD - 3.1 - zoom * (6.9 + descends);
                    glyph::push(&name, x, y, scale, &mut self.text);
                }
            }
            self.text.push_str("</g>");
        }
    }

    pub(super) fn pieces(&mut self) {
        let board = &self.diagram.board;
        for color in Color::ALL {
            self.begin_pieces(color);
            for square in board.color(color) {
                let (x, y) = self.corner(square);
                self.piece(board.role_on(square), x, y);
            }
            self.text.push_str("</g>");
        }
    }

    pub(super) fn begin_pieces(&mut self, color: Color) {
        self.diagram.theme.begin_pieces(color, &mut self.text);
    }

    pub(super) fn piece(&mut self, role: Role, x: f64, y: f64) {
        let _ = write!(
            self.text,
            r##"<use href="#{}" x="{}" y="{}"/>"##,
            role.name(),
            Short(x),
            Short(y)
        );
    }

    /// A frame around the squares between two corners.
    pub(super) fn frame(&mut self, corners: [Square; 2], color: &str) {
        let [x, y, width, height] = rectangle(self.diagram.orientation, corners);
        let (opaque, _) = split_alpha(color);
        let _ = write!(
            self.text,
            r#"<rect class="frame" x="{}" y="{}" width="{}" height="{}" fill-opacity=".35" stroke-width="3"{}{}/>"#,
            Short(x),
            Short(y),
            Short(width),
            Short(height),
            Paint("fill", opaque),
            Paint("stroke", opaque)
        );
    }

    pub(super) fn marks(&mut self) {
        let diagram = self.diagram;
        if diagram.crosses.any() {
            let mut path = String::new();
            for square in diagram.crosses {
                let (x, y) = self.corner(square);
                let _ = write!(
                    path,
                    "M{} {}l23 23m0-23l-23 23",
                    Short(x + 11.0),
                    Short(y + 11.0)
                );
            }
            let _ = write!(
                self.text,
                r##"<path fill="none" stroke="#fff" stroke-opacity=".8" stroke-width="6" stroke-linecap="round" d="{path}"/><path fill="none" stroke="#8a1418" stroke-width="3.4" stroke-linecap="round" d="{path}"/>"##
            );
        }
        for arrow in &diagram.arrows {
            let hits = diagram.board.occupied().has(arrow.head);
            let middle = |square| {
                let (x, y) = corner(diagram.orientation, square);
                (x + SQUARE / 2.0, y + SQUARE / 2.0)
            };
            arrow.push(&diagram.theme, middle, hits, &mut self.text);
        }
        for (square, badge) in &diagram.badges {
            self.badge(*square, badge);
        }
    }

    /// A disc at the upper right corner of a square, or as near to it as the board allows.
    fn badge(&mut self, square: Square, badge: &str) {
        let color = match badge {
            "!!" => "#1a9f94",
            "!" => "#3f8f4f",
            "!?" => "#c28a1a",
            "?!" => "#d9772b",
            "?" => "#cf5230",
            "??" => "#b3202a",
            _ => "#5b6470",
        };
        let (x, y) = self.corner(square);
        let (x, y) = ((x + SQUARE - 3.0).min(BOARD - 9.5), (y + 3.0).max(9.5));
        let scale = 1.5;
        let width = glyph::width(badge) * scale;
        let scale = if width > 13.0 {
            scale * 13.0 / width
        } else {
            scale
        };
        let _ = write!(
            self.text,
            r##"<g fill="none" stroke="#fff" stroke-width="1.3" stroke-linecap="round"><circle cx="{}" cy="{}" r="9" fill="{color}"/>"##,
            Short(x),
            Short(y)
        );
        glyph::push(
            badge,
            x - glyph::width(badge) * scale / 2.0,
            y - 3.0 * scale,
            scale,
            &mut self.text,
        );
        self.text.push_str("</g>");
    }

    /// The upper left corner of a square.
    fn corner(&self, square: Square) -> (f64, f64) {
        corner(self.diagram.orientation, square)
    }

    pub(super) fn close(mut self) -> String {
        self.text.push_str("</svg>");
        self.text
    }
}
