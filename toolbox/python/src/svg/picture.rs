//! The picture that python-chess draws, element by element, with our own pieces: for programs that
//! look into it or lay it over their own.

use diagram::parts::{ARROWS, Escaped, define_piece, push_word, split_alpha, word_width};
use diagram::{Diagram, TextBoard};
use engine_core::notation::float;
use engine_core::{Bitboard, Board, Color, Piece, Role, Square};
use std::fmt::{self, Write};

/// The side of a square.
const SIDE: i32 = 45;

/// One element with its attributes.
#[derive(Clone, PartialEq, Debug)]
pub struct Element {
    /// The name of the tag.
    pub tag: &'static str,
    /// Names and values.
    pub attributes: Vec<(&'static str, String)>,
}

impl Element {
    fn new<const N: usize>(tag: &'static str, attributes: [(&'static str, String); N]) -> Element {
        Element {
            tag,
            attributes: attributes.into(),
        }
    }

    /// Adds the opacity if there is something to see through.
    fn with_opacity(mut self, opacity: f64) -> Element {
        if opacity < 1.0 {
            self.attributes.push(("opacity", float(opacity)));
        }
        self
    }
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<{}", self.tag)?;
        for (name, value) in &self.attributes {
            write!(f, " {name}=\"{}\"", Escaped(value))?;
        }
        f.write_str("/>")
    }
}

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
    /// Colours other than the usual, by name.
    pub colors: Vec<(String, String)>,
}

