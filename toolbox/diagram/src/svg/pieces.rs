//! The pieces: our own Staunton outlines on a square of 45 by 45, turned parts from top to plinth.

use engine_core::Role;

/// The size of the square that a piece is drawn on.
pub(super) const SQUARE: f64 = 45.0;

/// Lets the outlines, which leave a tenth of the square free on each side, fill it.
const FILL: &str = "\" transform=\"matrix(1.14 0 0 1.14 -3.15 -2.8)\">";

/// A part of a piece.
enum PieceShape {
    /// A turned part: filled, with an outline.
    Solid(&'static str),
    /// A carved line in the colour of details.
    Line(&'static str),
    /// A dot in the colour of details: centre and radius.
    Dot(&'static str, &'static str, &'static str),
}

use PieceShape::{Dot, Line, Solid};

/// What all pieces but pawns stand on.
const PLINTH: PieceShape =
    Solid("M10.6 40.4q-.8 0-.8-.8v-1.4q0-1.9 1.9-1.9h21.6q1.9 0 1.9 1.9v1.4q0 .8-.8.8z");

const fn parts(role: Role) -> &'static [PieceShape] {
    match role {
        Role::Pawn => &[
            Solid("M14.6 36.3C15.3 30.6 19.9 29.4 19.9 21.6H25.1C25.1 29.4 29.7 30.6 30.4 36.3z"),
            Solid("M17.2 22.6q-1.3 0-1.3-1.3t1.3-1.3h10.6q1.3 0 1.3 1.3t-1.3 1.3z"),
            Solid("M22.5 9.2a5.5 5.5 0 1 1-.01 0z"),
            Solid("M12.6 40.4q-.8 0-.8-.8v-1.4q0-1.9 1.9-1.9h17.6q1.9 0 1.9 1.9v1.4q0 .8-.8.8z"),
        ],
        Role::Knight => &[
            Solid(
                "M13.6 36.3C14.4 30.6 21.4 28.6 21.3 23.4 19.8 25.2 17.6 25.2 15.9 26.4 14.6 27.4 13.9 29 12.2 29.3 9.9 29.6 8.6 27.9 9 25.8 9.4 23.8 10.9 22.6 11.7 20.6 12.6 18.2 13 14.6 16.4 12.2L16.1 8 20.1 10.5C27.8 10.9 33 17.6 33.2 27.4 33.3 30.6 32.6 33.6 31.6 36.3z",
            ),
            PLINTH,
            Line("M24.6 13.4C28.6 16 30.4 21 30.2 27.6 30.1 30 29.6 32 29 33.8"),
            Dot("17", "17.2", "1.15"),
            Dot("11.4", "26", ".75"),
        ],
        Role::Bishop => &[
            Solid("M18.2 29.6H26.8C27 32.4 28.6 34.6 31.4 36.3H13.6C16.4 34.6 18 32.4 18.2 29.6z"),
            Solid(
                "M22.5 9C27.4 12.7 29.9 16.6 29.9 20.3 29.9 23.5 28 25.8 26.1 27.2H18.9C17 25.8 15.1 23.5 15.1 20.3 15.1 16.6 17.6 12.7 22.5 9z",
            ),
            Solid("M17.2 29.9q-1.4 0-1.4-1.4t1.4-1.4h10.6q1.4 0 1.4 1.4t-1.4 1.4z"),
            Solid("M22.5 5a2.1 2.1 0 1 1-.01 0z"),
            PLINTH,
            Line("M26.3 13.4L22.3 18.2"),
        ],
        Role::Rook => &[
            Solid("M15.4 18.5H29.6C29.6 24.6 30.3 28.6 32 32.6H13C14.7 28.6 15.4 24.6 15.4 18.5z"),
            Solid("M12 9.3h4.8v2.9h3.3V9.3h4.8v2.9h3.3V9.3H33v6.6l-2.6 3.2H14.6L12 15.9z"),
            Solid("M12 36.3v-1.8q0-1.9 1.9-1.9h17.2q1.9 0 1.9 1.9v1.8z"),
            PLINTH,
        ],
        Role::Queen => &[
            Solid(
                "M14.2 31.4Q22.5 29.6 30.8 31.4C30.8 33.2 31.4 34.8 32.6 36.3H12.4C13.6 34.8 14.2 33.2 14.2 31.4z",
            ),
            Solid(
                "M13.4 28L9.1 14.2 15.4 20.6 16.2 10.9 20.6 19.4 22.5 9.6 24.4 19.4 28.8 10.9 29.6 20.6 35.9 14.2 31.6 28Q22.5 25.8 13.4 28z",
            ),
            Solid("M13.4 28Q22.5 25.8 31.6 28L30.8 31.4Q22.5 29.6 14.2 31.4z"),
            PLINTH,
            Solid("M8.4 10.4a1.9 1.9 0 1 1-.01 0z"),
            Solid("M16 7.3a1.9 1.9 0 1 1-.01 0z"),
            Solid("M22.5 5.9a1.9 1.9 0 1 1-.01 0z"),
            Solid("M29 7.3a1.9 1.9 0 1 1-.01 0z"),
            Solid("M36.6 10.4a1.9 1.9 0 1 1-.01 0z"),
        ],
        Role::King => &[
            Solid("M21.3 4.3h2.4v2.3H26V9H23.7v4h-2.4V9H19V6.6h2.3z"),
            Solid(
                "M22.5 12.2C25 12.2 26.6 14.2 26.3 16.6 24.6 18.4 23.2 21 22.5 24 21.8 21 20.4 18.4 18.7 16.6 18.4 14.2 20 12.2 22.5 12.2z",
            ),
            Solid(
                "M14.2 31.6Q22.5 29.6 30.8 31.6C30.8 33.4 31.4 35 32.6 36.3H12.4C13.6 35 14.2 33.4 14.2 31.6z",
            ),
            Solid(
                "M22.5 25.6C22.7 20.4 25.6 15.4 30 15.2 33.8 15 36.3 17.6 36.3 20.7 36.3 24.4 33.1 25.6 31.7 28.3Q22.5 26.2 13.3 28.3C11.9 25.6 8.7 24.4 8.7 20.7 8.7 17.6 11.2 15 15 15.2 19.4 15.4 22.3 20.4 22.5 25.6z",
            ),
            Solid("M13.3 28.3Q22.5 26.2 31.7 28.3L30.8 31.6Q22.5 29.6 14.2 31.6z"),
            PLINTH,
        ],
    }
}

/// Adds the definition of a piece. Its colours are those of the elements that use it: fill and
/// stroke, and `color` for details.
pub fn define(role: Role, text: &mut String) {
    text.push_str("<g id=\"");
    text.push_str(role.name());
    text.push_str(FILL);
    for part in parts(role) {
        let pieces: &[&str] = match part {
            Solid(path) => &["<path d=\"", path, "\"/>"],
            Line(path) => &[
                "<path d=\"",
                path,
                "\" fill=\"none\" stroke=\"currentColor\"/>",
            ],
            Dot(x, y, radius) => &[
                "<circle cx=\"",
                x,
                "\" cy=\"",
                y,
                "\" r=\"",
                radius,
                "\" fill=\"currentColor\" stroke=\"none\"/>",
            ],
        };
        text.extend(pieces.iter().copied());
    }
    text.push_str("</g>");
}
