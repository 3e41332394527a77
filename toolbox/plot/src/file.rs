//! The output of a plot.

use crate::Plot;
use common::error::{Error, Result};
use common::files::{NewFile, Replace, is_dash, is_device, refuse_named_pipe};
use common::locale;
use common::window;
use std::io::{Write, stdout};
use std::path::Path;

/// The output of an option `--plot FILE`, opened before the work begins, so that a file that cannot
/// be written is an error at once.
pub struct PlotFile(PlotTarget);

enum PlotTarget {
    Terminal,
    Svg(Box<NewFile>),
}

impl PlotFile {
    /// Opens a file for SVG; `-` is the standard output, for a plot in characters.
    ///
    /// # Errors
    /// As [`NewFile::create`], for a pipe, and when the name ends like that of another format, such as `.png`.
    pub fn open(path: &Path, replace: Replace, inputs: &[impl AsRef<Path>]) -> Result<PlotFile> {
        if is_dash(path) {
            return Ok(PlotFile(PlotTarget::Terminal));
        }
        refuse_named_pipe(path)?;
        // Before the name is checked: that the file is an input is the worse fault to report.
        let file = NewFile::create(path, replace, inputs)?;
        let end = path
            .extension()
            .and_then(|end| end.to_str())
            .unwrap_or("svg");
        let is_svg = end.eq_ignore_ascii_case("svg");
        if !is_svg && !is_device(path) {
            let name = path.display();
            let message = format!("{name}: a plot is written to FILE.svg, or - for the terminal");
            return Err(Error::Usage(message));
        }
        Ok(PlotFile(PlotTarget::Svg(Box::new(file))))
    }

    /// Whether it is the standard output.
    pub fn is_stdout(&self) -> bool {
        matches!(self.0, PlotTarget::Terminal)
    }

    /// Draws the plot.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(self, plot: &Plot) -> Result {
        match self.0 {
            PlotTarget::Terminal => {
                let columns = u16::try_from(window::size().0).unwrap_or(u16::MAX);
                let text = if locale::is_unicode() {
                    plot.text(columns)
                } else {
                    plot.ascii(columns)
                };
                Ok(write!(stdout(), "{text}")?)
            }
            PlotTarget::Svg(mut file) => {
                file.write_all(plot.svg()?.as_bytes())?;
                file.finish()
            }
        }
    }
}