/// The colours of python-chess by name.
const COLORS: [(&str, &str); 12] = [
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

/// The cross on a marked square.
pub const CROSS: &str = r##"<g id="xx"><path d="M11 11l23 23m0-23l-23 23" fill="none" stroke="#000" stroke-width="3" stroke-linecap="round"/></g>"##;

/// The glow around a king in check.
pub const CHECK_GRADIENT: &str = r##"<radialGradient id="check_gradient" r=".5"><stop offset="0" stop-color="#f00" stop-opacity="1"/><stop offset=".5" stop-color="#e70000" stop-opacity="1"/><stop offset="1" stop-color="#9e0000" stop-opacity="0"/></radialGradient>"##;

/// A piece by itself.
pub fn piece(piece: Piece) -> String {
    let mut text = begin_piece(piece);
    define_piece(piece.role, &mut text);
    text + "</g>"
}

/// The name of a file or rank in the middle of a square.
pub fn coordinate(name: &str) -> String {
    let middle = f64::from(SIDE) / 2.0;
    let mut text = r#"<g fill="none" stroke="currentColor" stroke-width="1.1">"#.to_owned();
    push_word(
        name,
        middle - word_width(name) / 2.0,
        middle - 3.0,
        1.0,
        &mut text,
    );
    text + "</g>"
}

/// The group of a piece with its name and its colours.
fn begin_piece(piece: Piece) -> String {
    let ink = if piece.color.is_white() {
        r##"fill="#fff" stroke="#1f1a16" color="#1f1a16""##
    } else {
        r##"fill="#3d3734" stroke="#12100e" color="#e9dfd2""##
    };
    let (id, color, shape) = (id(piece), piece.color.name(), piece.role.name());
    format!(
        r#"<g id="{id}" class="{color} {shape}" {ink} stroke-width="1.3" stroke-linecap="round" stroke-linejoin="round">"#
    )
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
    fn offset(&self) -> i32 {
        self.margin() + self.outer() + self.inner()
    }

    fn margin(&self) -> i32 {
        if self.coordinates { 15 } else { 0 }
    }

    fn outer(&self) -> i32 {
        i32::from(self.borders)
    }

    fn inner(&self) -> i32 {
        i32::from(self.borders && self.coordinates)
    }

    /// The board in letters, for those who cannot see the picture.
    pub fn description(&self) -> Option<String> {
        self.has_board
            .then(|| TextBoard::ASCII.draw(&self.diagram.board))
    }

    /// A colour by name, as one of the usual or another.
    fn color(&self, name: &str) -> Option<(&str, f64)> {
        let own = self.colors.iter().find(|(known, _)| known == name);
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
    pub fn elements(&self) -> Vec<Element> {
        let mut all = self.frames();
        self.push_squares(&mut all);
        if let Some(king) = self.diagram.check {
            let mut check = self.square("rect", king);
            check.attributes.push(("class", "check".into()));
            check
                .attributes
                .push(("fill", "url(#check_gradient)".into()));
            all.push(check);
        }
        self.push_pieces(&mut all);
        self.push_arrows(&mut all);
        all
    }

    /// The outer border, the margin and the inner border, as far as they are there.
    fn frames(&self) -> Vec<Element> {
        let (outer, margin, inner) = (self.outer(), self.margin(), self.inner());
        let frame = |name, before: i32, width: i32| {
            let (color, opacity) = self.color(name)?;
            let (start, side) = (
                f64::from(before) + f64::from(width) / 2.0,
                self.side() - 2 * before - width,
            );
            let frame = Element::new(
                "rect",
                [
                    ("x", float(start)),
                    ("y", float(start)),
                    ("width", side.to_string()),
                    ("height", side.to_string()),
                    ("fill", "none".into()),
                    ("stroke", color.into()),
                    ("stroke-width", width.to_string()),
                ],
            );
            (width > 0).then(|| frame.with_opacity(opacity))
        };
        [
            frame("outer border", 0, outer),
            frame("margin", outer, margin),
            frame("inner border", outer + margin, inner),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    fn corner(&self, square: Square) -> (i32, i32) {
        let (file, rank) = (square.file().index() as i32, square.rank().index() as i32);
        let (column, row) = match self.diagram.orientation {
            Color::White => (file, 7 - rank),
            Color::Black => (7 - file, rank),
        };
        (column * SIDE + self.offset(), row * SIDE + self.offset())
    }

    fn square(&self, tag: &'static str, square: Square) -> Element {
        let (x, y) = self.corner(square);
        Element::new(
            tag,
            [
                ("x", x.to_string()),
                ("y", y.to_string()),
                ("width", SIDE.to_string()),
                ("height", SIDE.to_string()),
            ],
        )
    }

    fn push_squares(&self, all: &mut Vec<Element>) {
        for square in Square::ALL {
            let shade = if Bitboard::LIGHT_SQUARES.has(square) {
                "light"
            } else {
                "dark"
            };
            let last = if self.diagram.last_move.has(square) {
                " lastmove"
            } else {
                ""
            };
            let name = format!("square {shade}{last}");
            let (color, opacity) = self.color(&name).unwrap_or(("none", 1.0));
            let mut drawn = self.square("rect", square);
            drawn.attributes.extend([
                ("class", format!("{name} {square}")),
                ("stroke", "none".into()),
                ("fill", color.into()),
            ]);
            all.push(drawn.with_opacity(opacity));
            // The last word on a square counts.
            let fill = self
                .diagram
                .fill
                .iter()
                .rev()
                .find(|(filled, _)| *filled == square);
            if let Some((_, color)) = fill {
                let (color, opacity) = split_alpha(color);
                let mut filled = self.square("rect", square);
                filled
                    .attributes
                    .extend([("stroke", "none".into()), ("fill", color.into())]);
                all.push(filled.with_opacity(opacity));
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

    fn push_pieces(&self, all: &mut Vec<Element>) {
        for square in Square::ALL {
            let (x, y) = self.corner(square);
            if let Some(piece) = self.board().piece_at(square) {
                let place = format!("translate({x}, {y})");
                all.push(Element::new(
                    "use",
                    [("href", format!("#{}", id(piece))), ("transform", place)],
                ));
            }
            if self.diagram.crosses.has(square) {
                let place = [
                    ("href", "#xx".into()),
                    ("x", x.to_string()),
                    ("y", y.to_string()),
                ];
                all.push(Element::new("use", place));
            }
        }
    }

    fn push_arrows(&self, all: &mut Vec<Element>) {
        let side = f64::from(SIDE);
        for arrow in &self.diagram.arrows {
            // A colour that has no name is drawn as it is, transparency and all.
            let (color, opacity) = if ARROWS.contains(&arrow.color.as_str()) {
                self.color(&format!("arrow {}", arrow.color))
                    .unwrap_or_default()
            } else {
                (arrow.color.as_str(), 1.0)
            };
            let middle = |square| {
                let (x, y) = self.corner(square);
                (f64::from(x) + side / 2.0, f64::from(y) + side / 2.0)
            };
            let (tail, head) = (middle(arrow.tail), middle(arrow.head));
            if arrow.tail == arrow.head {
                let circle = Element::new(
                    "circle",
                    [
                        ("cx", float(head.0)),
                        ("cy", float(head.1)),
                        ("r", float(side * 0.9 / 2.0)),
                        ("stroke-width", float(side * 0.1)),
                        ("stroke", color.into()),
                        ("fill", "none".into()),
                        ("class", "circle".into()),
                    ],
                );
                all.push(circle.with_opacity(opacity));
                continue;
            }
            let (size, margin) = (0.75 * side, 0.1 * side);
            let (dx, dy) = (head.0 - tail.0, head.1 - tail.1);
            let length = dx.hypot(dy);
            let back = |far: f64| (head.0 - dx * far / length, head.1 - dy * far / length);
            let (neck, tip) = (back(size + margin), back(margin));
            let (across, along) = (dy * 0.5 * size / length, dx * 0.5 * size / length);
            let line = Element::new(
                "line",
                [
                    ("x1", float(tail.0)),
                    ("y1", float(tail.1)),
                    ("x2", float(neck.0)),
                    ("y2", float(neck.1)),
                    ("stroke", color.into()),
                    ("stroke-width", float(side * 0.2)),
                    ("stroke-linecap", "butt".into()),
                    ("class", "arrow".into()),
                ],
            );
            all.push(line.with_opacity(opacity));
            let points = [
                tip,
                (neck.0 + across, neck.1 - along),
                (neck.0 - across, neck.1 + along),
            ];
            let points = points
                .map(|(x, y)| format!("{},{}", float(x), float(y)))
                .join(" ");
            let head = Element::new(
                "polygon",
                [
                    ("points", points),
                    ("fill", color.into()),
                    ("class", "arrow".into()),
                ],
            );
            all.push(head.with_opacity(opacity));
        }
    }

    /// The picture.
    pub fn svg(&self) -> String {
        let side = self.side();
        let mut text = String::with_capacity(16_000);
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {side}""#
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
        let elements = self.elements();
        let frames = self.frames().len();
        for element in elements.iter().take(frames) {
            let _ = write!(text, "{element}");
        }
        if self.coordinates {
            self.write_coordinates(&mut text);
        }
        for element in elements.iter().skip(frames) {
            let _ = write!(text, "{element}");
        }
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
                    let _ = write!(text, r##"<use href="#{}"/></g>"##, role.name());
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

    /// The names of files and ranks on all four sides.
    fn write_coordinates(&self, text: &mut String) {
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
                    push_word(&name, x - word_width(&name) / 2.0, y - 3.0, 1.0, text);
                }
            }
        }
        text.push_str("</g>");
    }
}

fn id(piece: Piece) -> String {
    format!("{}-{}", piece.color.name(), piece.role.name())
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
