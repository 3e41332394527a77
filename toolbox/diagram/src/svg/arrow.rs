//! Arrows and circles on the board.

use super::color::is_css_color;
use super::pieces::SQUARE;
use super::theme::{ARROWS, Theme, split_alpha};
use super::xml::{Escaped, Short};
use engine_core::Square;
use std::fmt::{self, Write};
use std::str::FromStr;

/// An arrow from square to square, or a circle around one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arrow {
    /// Where it begins.
    pub tail: Square,
    /// Where it points; with the tail it is a circle.
    pub head: Square,
    /// `green`, `red`, `yellow`, `blue`, or a colour of CSS such as `#0000cccc`.
    pub color: String,
}

/// A text that is no arrow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseArrowError;

impl fmt::Display for ParseArrowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected an arrow such as e2e4, Ge2e4 (G, R, Y or B), e4 or e2e4=#08f8")
    }
}

impl std::error::Error for ParseArrowError {}

/// Reads `e2e4`, `Ge2e4` as in PGN's `%cal` and `%csl`, `e4` for a circle, and a colour after `=`.
impl FromStr for Arrow {
    type Err = ParseArrowError;

    fn from_str(text: &str) -> Result<Arrow, ParseArrowError> {
        let (squares, color) = match text.split_once('=') {
            Some((squares, color)) => (squares, Some(color)),
            None => (text, None),
        };
        let mut named = ["G", "R", "Y", "B"].iter().zip(ARROWS);
        let letter = named.find_map(|(letter, color)| Some((squares.strip_prefix(letter)?, color)));
        let (squares, named) = letter.unwrap_or((squares, "green"));
        let (tail, head) = squares.split_at_checked(2).ok_or(ParseArrowError)?;
        let tail = tail.parse().map_err(|_| ParseArrowError)?;
        let head = match head {
            "" => tail,
            head => head.parse().map_err(|_| ParseArrowError)?,
        };
        let color = color.unwrap_or(named).to_owned();
        if !is_css_color(&color) {
            return Err(ParseArrowError);
        }
        Ok(Arrow { tail, head, color })
    }
}

/// As in PGN: `Ge2e4`, `Re4`; other colours than the four are green.
impl fmt::Display for Arrow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char(match self.color.as_str() {
            "red" => 'R',
            "yellow" => 'Y',
            "blue" => 'B',
            _ => 'G',
        })?;
        self.tail.fmt(f)?;
        if self.head == self.tail {
            Ok(())
        } else {
            self.head.fmt(f)
        }
    }
}

type Point = (f64, f64);

/// How far the tip stays away from the middle of a square with a piece and of an empty one.
const SHORT_OF_PIECE: f64 = 15.0;
const SHORT_OF_MIDDLE: f64 = 4.0;
/// How far from the middle of its square an arrow begins.
const START: f64 = 10.0;
const SHAFT: f64 = 7.0;
const HEAD_LENGTH: f64 = 15.0;
const HEAD_WIDTH: f64 = 20.0;

impl Arrow {
    pub(super) fn push(
        &self,
        theme: &Theme,
        middle: impl Fn(Square) -> Point,
        hits: bool,
        text: &mut String,
    ) {
        let named = ARROWS.iter().position(|&name| name == self.color);
        let named = named.and_then(|index| theme.arrows.get(index));
        let (color, opacity) = split_alpha(named.unwrap_or(&self.color));
        let color = Escaped(color);
        // One opacity for the whole, so that its parts may overlap. Writing to a string cannot fail.
        let _ = write!(text, r#"<g class="arrow" fill="none" stroke="{color}""#);
        if opacity < 1.0 {
            let _ = write!(text, r#" opacity="{}""#, Short(opacity));
        }
        if self.tail == self.head {
            let (x, y) = middle(self.head);
            let radius = Short(SQUARE / 2.0 - 2.0);
            let _ = write!(
                text,
                r#" stroke-width="3.2"><circle cx="{}" cy="{}" r="{radius}"/></g>"#,
                Short(x),
                Short(y)
            );
            return;
        }
        let _ = write!(
            text,
            r#" stroke-width="{}" stroke-linejoin="round">"#,
            Short(SHAFT)
        );
        let corner = self.corner().map(&middle);
        let (tail, head) = (middle(self.tail), middle(self.head));
        let from = corner.unwrap_or(tail);
        let short = if hits {
            SHORT_OF_PIECE
        } else {
            SHORT_OF_MIDDLE
        };
        let tip = towards(head, from, short);
        let neck = towards(head, from, short + HEAD_LENGTH);
        let start = towards(tail, corner.unwrap_or(head), START);
        let _ = write!(text, r#"<path d="M{}"#, At(start));
        if let Some(corner) = corner {
            let _ = write!(text, "L{}", At(corner));
        }
        // A little into the head, so that no gap shows.
        let _ = write!(
            text,
            r#"L{}"/>"#,
            At(towards(head, from, short + HEAD_LENGTH - 1.0))
        );
        let ((x, y), length) = ((head.0 - from.0, head.1 - from.1), distance(head, from));
        let (sideways, upwards) = (
            -y / length * HEAD_WIDTH / 2.0,
            x / length * HEAD_WIDTH / 2.0,
        );
        let _ = write!(
            text,
            r#"<path stroke="none" fill="{color}" d="M{}L{}L{}z"/></g>"#,
            At(tip),
            At((neck.0 + sideways, neck.1 + upwards)),
            At((neck.0 - sideways, neck.1 - upwards)),
        );
    }

    /// Where a knight's arrow bends: two squares along, then one aside.
    fn corner(&self) -> Option<Square> {
        let files = self.tail.file().index().abs_diff(self.head.file().index());
        let ranks = self.tail.rank().index().abs_diff(self.head.rank().index());
        match (files, ranks) {
            (2, 1) => Some(Square::new(self.head.file(), self.tail.rank())),
            (1, 2) => Some(Square::new(self.tail.file(), self.head.rank())),
            _ => None,
        }
    }
}

struct At(Point);

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", Short(self.0.0), Short(self.0.1))
    }
}

fn distance(a: Point, b: Point) -> f64 {
    (a.0 - b.0).hypot(a.1 - b.1)
}

/// The point at some distance from one point on the way to another.
fn towards(from: Point, to: Point, far: f64) -> Point {
    let part = far / distance(from, to);
    (
        from.0 + (to.0 - from.0) * part,
        from.1 + (to.1 - from.1) * part,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts() {
        let read = |text: &str| {
            text.parse::<Arrow>()
                .map(|arrow| (arrow.to_string(), arrow.color))
        };
        assert_eq!(read("e2e4"), Ok(("Ge2e4".into(), "green".into())));
        assert_eq!(read("Ra1"), Ok(("Ra1".into(), "red".into())));
        assert_eq!(read("g1f3=#08f8"), Ok(("Gg1f3".into(), "#08f8".into())));
        for text in ["", "e", "e9", "Ge2e4x", "é2"] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
