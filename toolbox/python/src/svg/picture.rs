//! The picture that python-chess draws, element by element, with our own pieces: for programs that
//! look into it or lay it over their own.

use super::element::{AttributeValue, Element};
use super::parts::{CHECK_GRADIENT, CROSS, SIDE, begin_piece, id};
use diagram::parts::{Escaped, define_piece, split_alpha};
use diagram::{Diagram, TextBoard};
use engine_core::{Bitboard, Board, Color, Role, Square};
use std::fmt::Write;

/// A picture laid out as python-chess lays it out.
#[derive(Clone, Debug)]
pub struct Picture<'a> {
    /// What to show of a diagram: its board, side, last move, check, arrows, fill, crosses and
    /// style sheet.
    pub diagram: &'a Diagram,
    /// The width and the height, as they are written.
    pub size: Option<String>,
    /// Whether there is a board with pieces at all.
    pub has_board: bool,
    /// Whether there is a margin with coordinates.
    pub coordinates: bool,
    /// Whether there are lines around board and margin.
    pub borders: bool,
    /// Colours in place of those of python-chess, by name.
    pub colors: Vec<(String, String)>,
}

/// The colours of python-chess by name.
pub const COLORS: [(&str, &str); 12] = [
    ("square light", "#ffce9e"),
    ("square dark", "#d18b47"),
    ("square dark lastmove", "#aaa23b"),
    ("square light lastmove", "#cdd16a"),
    ("margin", "#212121"),
    ("inner border", "#111"),
    ("outer border", "#111"),
    ("coord", "#e5e5e5"),
    ("arrow green", "#15781B80"),
    ("arrow red", "#88202080"),
    ("arrow yellow", "#e68f00b3"),
    ("arrow blue", "#00308880"),
];

/// Whether python-chess has a colour of this name.
pub(super) fn is_color(name: &str) -> bool {
    COLORS.iter().any(|(known, _)| *known == name)
}

impl<'a> Picture<'a> {
    /// The picture of a diagram with coordinates and without borders.
    pub fn new(diagram: &'a Diagram) -> Picture<'a> {
        Picture {
            diagram,
            has_board: true,
            coordinates: true,
            borders: false,
            colors: Vec::new(),
            size: diagram.size.map(|size| size.to_string()),
        }
    }

    /// The side of the whole picture, in units and in the view box.
    pub fn side(&self) -> i32 {
        2 * self.offset() + 8 * SIDE
    }

    /// Where the board begins.
    pub(super) fn offset(&self) -> i32 {
        self.margin() + self.outer() + self.inner()
    }

    pub(super) fn margin(&self) -> i32 {
        if self.coordinates { 15 } else { 0 }
    }

    pub(super) fn outer(&self) -> i32 {
        i32::from(self.borders)
    }

    pub(super) fn inner(&self) -> i32 {
        i32::from(self.borders && self.coordinates)
    }

    /// The board in letters, for those who cannot see the picture.
    pub fn description(&self) -> Option<String> {
        self.has_board
            .then(|| TextBoard::ASCII.draw(&self.diagram.board))
    }

    /// A colour by name, with its opacity: that of `colors`, else that of python-chess.
    pub(super) fn color(&self, name: &str) -> Option<(&str, f64)> {
        // The last counts, as in a dictionary of Python.
        let own = self.colors.iter().rfind(|(known, _)| known == name);
        let usual = || {
            COLORS
                .iter()
                .find(|(known, _)| *known == name)
                .map(|&(_, color)| color)
        };
        own.map(|(_, color)| color.as_str())
            .or_else(usual)
            .map(split_alpha)
    }

    /// Everything but definitions and coordinates, in the order of drawing.
    pub fn elements(&self) -> Vec<Element<'_>> {
        let mut all = Vec::new();
        self.draw_frames(&mut |element| all.push(element));
        self.draw_board(&mut |element| all.push(element));
        all
    }

    /// Draws the squares and what is on them.
    fn draw_board<'b>(&'b self, draw: &mut impl FnMut(Element<'b>)) {
        self.draw_squares(draw);
        if let Some(king) = self.diagram.check {
            let glow = [
                ("class", "check".into()),
                ("fill", "url(#check_gradient)".into()),
            ];
            draw(self.square("rect", king).with(glow));
        }
        self.draw_pieces(draw);
        self.draw_arrows(draw);
    }

    /// The corner of a square nearest to the picture's origin.
    pub(super) fn corner(&self, square: Square) -> (i32, i32) {
        let (file, rank) = (square.file().index() as i32, square.rank().index() as i32);
        let (column, row) = match self.diagram.orientation {
            Color::White => (file, 7 - rank),
            Color::Black => (7 - file, rank),
        };
        (column * SIDE + self.offset(), row * SIDE + self.offset())
    }

