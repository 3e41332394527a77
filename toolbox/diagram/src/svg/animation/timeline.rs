//! The timeline of an animation, as SMIL.

use super::pieces::AnimatedPiece;
use crate::svg::bar::Bar;
use crate::svg::evaluation::Evaluation;
use crate::svg::layout::{corner, rectangle};
use crate::svg::theme::{Paint, Theme, split_alpha};
use crate::svg::xml::Short;
use engine_core::{Bitboard, Color, Square};
use std::fmt::Write;

/// Writes animations. Times are fractions of the whole.
pub(super) struct Timeline {
    /// Seconds.
    pub(super) total: f64,
    /// The part of it that a piece is on its way.
    pub(super) glide: f64,
    pub(super) orientation: Color,
}

/// Whether something is seen, as an attribute has it.
fn visibility(is_seen: bool) -> String {
    if is_seen { "visible" } else { "hidden" }.to_owned()
}

impl Timeline {
    /// `<animate …>` of one attribute with these times and values.
    fn animate(&self, name: &str, is_discrete: bool, keys: &[(f64, String)], text: &mut String) {
        let join = |words: Vec<String>| words.join(";");
        let times = join(
            keys.iter()
                .map(|(time, _)| format!("{:.5}", time.clamp(0.0, 1.0)))
                .collect(),
        );
        let values = join(keys.iter().map(|(_, value)| value.clone()).collect());
        let mode = if is_discrete {
            r#" calcMode="discrete""#
        } else {
            ""
        };
        // Writing to a string cannot fail, here and below.
        let _ = write!(
            text,
            r#"<animate attributeName="{name}" dur="{}s" repeatCount="indefinite"{mode} keyTimes="{times}" values="{values}"/>"#,
            Short(self.total)
        );
    }

    /// A piece that moves.
    pub(super) fn piece(&self, animated: &AnimatedPiece, text: &mut String) {
        let Some(&(appears_at, first)) = animated.places.first() else {
            return;
        };
        let (x, y) = corner(self.orientation, first);
        let hidden = if appears_at > 0.0 {
            r#" visibility="hidden""#
        } else {
            ""
        };
        let _ = write!(
            text,
            r##"<use href="#{}" x="{}" y="{}"{hidden}>"##,
            animated.piece.role.name(),
            Short(x),
            Short(y)
        );
        if animated.places.len() > 1 {
            for (name, pick) in [("x", 0), ("y", 1)] {
                let at = |square| {
                    let (x, y) = corner(self.orientation, square);
                    Short(if pick == 0 { x } else { y }).to_string()
                };
                let mut keys = vec![(0.0, at(first))];
                let mut before = at(first);
                for &(time, square) in animated.places.iter().skip(1) {
                    keys.push((time, before));
                    before = at(square);
                    keys.push((time + self.glide, before.clone()));
                }
                keys.push((1.0, before));
                self.animate(name, false, &keys, text);
            }
        }
        if appears_at > 0.0 || animated.removed_at.is_some() {
            let mut keys = vec![(0.0, visibility(appears_at <= 0.0))];
            if appears_at > 0.0 {
                keys.push((appears_at, visibility(true)));
            }
            keys.extend(animated.removed_at.map(|time| (time, visibility(false))));
            self.animate("visibility", true, &keys, text);
        }
        text.push_str("</use>");
    }

    /// The square where the last move began or ended, in the colour for light squares or for dark ones.
    pub(super) fn highlight(&self, places: &[(f64, Square)], theme: &Theme, text: &mut String) {
        let paints = [
            ("light last", &theme.light_last, Bitboard::LIGHT_SQUARES),
            ("dark last", &theme.dark_last, Bitboard::DARK_SQUARES),
        ];
        for (class, color, squares) in paints {
            self.highlight_some(places, squares, (class, color), text);
        }
    }

