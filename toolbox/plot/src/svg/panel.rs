//! One panel.

use super::colors::{CURVES, GRID, INK, RULE};
use super::{LETTERS, SCALE, letters};
use crate::figure::{Figure, Range, clean};
use plotters::chart::{ChartBuilder, ChartContext};
use plotters::coord::Shift;
use plotters::coord::combinators::{BindKeyPoints, WithKeyPoints};
use plotters::coord::types::RangedCoordf64;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind};
use plotters::element::{Circle, ErrorBar, PathElement};
use plotters::prelude::{Cartesian2d, SVGBackend};
use plotters::series::LineSeries;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, RGBColor, ShapeStyle};

type Area<'b> = DrawingArea<SVGBackend<'b>, Shift>;
type Chart<'a, 'b> = ChartContext<
    'a,
    SVGBackend<'b>,
    Cartesian2d<WithKeyPoints<RangedCoordf64>, WithKeyPoints<RangedCoordf64>>,
>;
pub(super) type DrawError = DrawingAreaErrorKind<std::io::Error>;
type Result<T = ()> = std::result::Result<T, DrawError>;

/// Room at the sides, and the height of a line of text.
const LEFT: u32 = 72 * SCALE;
const RIGHT: u32 = 16 * SCALE;
const RIGHT_OF_RULES: u32 = 92 * SCALE;
const LINE: u32 = 22 * SCALE;
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
    let right = if figure.panel.rules.is_empty() {
        RIGHT
    } else {
        RIGHT_OF_RULES
    };
    let mut chart = ChartBuilder::on(area)
        .margin_top(LINE * (1 + lines) + 6 * SCALE)
        .margin_right(right)
        .margin_bottom(8 * SCALE)
        .x_label_area_size(LINE)
        .y_label_area_size(LEFT)
        .build_cartesian_2d(
            (figure.x.low..figure.x.high).with_key_points(figure.x.ticks()),
            (figure.y.low..figure.y.high).with_key_points(figure.y.ticks()),
        )?;
    mesh(figure, &mut chart)?;
    rules(figure, area, &mut chart)?;
    curves(figure, &mut chart)
}

/// A text cut to so many pixels.
fn fitting(text: &str, width: u32) -> String {
    clean(text, (f64::from(width) / breadth(1)) as usize)
}

/// How wide a text of so many letters is at most.
fn breadth(letters: usize) -> f64 {
    letters as f64 * f64::from(LETTERS) / 1.24 * BREADTH
}

/// Names the curves where there are several, and says how many lines that takes.
fn legend(figure: &Figure<'_>, area: &Area<'_>) -> Result<u32> {
    let is_needed = figure.curves.len() > 1 || figure.curves.iter().any(|it| !it.name.is_empty());
    if !is_needed {
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

fn mesh(figure: &Figure<'_>, chart: &mut Chart<'_, '_>) -> Result {
    chart
        .configure_mesh()
        .disable_x_mesh()
        .bold_line_style(GRID.stroke_width(SCALE))
        .light_line_style(GRID.stroke_width(0))
        .max_light_lines(0)
        .axis_style(INK.stroke_width(SCALE))
        .label_style(letters(LETTERS))
        .x_label_formatter(&|x| figure.x.label(*x))
        .y_label_formatter(&|y| figure.y.label(*y))
        .draw()
}

/// Lines across, with their names beside them.
fn rules(figure: &Figure<'_>, area: &Area<'_>, chart: &mut Chart<'_, '_>) -> Result {
    let style = letters(LETTERS)
        .color(&RULE)
        .pos(Pos::new(HPos::Left, VPos::Center));
    let (origin, _) = area.get_pixel_range();
    let top = area.get_pixel_range().1.start;
    for rule in &figure.panel.rules {
        let ends = [(figure.x.low, rule.y), (figure.x.high, rule.y)];
        chart.draw_series([PathElement::new(ends, RULE.stroke_width(SCALE + 1))])?;
        let (x, y) = chart.backend_coord(&(figure.x.high, rule.y));
        let place = (x - origin.start + 6 * SCALE as i32, y - top);
        area.draw_text(&clean(&rule.name, 12), &style, place)?;
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
