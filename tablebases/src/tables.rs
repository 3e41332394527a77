//! Tables of both kinds.

use crate::builtin::{self, Mates};
use crate::paths::MissingPath;
use crate::{Gaviota, Mate, Tablebase};
use engine_core::{AnyPosition, Position, Rules, dispatch};
use std::path::Path;

/// Syzygy and Gaviota tables together.
#[derive(Debug, Default)]
pub struct Tables {
    /// Win, draw or loss, and the way there under the fifty-move rule.
    pub syzygy: Tablebase,
    /// The distance to mate.
    pub gaviota: Gaviota,
    mates: Option<Mates>,
}

impl Tables {
    /// No tables yet.
    pub fn new() -> Tables {
        Tables::default()
    }

    /// Adds the built-in tables of three pieces. Tables in files that were added before take
    /// precedence.
    pub fn add_builtin(&mut self) {
        builtin::add_to(&mut self.syzygy);
        self.mates = Some(Mates::new());
    }

    /// The most pieces of positions whose distance to mate may be known.
    pub fn most_pieces_to_mate(&self) -> u32 {
        let builtin = if self.mates.is_some() {
            builtin::PIECES
        } else {
            0
        };
        self.gaviota.most_pieces().max(builtin)
    }

    /// The distance to mate, from Gaviota tables or from the built-in ones.
    pub fn mate<R: Rules>(&self, position: &Position<R>) -> Option<Mate> {
        let builtin = || self.mates.as_ref()?.mate(position);
        self.gaviota.mate(position).ok().or_else(builtin)
    }

    /// The distance to mate; see [`Tables::mate`].
    pub fn probe_mate(&self, position: &AnyPosition) -> Option<Mate> {
        dispatch!(position, |position| self.mate(position))
    }

    /// Adds the tables of either kind in a folder and its sub-folders, or one file, and returns how
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
