//! The curves of the losses, as a picture in SVG.

use super::train::Report;
use std::fmt::Write;

/// The picture, and the part of it where the curves are.
const WIDTH: f64 = 800.0;
const HEIGHT: f64 = 500.0;
const LEFT: f64 = 90.0;
const RIGHT: f64 = 780.0;
const TOP: f64 = 30.0;
const BOTTOM: f64 = 440.0;

/// Lines across the picture, beyond the lowest.
const LINES: u32 = 5;

/// A picture of the losses over the epochs.
pub(super) fn svg(reports: &[Report]) -> String {
    let axes = Axes::around(reports);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"14\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n"
    );
    axes.draw(&mut svg);
    axes.curve(&mut svg, reports, "#1f77b4", |report| report.learned);
    axes.curve(&mut svg, reports, "#d62728", |report| report.held_out);
    legend(&mut svg, LEFT, "#1f77b4", "positions learned from");
    legend(&mut svg, RIGHT - 180.0, "#d62728", "positions held out");
    svg + "</svg>\n"
}

/// What the edges of the picture stand for.
struct Axes {
    epochs: f64,
    lowest: f64,
    highest: f64,
}

impl Axes {
    /// The first tenth of the reports is left out: its losses would press all others flat.
    fn around(reports: &[Report]) -> Axes {
        let settled = reports.get(reports.len() / 10..).unwrap_or_default();
        let losses = || settled.iter().flat_map(|it| [it.learned, it.held_out]);
        let lowest = losses().fold(f64::INFINITY, f64::min);
        let highest = losses().fold(f64::NEG_INFINITY, f64::max);
        let (lowest, highest) = if lowest <= highest {
            (lowest, highest)
        } else {
            (0.0, 1.0)
        };
        let margin = ((highest - lowest) * 0.05).max(1e-6);
        Axes {
            epochs: reports.last().map_or(1.0, |last| last.epochs).max(1e-6),
            lowest: lowest - margin,
            highest: highest + margin,
        }
    }

    fn x(&self, epochs: f64) -> f64 {
        LEFT + (RIGHT - LEFT) * epochs / self.epochs
    }

    fn y(&self, loss: f64) -> f64 {
        let share = (loss - self.lowest) / (self.highest - self.lowest);
        (BOTTOM - (BOTTOM - TOP) * share).max(TOP)
    }

    fn draw(&self, svg: &mut String) {
        for line in 0..=LINES {
            let share = f64::from(line) / f64::from(LINES);
            let loss = self.lowest + (self.highest - self.lowest) * share;
            let (x, y) = (self.x(share * self.epochs), self.y(loss));
            // Writing to a string cannot fail.
            let _ = writeln!(
                svg,
                "<path d=\"M{LEFT} {y:.1}H{RIGHT}M{x:.1} {BOTTOM}v5\" stroke=\"#ccc\"/>\n\
                 <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{loss:.5}</text>\n\
                 <text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{:.1}</text>",
                LEFT - 8.0,
                y + 5.0,
                BOTTOM + 22.0,
                share * self.epochs
            );
        }
        let middle = f64::midpoint(LEFT, RIGHT);
        let _ = writeln!(
            svg,
            "<path d=\"M{LEFT} {TOP}V{BOTTOM}H{RIGHT}\" fill=\"none\" stroke=\"black\"/>\n\
             <text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">epochs</text>\n\
             <text x=\"{LEFT}\" y=\"{}\" text-anchor=\"middle\">loss</text>",
            BOTTOM + 46.0,
            TOP - 10.0
        );
    }

    fn curve(&self, svg: &mut String, reports: &[Report], color: &str, loss: fn(&Report) -> f64) {
        let points = reports.iter().map(|report| {
            let (x, y) = (self.x(report.epochs), self.y(loss(report)));
            format!("{x:.1},{y:.1}")
        });
        let points = points.collect::<Vec<_>>().join(" ");
        let _ = writeln!(
            svg,
            "<polyline points=\"{points}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"/>"
        );
    }
}

fn legend(svg: &mut String, x: f64, color: &str, name: &str) {
    let y = BOTTOM + 41.0;
    let _ = writeln!(
        svg,
        "<path d=\"M{x} {y}h30\" stroke=\"{color}\" stroke-width=\"2\"/>\n\
         <text x=\"{}\" y=\"{}\">{name}</text>",
        x + 38.0,
        y + 5.0
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_stay_in_the_picture() {
        let report = |number: u32| Report {
            epochs: f64::from(number) / 10.0,
            learned: 1.0 / f64::from(number),
            held_out: 1.1 / f64::from(number),
        };
        let reports: Vec<Report> = (1..=40).map(report).collect();
        let svg = svg(&reports);
        assert_eq!(svg.matches("<polyline").count(), 2);
        let axes = Axes::around(&reports);
        for report in &reports {
            assert!((TOP..=BOTTOM).contains(&axes.y(report.held_out)));
            assert!((LEFT..=RIGHT).contains(&axes.x(report.epochs)));
        }
        assert!(super::svg(&[]).ends_with("</svg>\n"));
    }
}
