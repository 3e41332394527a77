//! What stands around the board: evaluation bar, pockets, check counters, caption.

use super::pieces::SQUARE;
use super::theme::Paint;
use super::xml::{Escaped, Short};
use super::{BOARD, Canvas, Diagram, glyph, remaining};
use engine_core::{Color, Role};
use std::fmt::Write;
use std::str::FromStr;

/// How good a position is for White.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Evaluation {
    /// In pawns.
    Pawns(f64),
    /// Mate in so many moves; Black mates if it is negative. 0 is mate on the board, by White.
    Mate(i32),
}

/// Reads `+1.3`, `-0.5`, `#3`, `#-2`, `M5`.
impl FromStr for Evaluation {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Evaluation, &'static str> {
        const EXPECTED: &str = "expected an evaluation such as +1.3, -0.5, #3 or #-2";
        if let Some(moves) = text.strip_prefix(['#', 'M']) {
            return moves.parse().map(Evaluation::Mate).map_err(|_| EXPECTED);
        }
        let pawns = text.parse().ok().filter(|pawns: &f64| pawns.is_finite());
        pawns.map(Evaluation::Pawns).ok_or(EXPECTED)
    }
}

impl Evaluation {
    /// White's part of the bar, 0 to 1: the expected score by the Elo formula, where four pawns
    /// are worth ten to one.
    fn share(self) -> f64 {
        match self {
            Evaluation::Pawns(pawns) => 1.0 / (1.0 + 10_f64.powf(-pawns / 4.0)),
            Evaluation::Mate(moves) => f64::from(u8::from(moves >= 0)),
        }
    }

    /// At most four signs.
    fn label(self) -> String {
        match self {
            Evaluation::Pawns(pawns) if pawns.abs() < 9.95 => format!("{:.1}", pawns.abs()),
            Evaluation::Pawns(pawns) => format!("{:.0}", pawns.abs().min(999.0)),
            Evaluation::Mate(moves) => format!("M{}", moves.unsigned_abs().min(99)),
        }
    }
}

const BAR: f64 = 16.0;
const STRIP: f64 = 32.0;
const CAPTION: f64 = 26.0;
pub(super) const MARGIN: f64 = 8.0;
/// The size of a caption that has room.
const LARGEST: f64 = 14.0;
/// The smallest size that can be read.
const SMALLEST: f64 = 6.0;

/// How wide a caption is that has room, about.
pub(super) fn caption_width(caption: &str) -> f64 {
    0.55 * LARGEST * caption.chars().count() as f64
}

/// The whole picture, and where the board lies in it.
#[derive(Clone, Copy)]
pub(super) struct Panel {
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) left: f64,
    pub(super) top: f64,
}

impl Panel {
    pub(super) fn of(diagram: &Diagram) -> Panel {
        let has_bar = diagram.evaluation.is_some();
        let has_strips = diagram.pockets.is_some() || diagram.checks.is_some();
        let has_caption = diagram.caption.is_some();
        if !(has_bar || has_strips || has_caption) {
            return Panel {
                width: BOARD,
                height: BOARD,
                left: 0.0,
                top: 0.0,
            };
        }
        let left = if has_bar { BAR + 2.0 * MARGIN } else { MARGIN };
        let top = if has_strips { STRIP + MARGIN } else { MARGIN };
        let bottom = if has_caption { CAPTION } else { MARGIN };
        let strip = if has_strips { STRIP } else { 0.0 };
        Panel {
            width: left + BOARD + MARGIN,
            height: top + BOARD + strip + bottom,
            left,
            top,
        }
    }
}

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
        for index in 0..remaining(checks, color).min(9) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evaluations() {
        assert_eq!("+1.3".parse(), Ok(Evaluation::Pawns(1.3)));
        assert_eq!("#-2".parse(), Ok(Evaluation::Mate(-2)));
        assert!("nan".parse::<Evaluation>().is_err() && "x".parse::<Evaluation>().is_err());
        assert_eq!(Evaluation::Pawns(-12.34).label(), "12");
        assert_eq!(Evaluation::Mate(i32::MIN).label(), "M99");
        assert!((Evaluation::Pawns(0.0).share() - 0.5).abs() < 1e-9);
        assert!(Evaluation::Mate(-1).share() < 1e-9);
    }
}