    /// The place while it is one of these squares.
    fn highlight_some(
        &self,
        all: &[(f64, Square)],
        squares: Bitboard,
        (class, color): (&str, &str),
        text: &mut String,
    ) {
        let places = all.iter().filter(|(_, square)| squares.has(*square));
        let places: Vec<_> = places.copied().collect();
        if places.is_empty() {
            return;
        }
        let _ = write!(
            text,
            r#"<rect class="{class}" width="45" height="45" visibility="hidden"{}>"#,
            Paint("fill", color)
        );
        for (name, pick) in [("x", 0), ("y", 1)] {
            let at = |&(time, square): &(f64, Square)| {
                let (x, y) = corner(self.orientation, square);
                (time, Short(if pick == 0 { x } else { y }).to_string())
            };
            let keys: Vec<(f64, String)> = places
                .iter()
                .take(1)
                .map(|place| (0.0, at(place).1))
                .chain(places.iter().map(at))
                .collect();
            self.animate(name, true, &keys, text);
        }
        let mut keys = vec![(0.0, visibility(false))];
        let seen = all
            .iter()
            .map(|&(time, square)| (time, squares.has(square)));
        keys.extend(seen.map(|(time, is_seen)| (time, visibility(is_seen))));
        keys.dedup_by(|next, before| next.1 == before.1);
        self.animate("visibility", true, &keys, text);
        text.push_str("</rect>");
    }

    /// A frame around the squares between two corners, which comes, goes and is elsewhere then.
    pub(super) fn frame(
        &self,
        frames: &[(f64, Option<[Square; 2]>)],
        color: &str,
        text: &mut String,
    ) {
        let (opaque, _) = split_alpha(color);
        let look = format!(
            r#"class="frame" fill-opacity=".35" stroke-width="3"{}{}"#,
            Paint("fill", opaque),
            Paint("stroke", opaque)
        );
        self.rectangle(frames, &look, text);
    }

    /// The glow of a king in check.
    pub(super) fn check(&self, kings: &[(f64, Option<Square>)], text: &mut String) {
        let squares = kings
            .iter()
            .map(|&(time, king)| (time, king.map(|king| [king; 2])));
        let squares: Vec<_> = squares.collect();
        self.rectangle(&squares, r#"class="check" fill="url(#glow)""#, text);
    }

    /// The squares between two corners, which change, or are none for a while.
    fn rectangle(&self, areas: &[(f64, Option<[Square; 2]>)], look: &str, text: &mut String) {
        let mut places = areas
            .iter()
            .filter_map(|&(time, corners)| Some((time, rectangle(self.orientation, corners?))))
            .peekable();
        let Some(&(_, first)) = places.peek() else {
            return;
        };
        let places: Vec<_> = [(0.0, first)].into_iter().chain(places).collect();
        let _ = write!(text, r#"<rect visibility="hidden" {look}>"#);
        for (index, name) in ["x", "y", "width", "height"].into_iter().enumerate() {
            let keys: Vec<_> = places
                .iter()
                .filter_map(|(time, sides)| Some((*time, Short(*sides.get(index)?).to_string())))
                .collect();
            self.animate(name, true, &keys, text);
        }
        let seen = areas
            .iter()
            .map(|&(time, corners)| (time, visibility(corners.is_some())));
        let hidden = [(0.0, visibility(false))];
        let is_hidden_first = areas.first().is_some_and(|&(time, _)| time > 0.0);
        let keys: Vec<_> = hidden
            .into_iter()
            .filter(|_| is_hidden_first)
            .chain(seen)
            .collect();
        self.animate("visibility", true, &keys, text);
        text.push_str("</rect>");
    }

    /// What moves the white part of a bar.
    pub(super) fn bar(&self, bar: &Bar<'_>, evaluations: &[(f64, f64, Evaluation)]) -> String {
        let mut text = String::new();
        for (name, pick) in [("y", 0), ("height", 1)] {
            let keys: Vec<_> = evaluations
                .iter()
                .map(|&(from, _, evaluation)| {
                    let (y, height) = bar.white_part(evaluation);
                    (from, Short(if pick == 0 { y } else { height }).to_string())
                })
                .collect();
            self.animate(name, true, &keys, &mut text);
        }
        text
    }

    /// What shows something for a while.
    pub(super) fn shown(&self, from: f64, until: f64) -> String {
        let mut keys = vec![(0.0, visibility(from <= 0.0))];
        if from > 0.0 {
            keys.push((from, visibility(true)));
        }
        // What is there at the end stays.
        if until < 1.0 {
            keys.push((until, visibility(false)));
        }
        let mut text = String::new();
        self.animate("visibility", true, &keys, &mut text);
        text
    }
}
