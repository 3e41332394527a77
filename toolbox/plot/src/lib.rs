//! Plots of numbers: a [`Plot`] is drawn as a picture in SVG, or in characters for the terminal.
//!
//! ```
//! use plot::{Panel, Plot, Point, Scale, Series};
//!
//! let points = (1..=40).map(|game| Point::new(f64::from(game), 50.0)).collect();
//! let plot = Plot {
//!     title: "A against B".to_owned(),
//!     panels: vec![Panel {
//!         title: "score in %".to_owned(),
//!         x: "games",
//!         scale: Scale::Whole,
//!         series: vec![Series { name: "A".to_owned(), points }],
//!         reference_lines: Vec::new(),
//!     }],
//! };
//! assert!(plot.svg()?.contains("A against B"));
//! assert!(plot.text(60).contains("score in %"));
//! # Ok::<(), common::error::Error>(())
//! ```
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

mod axis;
mod figure;
mod file;
mod summary;
mod svg;
mod text;

pub use file::PlotFile;

/// What is drawn: panels with a title above all.
#[derive(Clone, Debug, Default)]
pub struct Plot {
    /// What it is about.
    pub title: String,
    /// One below the other, or side by side where they are many.
    pub panels: Vec<Panel>,
}

/// Numbers over one axis.
#[derive(Clone, Debug, Default)]
pub struct Panel {
    /// What the numbers are.
    pub title: String,
    /// What they depend on.
    pub x: &'static str,
    /// The numbers on that axis.
    pub scale: Scale,
    /// The curves.
    pub series: Vec<Series>,
    /// Values that the curves are compared with.
    pub reference_lines: Vec<ReferenceLine>,
}

/// What numbers an axis can have.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Scale {
    /// Any.
    #[default]
    Real,
    /// Whole ones: of games or moves.
    Whole,
    /// Months since the year 0.
    Month,
}

/// A curve.
#[derive(Clone, Debug, Default)]
pub struct Series {
    /// Whose it is; may be empty where there is no other.
    pub name: String,
    /// Its points from left to right. Those that are not finite are not drawn.
    pub points: Vec<Point>,
}

/// A point of a curve.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Point {
    /// Where it is.
    pub x: f64,
    /// How high it is.
    pub y: f64,
    /// The interval that probably contains the true value, drawn as an error bar.
    pub range: Option<(f64, f64)>,
}

impl Point {
    /// A point that is known exactly.
    pub fn new(x: f64, y: f64) -> Point {
        Point { x, y, range: None }
    }
}

/// A line across a panel.
#[derive(Clone, Debug, Default)]
pub struct ReferenceLine {
    /// How high it is.
    pub y: f64,
    /// A word or two.
    pub name: String,
}
