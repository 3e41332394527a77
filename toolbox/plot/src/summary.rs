//! The text alternative of a plot.

use crate::Plot;
use crate::figure::{Figure, clean};

impl Plot {
    /// The title as it is shown.
    pub(crate) fn shown_title(&self) -> String {
        clean(&self.title, 80)
    }

    /// A sentence for each curve.
    pub(crate) fn summary(&self) -> String {
        let figures = self.panels.iter().map(Figure::of);
        figures
            .map(|figure| of_figure(&figure))
            .collect::<Vec<_>>()
            .join(" ")
    }
}

fn of_figure(figure: &Figure<'_>) -> String {
    let title = figure.title();
    let lines = figure.panel.reference_lines.iter();
    let lines = lines.map(|line| format!(" {}: {}.", clean(&line.name, 30), short(line.y)));
    let lines: String = lines.collect();
    let curves = figure.curves.iter().filter_map(|curve| {
        let (first, last) = (curve.points.first()?, curve.points.last()?);
        let heights = || curve.points.iter().map(|point| point.1);
        let lowest = heights().fold(f64::INFINITY, f64::min);
        let highest = heights().fold(f64::NEG_INFINITY, f64::max);
        let name = if curve.name.is_empty() {
            ""
        } else {
            &format!(", {}", curve.name)
        };
        Some(format!(
            "{title}{name}: from {} to {}, lowest {}, highest {}.",
            short(first.1),
            short(last.1),
            short(lowest),
            short(highest)
        ))
    });
    let curves: Vec<String> = curves.collect();
    if curves.is_empty() {
        return format!("{title}: nothing to show.{lines}");
    }
    curves.join(" ") + &lines
}

/// A number with four figures that count.
fn short(value: f64) -> String {
    let size = value.abs().max(1e-9).log10().floor();
    let decimals = (3.0 - size).clamp(0.0, 6.0) as usize;
    let text = format!("{value:.decimals$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}
