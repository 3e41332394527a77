//! Tables of both kinds.

use crate::paths::MissingPath;
use crate::{Gaviota, Tablebase};
use std::path::Path;

/// Syzygy and Gaviota tables together.
#[derive(Debug, Default)]
pub struct Tables {
    /// Win, draw or loss, and the way there under the fifty-move rule.
    pub syzygy: Tablebase,
    /// The distance to mate.
    pub gaviota: Gaviota,
}

impl Tables {
    /// No tables yet.
    pub fn new() -> Tables {
        Tables::default()
    }

    /// Adds the tables of either kind in a folder and its sub-folders, or one file, and tells how
    /// many there were.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn add_path(&mut self, path: &Path) -> Result<usize, MissingPath> {
        Ok(self.syzygy.add_path(path)? + self.gaviota.add_path(path)?)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.syzygy.is_empty() && self.gaviota.is_empty()
    }
}
