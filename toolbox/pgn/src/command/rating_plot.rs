//! The rating of a player over the months, as a picture.

use super::input::Input;
use super::output::OutputArgs;
use crate::explorer::players::Career;
use common::error::Result;
use common::files::refuse_same_outputs;
use plot::{Panel, Plot, PlotFile, Point, Scale, Series};
use std::path::{Path, PathBuf};

/// The argument that asks for it.
#[derive(clap::Args, Debug)]
pub(super) struct PlotArgs {
    /// Plot the rating by month as FILE.svg; `-` plots it in characters on standard output
    #[arg(long, value_name = "FILE", requires = "player")]
    plot: Option<PathBuf>,
}

impl PlotArgs {
    /// The file, if a plot is wanted.
    pub(super) fn path(&self) -> Option<&Path> {
        self.plot.as_deref()
    }

    pub(super) fn open(&self, target: &OutputArgs, input: &Input) -> Result<Option<PlotFile>> {
        let path = self.plot.as_deref();
        refuse_same_outputs(&[target.path(), path])?;
        let open = |path| PlotFile::open(path, target.replace(), &input.paths());
        path.map(open).transpose()
    }
}

/// The ratings by month, counted from the year 0.
pub(super) fn curve(career: &Career) -> Vec<Point> {
    let point = |(&(year, month), &(_, rating)): (&(u16, u8), &(Option<u8>, u16))| {
        let month = u32::from(year) * 12 + u32::from(month) - 1;
        Point::new(month.into(), f64::from(rating))
    };
    career.ratings.iter().map(point).collect()
}

/// The picture.
pub(super) fn plot(name: &str, points: Vec<Point>) -> Plot {
    let panel = Panel {
        title: "rating".to_owned(),
        x: "months",
        scale: Scale::Month,
        series: vec![Series {
            name: String::new(),
            points,
        }],
        reference_lines: Vec::new(),
    };
    Plot {
        title: format!("Rating of {name}"),
        panels: vec![panel],
    }
}
