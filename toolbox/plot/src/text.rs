//! Plots in characters.

use crate::figure::{Figure, MAX_SERIES, Range, clean};
use crate::{Panel, Plot, ReferenceLine, Series};
use common::ascii;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::symbols::Marker;
use ratatui::widgets::{Axis, Chart, Dataset, GraphType, Widget};

/// How many columns and lines a panel has.
const MIN_WIDTH: u16 = 40;
const MAX_WIDTH: u16 = 100;
const HEIGHT: u16 = 16;
/// More panels than this stand side by side, where there is room.
const STACKED: usize = 4;

/// What curves are made of where they are several, ranges, and lines across.
const MARKS: [char; MAX_SERIES] = ['*', '+', 'o', 'x', '#', '@', '%', '&'];
const RANGE: char = '·';
const REFERENCE: char = '-';

impl Plot {
    /// The plot in characters, for a terminal of this many columns.
    pub fn text(&self, columns: u16) -> String {
        self.drawn(columns, Marker::Braille)
    }

    /// The same in characters of ASCII.
    pub fn ascii(&self, columns: u16) -> String {
        let text = |text: &String| ascii::of(text).into_owned();
        let panel = |panel: &Panel| Panel {
            title: text(&panel.title),
            series: panel
                .series
                .iter()
                .map(|series| Series {
                    name: text(&series.name),
                    points: series.points.clone(),
                })
                .collect(),
            reference_lines: panel
                .reference_lines
                .iter()
                .map(|line| ReferenceLine {
                    name: text(&line.name),
                    ..*line
                })
                .collect(),
            ..*panel
        };
        let plot = Plot {
            title: text(&self.title),
            panels: self.panels.iter().map(panel).collect(),
        };
        let [mark, ..] = MARKS;
        let drawn = plot.drawn(columns, Marker::Custom(mark));
        drawn.chars().map(plain).collect()
    }

    /// The plot, with a curve that is alone in such characters.
    fn drawn(&self, columns: u16, alone: Marker) -> String {
        let columns = columns.saturating_sub(1).max(MIN_WIDTH);
        let side_by_side = if self.panels.len() > STACKED {
            usize::from(columns / MIN_WIDTH)
        } else {
            1
        };
        let width = (columns / side_by_side as u16).min(MAX_WIDTH);
        let mut text = format!("{}\n", self.shown_title());
        for row in self.panels.chunks(side_by_side) {
            let area = Rect::new(0, 0, width * row.len() as u16, HEIGHT);
            let mut buffer = Buffer::empty(area);
            for (number, panel) in (0..).zip(row) {
                let area = Rect::new(number * width, 0, width - 1, HEIGHT);
                draw(&Figure::of(panel), alone, area, &mut buffer);
            }
            text.push('\n');
            text.push_str(&lines(&buffer));
        }
        text
    }
}

/// What looks like a sign of a plot in ASCII.
fn plain(letter: char) -> char {
    match letter {
        '│' => '|',
        '─' => '-',
        '└' => '+',
        '…' => '.',
        RANGE => ':',
        letter => letter,
    }
}

/// The characters without the blanks at the ends of lines.
fn lines(buffer: &Buffer) -> String {
    let width = usize::from(buffer.area.width).max(1);
    let line = |cells: &[ratatui::buffer::Cell]| {
        let line: String = cells.iter().map(ratatui::buffer::Cell::symbol).collect();
        format!("{}\n", line.trim_end())
    };
    buffer.content.chunks(width).map(line).collect()
}

