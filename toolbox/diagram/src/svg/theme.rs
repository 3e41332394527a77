//! Colours.

use super::xml::Escaped;
use engine_core::Color;
use std::fmt::{self, Write};
use std::str::FromStr;

/// The colours of an image. Each is any colour of CSS; `#rgba` and `#rrggbbaa` are translucent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Theme {
    /// Light squares.
    pub light: String,
    /// Dark squares.
    pub dark: String,
    /// Light squares of the last move.
    pub light_last: String,
    /// Dark squares of the last move.
    pub dark_last: String,
    /// Around the board.
    pub ground: String,
    /// Text around the board.
    pub ink: String,
    /// White pieces and their outlines.
    pub white: [String; 2],
    /// Black pieces, their outlines, and the lines on them.
    pub black: [String; 3],
    /// Names of files and ranks on light and on dark squares.
    pub coordinates: [String; 2],
    /// Arrows: green, red, yellow, blue.
    pub arrows: [String; 4],
}

/// No theme has this name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownTheme(String);

/// The colours of the arrows, by name.
pub const ARROWS: [&str; 4] = ["green", "red", "yellow", "blue"];

/// The names of the other colours.
const COLORS: [&str; 9] = [
    "square light",
    "square dark",
    "square light lastmove",
    "square dark lastmove",
    "margin",
    "text",
    "coord",
    "white",
    "black",
];

