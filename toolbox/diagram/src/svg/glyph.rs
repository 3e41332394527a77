//! Words as strokes, so that images need no font.

use super::strokes::{Edge, diacritic, strokes};
use super::xml::Short;
use std::fmt::Write;
use unicode_normalization::UnicodeNormalization;

/// The space between two signs.
const GAP: f64 = 1.4;
/// How high letters are.
const HEIGHT: f64 = 6.0;
/// The top of small letters without ascender, on which their marks stand.
const SMALL_TOP: f64 = 2.0;

/// Whether all of a word can be drawn: Latin letters with their marks, digits and signs.
pub fn can_draw(word: &str) -> bool {
    word.nfd()
        .all(|letter| strokes(letter).is_some() || diacritic(letter).is_some())
}

/// The width of a word before it is scaled; signs that are not known have none.
pub fn width(word: &str) -> f64 {
    let widths = word.nfd().filter_map(strokes).map(|(_, width)| width + GAP);
    (widths.sum::<f64>() - GAP).max(0.0)
}

/// Adds a word whose top left corner is at a point. Stroke and colour are the caller's.
pub fn push(word: &str, x: f64, y: f64, scale: f64, text: &mut String) {
    let mut right = x;
    // The middle and the top of the letter before, on which marks stand.
    let mut before = (x, 0.0);
    for letter in word.nfd() {
        let (path, x, y) = if let Some((path, width)) = strokes(letter) {
            let left = right;
            let is_small = letter.is_lowercase() && !"bdfhklt".contains(letter);
            before = (
                left + width / 2.0 * scale,
                if is_small { SMALL_TOP } else { 0.0 },
            );
            right += (width + GAP) * scale;
            (path, left, y)
        } else if let Some((path, edge)) = diacritic(letter) {
            let (middle, top) = before;
            let height = match edge {
                Edge::Top => top,
                Edge::Foot => HEIGHT,
            };
            (path, middle, y + height * scale)
        } else {
            continue;
        };
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            r#"<path transform="translate({} {}) scale({})" d="{path}"/>"#,
            Short(x),
            Short(y),
            Short(scale)
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_players_can_be_drawn() {
        for name in [
            "Łukasz Ćwikła",
            "Müller-Größe, Zoë",
            "Nguyễn",
            "O'Neil & Søn (2)",
        ] {
            assert!(can_draw(name), "{name}");
        }
        assert!(!can_draw("Карлсен") && !can_draw("½"));
        assert!(width("Wide") > width("ill") && (width("é") - width("e")).abs() < 1e-9);
    }

    #[test]
    fn ascii_is_complete() {
        let lacking: String = (' '..='~')
            .filter(|&sign| strokes(sign).is_none())
            .collect();
        assert_eq!(lacking, "$^`{}~");
    }
}
