//! What stands around the board: evaluation bar, pockets, check counters, caption.

use super::canvas::Canvas;
use super::evaluation::Evaluation;
use super::glyph;
use super::layout::{BAR, BOARD, LARGEST, MARGIN, Panel, SMALLEST, STRIP, caption_width};
use super::pieces::SQUARE;
use super::theme::Paint;
use super::xml::{Escaped, Short};
use engine_core::{Color, Role};
use std::fmt::Write;

impl Canvas<'_> {
    /// Ends the group of the board and draws all around it.
    pub(super) fn panels(&mut self) {
        self.text.push_str("</g>");
        let diagram = self.diagram;
        if let Some(evaluation) = diagram.evaluation {
            self.bar(evaluation);
        }
        let Panel { top, .. } = self.panel;
        for (color, y) in [
            (!diagram.orientation, top - STRIP),
            (diagram.orientation, top + BOARD),
        ] {
            self.pocket(color, y);
            self.checks(color, y);
        }
        if let Some(caption) = &diagram.caption {
            let Panel { width, .. } = self.panel;
            self.caption(caption, width / 2.0, "middle", width - 2.0 * MARGIN);
        }
    }

    fn bar(&mut self, evaluation: Evaluation) {
        let theme = &self.diagram.theme;
        let ([white, _], [black, _, _]) = (&theme.white, &theme.black);
        let top = self.panel.top;
        let white_height = BOARD * evaluation.share();
        let is_upright = self.diagram.orientation.is_white();
        let (y, height) = if is_upright {
            (top + BOARD - white_height, white_height)
        } else {
            (top, white_height)
        };
        let right = Short(BAR);
        let _ = write!(
            self.text,
            r#"<g transform="translate({} 0)"><path{} d="M0 {}h{right}v360H0z"/><path{} d="M0 {}h{right}v{}H0z"/>"#,
            Short(MARGIN),
            Paint("fill", black),
            Short(top),
            Paint("fill", white),
            Short(y),
            Short(height),
        );
        // The middle, and the number at the end of the side that is better.
        let white_is_better = evaluation.share() >= 0.5;
        let at_bottom = white_is_better == is_upright;
        let label = evaluation.label();
        let width = glyph::width(&label);
        let scale = (12.0 / width).min(1.0);
        let y = if at_bottom {
            top + BOARD - 11.0
        } else {
            top + 5.0
        };
        let _ = write!(
            self.text,
            r##"<path fill="none"{} stroke-width=".8" d="M0 {}h{right}v360H0z"/><path stroke="#c33" d="M0 {}h{right}"/><g fill="none"{} stroke-width="1.1" stroke-linecap="round">"##,
            Paint("stroke", &theme.ink),
            Short(top),
            Short(top + BOARD / 2.0),
            Paint("stroke", if white_is_better { black } else { white }),
        );
        glyph::push(
            &label,
            (BAR - width * scale) / 2.0,
            y,
            scale,
            &mut self.text,
        );
        self.text.push_str("</g></g>");
    }

    /// The pieces that a side has in hand, with numbers above one.
    fn pocket(&mut self, color: Color, y: f64) {
        let Some(pockets) = self
            .diagram
            .pockets
            .filter(|pockets| !pockets.has_none(color))
        else {
            return;
        };
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

    /// A disc for each check that a side must still give.
    fn checks(&mut self, color: Color, y: f64) {
        let Some(checks) = self.diagram.checks else {
            return;
        };
        let _ = write!(
            self.text,
            r#"<g fill="none"{} stroke-width="1.5" stroke-linecap="round">"#,
            Paint("stroke", &self.diagram.theme.ink)
        );
        let right = self.panel.left + BOARD - 4.0;
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

    /// A line below the board, which begins at `x` or has its middle there. A long one shrinks to
    /// its room as far as it can be read.
    pub(super) fn caption(&mut self, caption: &str, x: f64, anchor: &str, room: f64) {
        if caption.is_empty() {
            return;
        }
        let size = LARGEST * (room / caption_width(caption)).clamp(SMALLEST / LARGEST, 1.0);
        let _ = write!(
            self.text,
            r#"<text class="caption" x="{}" y="{}" font-family="sans-serif" font-size="{}" text-anchor="{anchor}"{}>{}</text>"#,
            Short(x),
            Short(self.panel.height - 9.0),
            Short(size),
            Paint("fill", &self.diagram.theme.ink),
            Escaped(caption)
        );
    }
}
