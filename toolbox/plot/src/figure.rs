//! The common part of drawing as SVG and as text: a limited number of points, axes, and safe texts.

use crate::axis::Axis;
use crate::{Panel, Point, Scale, Series};

/// Points of a curve that are drawn at most: more than there are columns to see them in.
const MAX_POINTS: usize = 800;
/// Ranges of a curve that are drawn at most, or they would be one grey mass.
const MAX_RANGES: usize = 24;
/// The most curves of a panel that can be distinguished.
pub(crate) const MAX_SERIES: usize = 8;

/// A panel made ready to be drawn.
pub(crate) struct Figure<'p> {
    pub(crate) panel: &'p Panel,
    pub(crate) x: Axis,
    pub(crate) y: Axis,
    /// The points of each curve, and those with a range to be shown.
    pub(crate) curves: Vec<Curve>,
}

/// The drawn points and ranges of a series.
pub(crate) struct Curve {
    pub(crate) name: String,
    pub(crate) points: Vec<(f64, f64)>,
    pub(crate) ranges: Vec<Range>,
}

/// An error bar: the interval in which a value is likely to be.
#[derive(Clone, Copy)]
pub(crate) struct Range {
    pub(crate) x: f64,
    pub(crate) low: f64,
    pub(crate) y: f64,
    pub(crate) high: f64,
}

impl Figure<'_> {
    pub(crate) fn of(panel: &Panel) -> Figure<'_> {
        let curves: Vec<Curve> = panel.series.iter().take(MAX_SERIES).map(curve).collect();
        let x = curves
            .iter()
            .flat_map(|curve| &curve.points)
            .map(|point| point.0);
        let heights = curves.iter().flat_map(|curve| {
            let ends = curve
                .ranges
                .iter()
                .flat_map(|range| [range.low, range.high]);
            curve.points.iter().map(|point| point.1).chain(ends)
        });
        let reference_lines = panel.reference_lines.iter().map(|line| line.y);
        Figure {
            panel,
            x: Axis::around(x, panel.scale),
            y: Axis::around(heights.chain(reference_lines), Scale::Real),
            curves,
        }
    }

    /// `score in %, by games`, and the number of curves left out.
    pub(crate) fn title(&self) -> String {
        let title = clean(&self.panel.title, 60);
        let hidden = self.panel.series.len().saturating_sub(self.curves.len());
        let title = match self.panel.x {
            "" => title,
            x => format!("{title}, by {x}"),
        };
        match hidden {
            0 => title,
            hidden => format!("{title} (and {hidden} more)"),
        }
    }

    /// Whether anything is to be drawn.
    pub(crate) fn is_empty(&self) -> bool {
        self.curves.iter().all(|curve| curve.points.is_empty())
    }
}

fn curve(series: &Series) -> Curve {
    let is_sound = |point: &&Point| point.x.abs() < 1e15 && point.y.abs() < 1e15;
    let points: Vec<Point> = series.points.iter().filter(is_sound).copied().collect();
    Curve {
        name: clean(&series.name, 30),
        ranges: ranges(&points),
        points: thin(&points),
    }
}

/// Ranges at even distances, the last one among them.
fn ranges(points: &[Point]) -> Vec<Range> {
    let known = points.iter().filter_map(|&Point { x, y, range }| {
        let (low, high) = range?;
        let is_sound = low.abs() < 1e15 && high.abs() < 1e15;
        is_sound.then_some(Range { x, low, y, high })
    });
    let known: Vec<_> = known.collect();
    let every = known.len().div_ceil(MAX_RANGES).max(1);
    let mut shown: Vec<_> = known.iter().rev().step_by(every).copied().collect();
    shown.reverse();
    shown
}

/// Of many points the lowest and the highest of each of many parts, in their order, so that no
/// peak is lost.
fn thin(points: &[Point]) -> Vec<(f64, f64)> {
    let size = points.len().div_ceil(MAX_POINTS / 2).max(1);
    if points.len() <= MAX_POINTS {
        return points.iter().map(|point| (point.x, point.y)).collect();
    }
    let extremes = points.chunks(size).flat_map(|part| {
        let by_height = |a: &&Point, b: &&Point| a.y.total_cmp(&b.y);
        let low = part.iter().min_by(by_height);
        let high = part.iter().max_by(by_height);
        let mut both: Vec<Point> = low.into_iter().chain(high).copied().collect();
        both.sort_by(|a, b| a.x.total_cmp(&b.x));
        both
    });
    let ends = points.first().into_iter().copied().chain(extremes);
    let all = ends.chain(points.last().copied());
    all.map(|point| (point.x, point.y)).collect()
}

/// A text of others as it can stand in a picture and on a terminal: one line, not too long, without
/// what steers terminals or what XML forbids.
pub(crate) fn clean(text: &str, longest: usize) -> String {
    let is_odd = |c: char| {
        c.is_control()
            || matches!(c, '\u{200e}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{fffe}' | '\u{ffff}')
    };
    let mut letters = text.chars().map(|c| if is_odd(c) { ' ' } else { c });
    let mut short: String = letters.by_ref().take(longest).collect();
    if letters.next().is_some() {
        short.pop();
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peaks_survive() {
        let mut points: Vec<Point> = (0..100_000)
            .map(|x| Point::new(f64::from(x), 0.5))
            .collect();
        points[77_777].y = 9.0;
        points[33_333].y = -9.0;
        let thin = thin(&points);
        assert!(thin.len() <= MAX_POINTS + 2, "{}", thin.len());
        assert!(thin.contains(&(77_777.0, 9.0)) && thin.contains(&(33_333.0, -9.0)));
        assert_eq!((thin[0].0, thin[thin.len() - 1].0), (0.0, 99_999.0));
        assert!(thin.is_sorted_by(|a, b| a.0 <= b.0));
    }

    #[test]
    fn texts_of_others() {
        assert_eq!(clean("a\n\x1b[2J\u{202e}b", 30), "a  [2J b");
        assert_eq!(clean(&"x".repeat(99), 5), "xxxx…");
    }
}