    fn square(&self, tag: &'static str, square: Square) -> Element<'static> {
        let (x, y) = self.corner(square);
        Element::new(
            tag,
            [
                ("x", x.into()),
                ("y", y.into()),
                ("width", SIDE.into()),
                ("height", SIDE.into()),
            ],
        )
    }

    fn draw_squares<'b>(&'b self, draw: &mut impl FnMut(Element<'b>)) {
        for square in Square::ALL {
            let is_last = self.diagram.last_move.has(square);
            let name = match (Bitboard::LIGHT_SQUARES.has(square), is_last) {
                (true, false) => "square light",
                (true, true) => "square light lastmove",
                (false, false) => "square dark",
                (false, true) => "square dark lastmove",
            };
            let (color, opacity) = self.color(name).unwrap_or(("none", 1.0));
            let drawn = self.square("rect", square).with([
                ("class", AttributeValue::WithSquare(name, square)),
                ("stroke", "none".into()),
                ("fill", color.into()),
            ]);
            draw(drawn.with_opacity(opacity));
            // Of several fills of a square the last counts.
            let fill = self
                .diagram
                .fill
                .iter()
                .rev()
                .find(|(filled, _)| *filled == square);
            if let Some((_, color)) = fill {
                let (color, opacity) = split_alpha(color);
                let filled = self
                    .square("rect", square)
                    .with([("stroke", "none".into()), ("fill", color.into())]);
                draw(filled.with_opacity(opacity));
            }
        }
    }

    fn board(&self) -> &Board {
        if self.has_board {
            &self.diagram.board
        } else {
            &Board::EMPTY
        }
    }

    fn draw_pieces<'b>(&'b self, draw: &mut impl FnMut(Element<'b>)) {
        for square in Square::ALL {
            let (x, y) = self.corner(square);
            if let Some(piece) = self.board().piece_at(square) {
                let (href, place) = (format!("#{}", id(piece)), format!("translate({x}, {y})"));
                let place = [("href", href.into()), ("transform", place.into())];
                draw(Element::new("use", place));
            }
            if self.diagram.crosses.has(square) {
                let place = [("href", "#xx".into()), ("x", x.into()), ("y", y.into())];
                draw(Element::new("use", place));
            }
        }
    }

    /// The picture.
    pub fn svg(&self) -> String {
        let side = self.side();
        let mut text = String::with_capacity(16_000);
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            r#"<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 {side} {side}""#
        );
        if let Some(size) = &self.size {
            let size = Escaped(size);
            let _ = write!(text, r#" width="{size}" height="{size}""#);
        }
        text.push('>');
        if let Some(style) = &self.diagram.style {
            let _ = write!(text, "<style>{}</style>", Escaped(style));
        }
        if let Some(description) = self.description() {
            let _ = write!(text, "<desc><pre>{description}</pre></desc>");
        }
        self.define(&mut text);
        self.draw_frames(&mut |element| element.write(&mut text));
        if self.coordinates {
            self.write_coordinates(&mut text);
        }
        self.draw_board(&mut |element| element.write(&mut text));
        text.push_str("</svg>");
        text
    }

    fn define(&self, text: &mut String) {
        text.push_str("<defs>");
        let board = self.board();
        for role in Role::ALL.into_iter().filter(|&role| board.role(role).any()) {
            define_piece(role, text);
        }
        for color in Color::ALL {
            for role in Role::ALL {
                if board.pieces(color, role).any() {
                    text.push_str(&begin_piece(role.of(color)));
                    let href = format!("#{}", role.name());
                    Element::new("use", [("href", href.into())]).write(text);
                    text.push_str("</g>");
                }
            }
        }
        if self.diagram.crosses.any() {
            text.push_str(CROSS);
        }
        if self.diagram.check.is_some() {
            text.push_str(CHECK_GRADIENT);
        }
        text.push_str("</defs>");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine_core::Setup;

    /// Tags are closed in order, attributes quoted, and nothing is left open.
    fn check_xml(text: &str) {
        let mut open = Vec::new();
        for part in text.split('<').skip(1) {
            let (tag, _) = part.split_once('>').expect("a tag ends");
            assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
            let name = tag.split([' ', '/']).next().unwrap_or_default();
            match tag.strip_prefix('/') {
                Some(name) => assert_eq!(open.pop(), Some(name)),
                None if tag.ends_with('/') => {}
                None => open.push(name),
            }
        }
        assert!(open.is_empty(), "{open:?}");
    }

    #[test]
    fn everything_at_once_is_well_formed() {
        let setup = Setup::from_fen("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6");
        let mut diagram = Diagram::new(&setup.expect("a FEN").board);
        diagram.arrows = ["Gg1f3", "Rd1h5", "Ye5", "b8c6=#08f8"]
            .map(|text| text.parse().expect("an arrow"))
            .to_vec();
        diagram.last_move = Square::E7.bitboard() | Square::E5.bitboard();
        diagram.check = Some(Square::E8);
        diagram.fill = vec![
            (Square::D4, "#0f08".to_owned()),
            (Square::D5, "\"><x".to_owned()),
        ];
        diagram.crosses = Square::A5.bitboard();
        diagram.style = Some(".light{content:\"<&>\"}".to_owned());
        for coordinates in [false, true] {
            let mut picture = Picture::new(&diagram);
            picture.coordinates = coordinates;
            picture.borders = true;
            picture.size = Some("\"><x".to_owned());
            check_xml(&picture.svg());
        }
    }
}
