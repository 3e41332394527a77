//! The evaluation bar at the left of the board.

use super::diagram::Diagram;
use super::evaluation::Evaluation;
use super::glyph;
use super::layout::{BAR, BOARD, MARGIN, Panel};
use super::theme::{Paint, Theme};
use super::xml::{Short, hidden};
use std::fmt::Write;

pub(super) struct Bar<'a> {
    theme: &'a Theme,
    top: f64,
    /// White is at the bottom.
    is_upright: bool,
}

impl Bar<'_> {
    pub(super) fn of(diagram: &Diagram, panel: Panel) -> Bar<'_> {
        Bar {
            theme: &diagram.theme,
            top: panel.top,
            is_upright: diagram.orientation.is_white(),
        }
    }

    /// Top and height of White's part.
    pub(super) fn white_part(&self, evaluation: Evaluation) -> (f64, f64) {
        let height = BOARD * evaluation.share();
        if self.is_upright {
            (self.top + BOARD - height, height)
        } else {
            (self.top, height)
        }
    }

    /// Adds the bar without its number. White's part has `inner` in it, which may move it.
    pub(super) fn push(&self, evaluation: Evaluation, inner: &str, text: &mut String) {
        let ([white, _], [black, ..]) = (&self.theme.white, &self.theme.black);
        let (y, height) = self.white_part(evaluation);
        let right = Short(BAR);
        let top = Short(self.top);
        // Writing to a string cannot fail, here and below.
        let _ = write!(
            text,
            r##"<g transform="translate({} 0)"><path{} d="M0 {top}h{right}v360H0z"/><rect{} y="{}" width="{right}" height="{}">{inner}</rect><path fill="none"{} stroke-width=".8" d="M0 {top}h{right}v360H0z"/><path stroke="#c33" d="M0 {}h{right}"/></g>"##,
            Short(MARGIN),
            Paint("fill", black),
            Paint("fill", white),
            Short(y),
            Short(height),
            Paint("stroke", &self.theme.ink),
            Short(self.top + BOARD / 2.0),
        );
    }

    /// Adds the number at the end of the side that is better; hidden, if `inner` shows it in time.
    pub(super) fn push_label(&self, evaluation: Evaluation, inner: &str, text: &mut String) {
        let white_is_better = evaluation.share() >= 0.5;
        let label = evaluation.label();
        let width = glyph::width(&label);
        let scale = (12.0 / width).min(1.0);
        let y = if white_is_better == self.is_upright {
            self.top + BOARD - 11.0
        } else {
            self.top + 5.0
        };
        let ([white, _], [black, ..]) = (&self.theme.white, &self.theme.black);
        let _ = write!(
            text,
            r#"<g{} fill="none"{} stroke-width="1.1" stroke-linecap="round">{inner}"#,
            hidden(inner),
            Paint("stroke", if white_is_better { black } else { white }),
        );
        let x = MARGIN + (BAR - width * scale) / 2.0;
        glyph::push(&label, x, y, scale, text);
        text.push_str("</g>");
    }
}