/// One line of the table of themes: name, squares, squares of the last move, coordinates on light and
/// dark squares, ground and ink, white, black.
type ThemeRow = (
    &'static str,
    [&'static str; 4],
    [&'static str; 2],
    [&'static str; 2],
    [&'static str; 2],
    [&'static str; 3],
);

const THEMES: [ThemeRow; 6] = [
    (
        "wood",
        ["#f0d9b5", "#b58863", "#dcd671", "#b3a33c"],
        ["#7d5432", "#432a14"],
        ["#fbf5ea", "#4a3524"],
        ["#fff", "#1f1a16"],
        ["#3d3734", "#12100e", "#e9dfd2"],
    ),
    (
        "green",
        ["#ecedd3", "#779954", "#f4f48a", "#b9c93f"],
        ["#4d7030", "#223310"],
        ["#fff", "#30401f"],
        ["#fff", "#20241c"],
        ["#3a3d38", "#0f110e", "#e6e9df"],
    ),
    (
        "blue",
        ["#dfe6ec", "#7d98b3", "#c6e0a4", "#86b17a"],
        ["#46637f", "#1c3045"],
        ["#fff", "#22384f"],
        ["#fff", "#1b222b"],
        ["#353b44", "#0c1016", "#dde6f0"],
    ),
    (
        "slate",
        ["#78838f", "#525c67", "#93a067", "#6f7d45"],
        ["#20262d", "#e4e9ee"],
        ["#1d2126", "#d5dbe2"],
        ["#f4f6f8", "#14171a"],
        ["#1c1f23", "#c3ccd6", "#a7b1bc"],
    ),
    (
        "paper",
        ["#fff", "#cfcfcf", "#ffefb0", "#e2c766"],
        ["#666", "#555"],
        ["#fff", "#222"],
        ["#fff", "#000"],
        ["#2b2b2b", "#000", "#fff"],
    ),
    (
        "rose",
        ["#f6e7e4", "#c08a90", "#f2d49a", "#d3a662"],
        ["#8a4b54", "#43191f"],
        ["#fffafa", "#5a2e35"],
        ["#fff", "#2c1a1d"],
        ["#43343a", "#170f12", "#f0dfe2"],
    ),
];

impl Theme {
    /// The names of the themes; the first is the default, `slate` is dark.
    pub fn names() -> impl Iterator<Item = &'static str> {
        THEMES.iter().map(|&(name, ..)| name)
    }

    fn of(
        &(_, [light, dark, light_last, dark_last], coordinates, [ground, ink], white, black): &ThemeRow,
    ) -> Theme {
        Theme {
            coordinates: coordinates.map(str::to_owned),
            light: light.into(),
            dark: dark.into(),
            light_last: light_last.into(),
            dark_last: dark_last.into(),
            ground: ground.into(),
            ink: ink.into(),
            white: white.map(str::to_owned),
            black: black.map(str::to_owned),
            arrows: ["#2c8c3acc", "#b4282dcc", "#dd9c18d9", "#1f5fb4cc"].map(str::to_owned),
        }
    }

    /// The names of the colours that can be changed.
    pub fn color_names() -> impl Iterator<Item = String> {
        let arrows = ARROWS.iter().map(|arrow| format!("arrow {arrow}"));
        COLORS.iter().map(ToString::to_string).chain(arrows)
    }

    /// Changes one colour by its name, such as `square light`, `square dark lastmove`, `coord`,
    /// `margin` or `arrow green`; false if there is none of this name.
    pub fn set(&mut self, name: &str, color: &str) -> bool {
        let color = color.to_owned();
        match name {
            "square light" => self.light = color,
            "square dark" => self.dark = color,
            "square light lastmove" => self.light_last = color,
            "square dark lastmove" => self.dark_last = color,
            "margin" => self.ground = color,
            "text" => self.ink = color,
            "coord" => self.coordinates = [color.clone(), color],
            "white" => {
                let [fill, _] = &mut self.white;
                *fill = color;
            }
            "black" => {
                let [fill, ..] = &mut self.black;
                *fill = color;
            }
            _ => {
                let arrow = ARROWS
                    .iter()
                    .position(|arrow| name.strip_prefix("arrow ") == Some(arrow));
                let Some(slot) = arrow.and_then(|index| self.arrows.get_mut(index)) else {
                    return false;
                };
                *slot = color;
            }
        }
        true
    }
}

impl Theme {
    /// Opens a group of pieces of one colour.
    pub(super) fn begin_pieces(&self, color: Color, text: &mut String) {
        let (fill, stroke, detail) = match (color, &self.white, &self.black) {
            (Color::White, [fill, stroke], _) => (fill, stroke, stroke),
            (Color::Black, _, [fill, stroke, detail]) => (fill, stroke, detail),
        };
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            r#"<g class="{}"{}{} color="{}" stroke-width="1.3" stroke-linejoin="round" stroke-linecap="round">"#,
            color.name(),
            Paint("fill", fill),
            Paint("stroke", stroke),
            Escaped(detail)
        );
    }
}

impl Default for Theme {
    fn default() -> Theme {
        let [first, ..] = &THEMES;
        Theme::of(first)
    }
}

impl FromStr for Theme {
    type Err = UnknownTheme;

    fn from_str(name: &str) -> Result<Theme, UnknownTheme> {
        let found = THEMES.iter().find(|(known, ..)| *known == name);
        found
            .map(Theme::of)
            .ok_or_else(|| UnknownTheme(name.to_owned()))
    }
}

impl fmt::Display for UnknownTheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown theme {:?}; expected one of", self.0)?;
        Theme::names().try_for_each(|name| write!(f, " {name}"))
    }
}

impl std::error::Error for UnknownTheme {}

/// A colour without its transparency, and how opaque it is: `#0f08` is `#0f0` at 8/15. As in
/// python-chess, only the length and the last digits are looked at; a colour that does not end in
/// them stays as it is.
pub fn split_alpha(color: &str) -> (&str, f64) {
    let digits = match color.len() {
        5 => 4,
        9 => 7,
        _ => return (color, 1.0),
    };
    match (color.starts_with('#'), color.split_at_checked(digits)) {
        (true, Some((opaque, alpha))) => match u8::from_str_radix(alpha, 16) {
            Ok(value) => (
                opaque,
                f64::from(value) / if digits == 4 { 15.0 } else { 255.0 },
            ),
            Err(_) => (color, 1.0),
        },
        _ => (color, 1.0),
    }
}

/// A colour as attributes, such as ` fill="#0f0" fill-opacity=".53"`.
pub(super) struct Paint<'a>(pub(super) &'static str, pub(super) &'a str);

impl fmt::Display for Paint<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (color, opacity) = split_alpha(self.1);
        write!(f, " {}=\"{}\"", self.0, Escaped(color))?;
        if opacity < 1.0 {
            write!(f, " {}-opacity=\"{}\"", self.0, super::xml::Short(opacity))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        assert!(Theme::names().all(|name| name.parse::<Theme>().is_ok()));
        assert_eq!("wood".parse(), Ok(Theme::default()));
        assert!("plaid".parse::<Theme>().is_err());
        let mut theme = Theme::default();
        assert!(theme.set("arrow red", "#f00") && theme.arrows[1] == "#f00");
        assert!(!theme.set("arrow pink", "#f00"));
        assert!(Theme::color_names().all(|name| theme.set(&name, "#00f")));
        assert_eq!(theme.light_last, "#00f");
    }

    /// Relative luminance of `#rgb` or `#rrggbb` (WCAG 2.2).
    fn luminance(color: &str) -> f64 {
        let digits = color.strip_prefix('#').unwrap();
        let width = digits.len() / 3;
        let channel = |index: usize| {
            let part = &digits[index * width..][..width];
            let full = if width == 1 {
                part.repeat(2)
            } else {
                part.to_owned()
            };
            let value = f64::from(u8::from_str_radix(&full, 16).unwrap()) / 255.0;
            if value <= 0.04045 {
                value / 12.92
            } else {
                ((value + 0.055) / 1.055).powf(2.4)
            }
        };
        0.2126 * channel(0) + 0.7152 * channel(1) + 0.0722 * channel(2)
    }

    fn contrast(one: &str, other: &str) -> f64 {
        let (one, other) = (luminance(one), luminance(other));
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    /// Three to one is what WCAG asks of graphics.
    #[test]
    fn pieces_and_coordinates_stand_out() {
        for name in Theme::names() {
            let theme: Theme = name.parse().unwrap();
            let squares = [
                &theme.light,
                &theme.dark,
                &theme.light_last,
                &theme.dark_last,
            ];
            let least = |square: &str, colors: &[String]| {
                let best = colors.iter().map(|color| contrast(square, color));
                assert!(
                    best.fold(0.0, f64::max) >= 3.0,
                    "{name}: {colors:?} on {square}"
                );
            };
            for square in squares {
                least(square, &theme.white);
                least(square, &theme.black[..2]);
            }
            for (index, square) in squares.into_iter().enumerate() {
                least(square, &theme.coordinates[index % 2..][..1]);
            }
            assert!(contrast(&theme.white[0], &theme.black[0]) >= 7.0, "{name}");
            assert!(contrast(&theme.ground, &theme.ink) >= 7.0, "{name}");
        }
    }

    #[test]
    fn transparency() {
        assert_eq!(split_alpha("#0f08"), ("#0f0", 8.0 / 15.0));
        assert_eq!(split_alpha("#15781B80"), ("#15781B", 128.0 / 255.0));
        assert_eq!(split_alpha("#xyzxyzxyz"), ("#xyzxyzxyz", 1.0));
        assert_eq!(split_alpha("#ééé"), ("#ééé", 1.0));
        assert_eq!(split_alpha("purple"), ("purple", 1.0));
    }
}
