//! One panel.

use super::colors::{CURVES, GRID, INK, RULE};
use super::letters::{FONT_RATIO, LETTERS, SCALE, letters};
use crate::axis::Axis;
use crate::figure::{Figure, Range, clean};
use plotters::chart::{ChartBuilder, ChartContext};
use plotters::coord::Shift;
use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind};
use plotters::element::{Circle, ErrorBar, PathElement};
use plotters::prelude::{Cartesian2d, SVGBackend};
use plotters::series::LineSeries;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, RGBColor, ShapeStyle};

type Area<'b> = DrawingArea<SVGBackend<'b>, Shift>;
type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<Axis, Axis>>;
pub(super) type DrawError = DrawingAreaErrorKind<std::io::Error>;
type Result<T = ()> = std::result::Result<T, DrawError>;

/// Room at the sides, and the height of a line of text.
const LEFT: u32 = 72 * SCALE;
const RIGHT: u32 = 16 * SCALE;
const RIGHT_WITH_NAMES: u32 = 92 * SCALE;
const LINE: u32 = 22 * SCALE;
/// Panels as wide as this have room for the names of lines, and a tick needs so much.
const WIDE: u32 = 400 * SCALE;
const TICK: u32 = 110 * SCALE;
/// The share of its size that a letter is wide, at most for most letters.
const BREADTH: f64 = 0.58;
/// No more curves are shown with their points.
const FEW_POINTS: usize = 40;

pub(super) fn draw(figure: &Figure<'_>, area: &Area<'_>) -> Result {
    let (width, _) = area.dim_in_pixel();
    let left = (10 * SCALE) as i32;
    area.draw_text(
        &fitting(&figure.title(), width),
        &letters(LETTERS),
        (left, 0),
    )?;
    let lines = legend(figure, area)?;
    if figure.is_empty() {
        let below = (left, (2 * LINE) as i32);
        return area.draw_text("nothing to show", &letters(LETTERS).color(&RULE), below);
    }
    let has_names = width >= WIDE && !figure.panel.reference_lines.is_empty();
    let right = if has_names { RIGHT_WITH_NAMES } else { RIGHT };
    let mut chart = ChartBuilder::on(area)
        .margin_top(LINE * (1 + lines) + 6 * SCALE)
        .margin_right(right)
        .margin_bottom(8 * SCALE)
        .x_label_area_size(LINE)
        .y_label_area_size(LEFT)
        .build_cartesian_2d(figure.x, figure.y)?;
    mesh(&mut chart, width / TICK)?;
    reference_lines(figure, &mut chart)?;
    if has_names {
        reference_line_names(figure, area, &chart)?;
    }
    curves(figure, &mut chart)
}

/// A text cut to this many pixels.
fn fitting(text: &str, width: u32) -> String {
    clean(text, (f64::from(width) / breadth(1)) as usize)
}

/// The greatest width of a text of this many letters.
fn breadth(letters: usize) -> f64 {
    letters as f64 * f64::from(LETTERS) / FONT_RATIO * BREADTH
}

/// Names the curves where there are several, and says how many lines that takes.
fn legend(figure: &Figure<'_>, area: &Area<'_>) -> Result<u32> {
    let is_needed = figure.curves.iter().any(|it| !it.name.is_empty());
    if !is_needed || figure.is_empty() {
        return Ok(0);
    }
    let (width, _) = area.dim_in_pixel();
    let (stroke, gap) = (24 * SCALE as i32, 8 * SCALE as i32);
    let (mut x, mut line) = (LEFT as i32, 1);
    for (curve, color) in figure.curves.iter().zip(CURVES) {
        let room = stroke + gap + breadth(curve.name.chars().count()) as i32;
        if x > LEFT as i32 && x + room > width as i32 {
            (x, line) = (LEFT as i32, line + 1);
        }
        let y = (line * LINE) as i32;
        let middle = y + (LETTERS / 3) as i32;
        area.draw(&PathElement::new(
            [(x, middle), (x + stroke, middle)],
            bold(color),
        ))?;
        area.draw_text(&curve.name, &letters(LETTERS), (x + stroke + gap, y))?;
        x += room + 2 * gap;
    }
    Ok(line)
}

fn bold(color: RGBColor) -> ShapeStyle {
    color.stroke_width(2 * SCALE)
}

fn mesh(chart: &mut Chart<'_, '_>, ticks: u32) -> Result {
    chart
        .configure_mesh()
        .x_labels(ticks as usize)
        .disable_x_mesh()
        .bold_line_style(GRID.stroke_width(SCALE))
        .light_line_style(GRID.stroke_width(0))
        .max_light_lines(0)
        .axis_style(INK.stroke_width(SCALE))
        .label_style(letters(LETTERS))
        .draw()
}

fn reference_lines(figure: &Figure<'_>, chart: &mut Chart<'_, '_>) -> Result {
    let lines = figure.panel.reference_lines.iter().map(|line| {
        let ends = [(figure.x.low, line.y), (figure.x.high, line.y)];
        PathElement::new(ends, RULE.stroke_width(SCALE + 1))
    });
    chart.draw_series(lines).map(|_| ())
}

/// The names of the lines beside them, from the top down, none over another.
fn reference_line_names(figure: &Figure<'_>, area: &Area<'_>, chart: &Chart<'_, '_>) -> Result {
    let middle = Pos::new(HPos::Left, VPos::Center);
    let style = letters(LETTERS).color(&RULE).pos(middle);
    let (across, down) = area.get_pixel_range();
    let mut free = i32::MIN;
    for line in &figure.panel.reference_lines {
        let (x, y) = chart.backend_coord(&(figure.x.high, line.y));
        let y = (y - down.start).max(free);
        let place = (x - across.start + 6 * SCALE as i32, y);
        area.draw_text(&clean(&line.name, 12), &style, place)?;
        free = y + LINE as i32;
    }
    Ok(())
}

fn curves(figure: &Figure<'_>, chart: &mut Chart<'_, '_>) -> Result {
    for (curve, color) in figure.curves.iter().zip(CURVES) {
        chart.draw_series(curve.ranges.iter().map(|&Range { x, low, y, high }| {
            ErrorBar::new_vertical(x, low, y, high, color.stroke_width(SCALE), 3 * SCALE)
        }))?;
        chart.draw_series(LineSeries::new(curve.points.iter().copied(), bold(color)))?;
        let dots = curve
            .points
            .iter()
            .filter(|_| curve.points.len() <= FEW_POINTS);
        chart.draw_series(dots.map(|&at| Circle::new(at, 3 * SCALE, color.filled())))?;
    }
    Ok(())
}

impl Ranged for Axis {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (begin, end): (i32, i32)) -> i32 {
        let share = (value - self.low) / (self.high - self.low);
        begin + (f64::from(end - begin) * share).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        let ticks = self.ticks();
        let every = (ticks.len() - 1)
            .div_ceil(hint.max_num_points().max(1))
            .max(1);
        ticks.into_iter().step_by(every).collect()
    }

    fn range(&self) -> std::ops::Range<f64> {
        self.low..self.high
    }
}

impl ValueFormatter<f64> for Axis {
    fn format(value: &f64) -> String {
        value.to_string()
    }

    fn format_ext(&self, value: &f64) -> String {
        self.label(*value)
    }
}
