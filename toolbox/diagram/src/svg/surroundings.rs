//! What stands around the board: evaluation bar, pockets, check counters, clocks, caption.

use super::bar::Bar;
use super::canvas::Canvas;
use super::diagram::InHand;
use super::glyph;
use super::layout::{
    BOARD, CAPTION_SCALE_MAX, CAPTION_SCALE_MIN, MARGIN, Panel, STRIP, caption_width,
};
use super::pieces::SQUARE;
use super::theme::Paint;
use super::xml::{Escaped, Short, hidden};
use engine_core::{Color, Pockets, RemainingChecks, Role};
use std::borrow::Cow;
use std::fmt::Write;

impl Canvas<'_> {
    /// Ends the group of the board and draws all around it.
    pub(super) fn panels(&mut self) {
        self.end_board();
        let diagram = self.diagram;
        if let Some(evaluation) = diagram.evaluation {
            let bar = Bar::of(diagram, self.panel);
            bar.push(evaluation, "", &mut self.text);
            bar.push_label(evaluation, "", &mut self.text);
        }
        self.hands(diagram.in_hand());
        if let Some(clocks) = &diagram.clocks {
            for color in Color::ALL {
                self.clock(color, &clocks[color], "");
            }
        }
        if let Some(caption) = &diagram.caption {
            let Panel { width, .. } = self.panel;
            let room = width - 2.0 * MARGIN;
            self.caption(caption, Anchor::Middle(width / 2.0), room, "");
        }
    }

    pub(super) fn end_board(&mut self) {
        self.text.push_str("</g>");
    }

    /// Draws what the sides have in hand: pieces, and checks still to be given.
    pub(super) fn hands(&mut self, hand: InHand) {
        for color in Color::ALL {
            let y = self.strip(color);
            if let Some(pockets) = hand.pockets.filter(|pockets| !pockets.has_none(color)) {
                self.pocket(color, pockets, y);
            }
            let clock = self.diagram.clocks.as_ref().map(|clocks| &clocks[color]);
            let room = clock.map_or(0.0, |clock| clock_width(clock) + MARGIN);
            if let Some(checks) = hand.checks {
                self.checks(color, checks, room, y);
            }
        }
    }

    /// The top of the strip of a side, above or below the board.
    fn strip(&self, color: Color) -> f64 {
        if color == self.diagram.orientation {
            self.panel.top + BOARD
        } else {
            self.panel.top - STRIP
        }
    }

    /// The pieces that a side has in hand, with numbers above one.
    fn pocket(&mut self, color: Color, pockets: Pockets, y: f64) {
        let [white, _] = &self.diagram.theme.white;
        let mut x = self.panel.left;
        let scale = (STRIP - 4.0) / SQUARE;
        // On the ground of squares, where both colours can be seen.
        let _ = write!(
            self.text,
            r#"<rect class="pocket" x="{}" y="{}" width="360" height="{}"{}/>"#,
            Short(x),
            Short(y + 2.0),
            Short(STRIP - 4.0),
            Paint("fill", &self.diagram.theme.dark)
        );
        let in_hand = Role::ALL
            .into_iter()
            .map(|role| (role, pockets.count(color, role)))
            .filter(|&(_, count)| count > 0);
        let mut numbers = String::new();
        for (role, count) in in_hand {
            let _ = write!(
                self.text,
                r#"<g transform="translate({} {}) scale({})">"#,
                Short(x),
                Short(y + 2.0),
                Short(scale)
            );
            self.begin_pieces(color);
            self.piece(role, 0.0, 0.0);
            self.text.push_str("</g></g>");
            x += SQUARE * scale;
            if count > 1 {
                let number = format!("x{count}");
                glyph::push(&number, x - 2.0, y + 14.0, 1.3, &mut numbers);
                x += glyph::width(&number) * 1.3 + 4.0;
            }
        }
        let _ = write!(
            self.text,
            r#"<g fill="none"{} stroke-width="1.2" stroke-linecap="round">{numbers}</g>"#,
            Paint("stroke", white)
        );
    }

    /// A disc for each check that a side must still give, left of the room for its clock.
    fn checks(&mut self, color: Color, checks: RemainingChecks, room: f64, y: f64) {
        let _ = write!(
            self.text,
            r#"<g fill="none"{} stroke-width="1.5" stroke-linecap="round">"#,
            Paint("stroke", &self.diagram.theme.ink)
        );
        let right = self.panel.left + BOARD - 4.0 - room;
        for index in 0..checks.0[color].min(9) {
            let x = right - 9.0 - 20.0 * f64::from(index);
            let y = y + STRIP / 2.0;
            let _ = write!(
                self.text,
                r#"<circle cx="{}" cy="{}" r="8"/>"#,
                Short(x),
                Short(y)
            );
            glyph::push("+", x - 2.8, y - 4.5, 1.4, &mut self.text);
        }
        self.text.push_str("</g>");
    }

    /// A line below the board. A long one shrinks to its room as far as it can be read, and the end
    /// of a longer one is left out. It is hidden, if `inner` shows it in time.
    pub(super) fn caption(&mut self, caption: &str, anchor: Anchor, room: f64, inner: &str) {
        if caption.is_empty() {
            return;
        }
        // A line break is a blank, as it is where a font draws the letters.
        let caption = &caption.replace(char::is_control, " ");
        let (caption, whole) = (&*shortened(caption, room), caption);
        let scale = CAPTION_SCALE_MAX
            * (room / caption_width(caption)).clamp(CAPTION_SCALE_MIN / CAPTION_SCALE_MAX, 1.0);
        let y = self.panel.height - 9.0;
        let (hidden, ink) = (hidden(inner), &self.diagram.theme.ink);
        if glyph::can_draw(caption) {
            let width = scale * glyph::width(caption);
            let x = match anchor {
                Anchor::Start(x) => x,
                Anchor::Middle(x) => x - width / 2.0,
                Anchor::End(x) => x - width,
            };
            let _ = write!(
                self.text,
                r#"<g class="caption" role="img" aria-label="{}"{hidden} fill="none"{} stroke-width=".8" stroke-linecap="round" stroke-linejoin="round">{inner}"#,
                Escaped(whole),
                Paint("stroke", ink)
            );
            glyph::push(caption, x, y - 6.0 * scale, scale, &mut self.text);
            self.text.push_str("</g>");
            return;
        }
        // Letters that have no strokes need a font.
        let (anchor, x) = match anchor {
            Anchor::Start(x) => ("start", x),
            Anchor::Middle(x) => ("middle", x),
            Anchor::End(x) => ("end", x),
        };
        let _ = write!(
            self.text,
            r#"<text class="caption"{hidden} x="{}" y="{}" font-family="sans-serif" font-size="{}" text-anchor="{anchor}"{}>{inner}{}</text>"#,
            Short(x),
            Short(y),
            Short(FONT * scale / CAPTION_SCALE_MAX),
            Paint("fill", ink),
            Escaped(caption)
        );
    }

    /// The clock of a side at the right of its strip; hidden, if `inner` shows it in time.
    pub(super) fn clock(&mut self, color: Color, clock: &str, inner: &str) {
        if clock.is_empty() {
            return;
        }
        let [on_light, _] = &self.diagram.theme.coordinates;
        let (width, top) = (clock_width(clock), self.strip(color));
        let left = self.panel.left + BOARD - width;
        let _ = write!(
            self.text,
            r#"<g class="clock"{} fill="none"{} stroke-width=".8" stroke-linecap="round" stroke-linejoin="round">{inner}<rect x="{}" y="{}" width="{}" height="{}" rx="4" stroke="none"{}/>"#,
            hidden(inner),
            Paint("stroke", on_light),
            Short(left),
            Short(top + 3.0),
            Short(width),
            Short(STRIP - 6.0),
            Paint("fill", &self.diagram.theme.light),
        );
        let y = top + STRIP / 2.0 - 3.0 * CLOCK;
        glyph::push(clock, left + MARGIN, y, CLOCK, &mut self.text);
        self.text.push_str("</g>");
    }
}

/// Where a line of text is.
#[derive(Clone, Copy)]
pub(super) enum Anchor {
    Start(f64),
    Middle(f64),
    End(f64),
}

/// A caption without the end for which there is no room even in the smallest letters.
fn shortened(caption: &str, room: f64) -> Cow<'_, str> {
    let fits = |text: &str| CAPTION_SCALE_MIN * glyph::width(text) <= room;
    if fits(caption) {
        return Cow::Borrowed(caption);
    }
    let begin = |end: usize| format!("{}...", caption.get(..end).unwrap_or_default());
    let ends: Vec<_> = caption.char_indices().map(|(at, _)| at).collect();
    let fitting = ends.partition_point(|&end| fits(&begin(end)));
    let end = fitting.checked_sub(1).and_then(|last| ends.get(last));
    Cow::Owned(begin(end.copied().unwrap_or(0)))
}

/// The size of a font whose letters are as large as those of a caption that has room.
const FONT: f64 = 13.0;

/// The size of a clock's digits.
const CLOCK: f64 = 2.4;

fn clock_width(clock: &str) -> f64 {
    CLOCK * glyph::width(clock) + 2.0 * MARGIN
}
