//! Letters, digits and signs as strokes, so that pictures need no font.

use super::xml::Short;
use std::fmt::Write;

/// The strokes of a sign in a box 4 wide and 6 high (`g` goes 2 below), and its width.
const fn strokes(letter: char) -> Option<(&'static str, f64)> {
    Some(match letter {
        '0' => ("M2 0Q.1 0 .1 3 .1 6 2 6 3.9 6 3.9 3 3.9 0 2 0z", 4.0),
        '1' => ("M.6 1.3L2.2 0V6", 2.4),
        '2' => ("M.3 1.5Q.4 0 2 0 3.7 0 3.7 1.6 3.7 2.9.2 6H3.9", 4.0),
        '3' => (
            "M.3 1Q.9 0 2 0 3.6 0 3.6 1.5 3.6 2.8 1.7 2.8 3.9 2.8 3.9 4.4 3.9 6 2 6 .7 6 .1 4.9",
            4.0,
        ),
        '4' => ("M2.9 6V0L.1 4.3H4", 4.0),
        '5' => (
            "M3.6 0H.8L.5 2.8Q1.2 2.2 2.1 2.2 3.9 2.2 3.9 4.1 3.9 6 2 6 .7 6 .1 5",
            4.0,
        ),
        '6' => (
            "M3.5.8Q3 0 2.1 0 .1 0 .1 3.2.1 6 2.1 6 3.9 6 3.9 4.2 3.9 2.4 2.1 2.4.4 2.4.1 3.9",
            4.0,
        ),
        '7' => ("M.1 0H3.8L1.6 6", 4.0),
        '8' => (
            "M2 2.8Q.5 2.8.5 1.4.5 0 2 0 3.5 0 3.5 1.4 3.5 2.8 2 2.8.1 2.8.1 4.4.1 6 2 6 3.9 6 3.9 4.4 3.9 2.8 2 2.8z",
            4.0,
        ),
        '9' => (
            "M.5 5.2Q1 6 1.9 6 3.9 6 3.9 2.8 3.9 0 1.9 0 .1 0 .1 1.8.1 3.6 1.9 3.6 3.6 3.6 3.9 2.1",
            4.0,
        ),
        'a' => (
            "M.4 2.7Q.9 2 1.9 2 3.5 2 3.5 3.6V6M3.5 3.7Q.1 3.5.1 4.9.1 6 1.5 6 3.2 6 3.5 4.6",
            3.6,
        ),
        'b' => ("M.3 0V6M.3 4Q.4 2 2 2 3.7 2 3.7 4 3.7 6 2 6 .4 6 .3 4", 3.8),
        'c' => ("M3.5 2.8Q3.1 2 2 2 .1 2 .1 4 .1 6 2 6 3.1 6 3.5 5.2", 3.6),
        'd' => (
            "M3.5 0V6M3.5 4Q3.4 2 1.8 2 .1 2 .1 4 .1 6 1.8 6 3.4 6 3.5 4",
            3.8,
        ),
        'e' => (
            "M.1 3.9H3.7Q3.7 2 1.9 2 .1 2 .1 4 .1 6 2 6 3.1 6 3.6 5.1",
            3.8,
        ),
        'f' => ("M3 .2Q1.3-.3 1.3 1.6V6M.2 2.3H2.7", 3.0),
        'g' => (
            "M3.5 2V6.3Q3.5 8 1.8 8 .7 8 .3 7.4M3.5 4Q3.4 2 1.8 2 .1 2 .1 4 .1 6 1.8 6 3.4 6 3.5 4",
            3.8,
        ),
        'h' => ("M.3 0V6M.3 3.8Q.5 2 2 2 3.5 2 3.5 3.7V6", 3.8),
        'M' => ("M.2 6V0L2.2 3.6 4.2 0V6", 4.4),
        'x' => ("M.3 2.6L3.3 5.6M3.3 2.6L.3 5.6", 3.6),
        '!' => ("M.5 0V3.9M.5 5.9V6", 1.0),
        '?' => (
            "M.2 1.4Q.3 0 1.8 0 3.4 0 3.4 1.5 3.4 2.6 1.8 3.2V4.1M1.8 5.9V6",
            3.5,
        ),
        '+' => ("M.2 3.2H3.8M2 1.4V5", 4.0),
        '-' => ("M.5 3.2H3.3", 3.8),
        '=' => ("M.3 2.2H3.7M.3 4.4H3.7", 4.0),
        '.' => ("M.4 5.9V6", 0.8),
        _ => return None,
    })
}

/// The space between two signs.
const GAP: f64 = 1.4;

/// The width of a word before it is scaled; signs that are not known have none.
pub fn width(word: &str) -> f64 {
    let widths = word
        .chars()
        .filter_map(strokes)
        .map(|(_, width)| width + GAP);
    (widths.sum::<f64>() - GAP).max(0.0)
}

/// Adds a word whose top left corner is at a point. Stroke and colour are the caller's.
pub fn push(word: &str, x: f64, y: f64, scale: f64, text: &mut String) {
    let mut x = x;
    for (path, width) in word.chars().filter_map(strokes) {
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            r#"<path transform="translate({} {}) scale({})" d="{path}"/>"#,
            Short(x),
            Short(y),
            Short(scale)
        );
        x += (width + GAP) * scale;
    }
}