fn draw(figure: &Figure<'_>, alone: Marker, area: Rect, buffer: &mut Buffer) {
    let Rect {
        x,
        y,
        width,
        height,
    } = area;
    let (most, style) = (usize::from(width), Style::new());
    buffer.set_stringn(x, y, figure.title(), most, style);
    buffer.set_stringn(x, y + 1, legend(figure), most, style);
    let below = Rect::new(x, y + 2, width, height - 2);
    if figure.is_empty() {
        buffer.set_stringn(x + 2, y + 3, "nothing to show", most, style);
        return;
    }
    let overlay = Overlay::of(figure);
    let sets = overlay.sets(figure, alone);
    let labels = |axis: &crate::axis::Axis, ticks: Vec<f64>| {
        let labels = ticks.into_iter().map(|tick| axis.label(tick));
        let labels: Vec<String> = labels.collect();
        Axis::default().bounds([axis.low, axis.high]).labels(labels)
    };
    Chart::new(sets)
        .legend_position(None)
        .x_axis(labels(&figure.x, few(figure.x.ticks())))
        .y_axis(labels(&figure.y, figure.y.ticks()))
        .render(below, buffer);
}

/// Both ends, and the middle if there is a tick: the chart puts no others in their place.
fn few(ticks: Vec<f64>) -> Vec<f64> {
    let last = ticks.len().saturating_sub(1);
    let keep = |index: usize| index == 0 || index == last || 2 * index == last;
    let ticks = ticks.into_iter().enumerate();
    ticks
        .filter(|(index, _)| keep(*index))
        .map(|(_, tick)| tick)
        .collect()
}

fn legend(figure: &Figure<'_>) -> String {
    let mut parts = Vec::new();
    if figure.curves.len() > 1 {
        let named = MARKS.iter().zip(&figure.curves);
        parts.extend(named.map(|(mark, curve)| format!("{mark} {}", curve.name)));
    } else if let Some(curve) = figure.curves.first() {
        parts.extend((!curve.name.is_empty()).then(|| curve.name.clone()));
    }
    let has_range = figure.curves.iter().any(|curve| !curve.ranges.is_empty());
    parts.extend(has_range.then(|| format!("{RANGE} 95 %")));
    for line in &figure.panel.reference_lines {
        let name = clean(&line.name, 30);
        parts.push(format!("{REFERENCE} {name}"));
    }
    parts.join("   ")
}

/// The points of all that is drawn beside the curves.
struct Overlay {
    reference_lines: Vec<[(f64, f64); 2]>,
    ranges: Vec<(f64, f64)>,
}

impl Overlay {
    fn of(figure: &Figure<'_>) -> Overlay {
        let across = |y| [(figure.x.low, y), (figure.x.high, y)];
        let ranges = figure.curves.iter().flat_map(|curve| &curve.ranges);
        let rows = f64::from(HEIGHT);
        let dots = ranges.flat_map(|&Range { x, low, high, .. }| {
            let dot = move |row: u16| (x, low + (high - low) * f64::from(row) / rows);
            (0..=HEIGHT).map(dot)
        });
        Overlay {
            reference_lines: figure
                .panel
                .reference_lines
                .iter()
                .map(|line| across(line.y))
                .collect(),
            ranges: dots.collect(),
        }
    }

    /// What lies behind comes first.
    fn sets<'a>(&'a self, figure: &'a Figure<'_>, alone: Marker) -> Vec<Dataset<'a>> {
        let set = |points: &'a [(f64, f64)], marker, kind| {
            Dataset::default()
                .data(points)
                .marker(marker)
                .graph_type(kind)
        };
        let reference_lines = self
            .reference_lines
            .iter()
            .map(|line| set(line, Marker::Custom(REFERENCE), GraphType::Line));
        let ranges = set(&self.ranges, Marker::Custom(RANGE), GraphType::Scatter);
        let is_alone = figure.curves.len() == 1;
        let curves = figure.curves.iter().zip(MARKS).map(|(curve, mark)| {
            let marker = if is_alone {
                alone
            } else {
                Marker::Custom(mark)
            };
            let kind = if curve.points.len() > 1 {
                GraphType::Line
            } else {
                GraphType::Scatter
            };
            set(&curve.points, marker, kind)
        });
        reference_lines.chain([ranges]).chain(curves).collect()
    }
}
