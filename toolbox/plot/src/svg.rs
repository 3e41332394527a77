//! Plots as SVG.

mod colors;
mod letters;
mod panel;

use crate::Plot;
use colors::BACKGROUND;
use common::error::{Error, Result};
use letters::{SCALE, letters};
use plotters::prelude::{IntoDrawingArea, SVGBackend};
use std::fmt::Write;

const WIDTH: u32 = 800 * SCALE;
/// The line of the title, and a row of panels.
const TITLE: u32 = 40 * SCALE;
const ROW: u32 = 320 * SCALE;
/// More panels than this stand side by side.
const STACKED: usize = 4;
const SIDE_BY_SIDE: usize = 3;
const NARROW_ROW: u32 = 200 * SCALE;

/// The size of the title.
const TITLE_LETTERS: u32 = 21 * SCALE;

impl Plot {
    /// The plot as a picture, for light pages and dark ones.
    ///
    /// # Errors
    /// Never for valid figures; the drawing crate's functions return errors.
    pub fn svg(&self) -> Result<String> {
        let mut drawn = String::new();
        let (columns, row) = if self.panels.len() > STACKED {
            (SIDE_BY_SIDE, NARROW_ROW)
        } else {
            (1, ROW)
        };
        let rows = self.panels.len().div_ceil(columns);
        let height = TITLE + rows as u32 * row;
        self.draw(&mut drawn, (columns, rows), height)
            .map_err(|error| Error::Message(format!("the plot: {error}")))?;
        // The `<svg>` tag of `plotters` has no title or style.
        let rest = drawn.split_once('\n').map_or("", |(_, rest)| rest);
        Ok(self.svg_header(height) + rest)
    }

    fn draw(
        &self,
        drawn: &mut String,
        (columns, rows): (usize, usize),
        height: u32,
    ) -> std::result::Result<(), panel::DrawError> {
        let all = SVGBackend::with_string(drawn, (WIDTH, height)).into_drawing_area();
        all.fill(&BACKGROUND)?;
        let left = (10 * SCALE) as i32;
        let title = letters(TITLE_LETTERS);
        all.draw_text(&self.shown_title(), &title, (left, left))?;
        let (_, below) = all.split_vertically(TITLE);
        let areas = below.split_evenly((rows.max(1), columns));
        for (figure, area) in self.panels.iter().zip(&areas) {
            panel::draw(&crate::figure::Figure::of(figure), area)?;
        }
        all.present()
    }

    /// The first lines, with what is read out and the colours of dark pages.
    fn svg_header(&self, height: u32) -> String {
        let (wide, high) = (WIDTH / SCALE, height / SCALE);
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"mola-plot\" role=\"img\" \
             width=\"{wide}\" height=\"{high}\" viewBox=\"0 0 {WIDTH} {height}\">\n"
        );
        // Writing to a string cannot fail.
        let _ = writeln!(text, "<title>{}</title>", escape(&self.shown_title()));
        let _ = writeln!(text, "<desc>{}</desc>", escape(&self.summary()));
        let _ = writeln!(text, "<style>{}</style>", colors::style());
        text
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
