//! Tables of both kinds.

use crate::builtin::{self, Mates};
use crate::error::TableError;
use crate::paths::MissingPath;
use crate::{Gaviota, Mate, Tablebase};
use engine_core::{AnyPosition, Position, Rules, dispatch};
use std::io;
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

    /// The built-in tables alone.
    pub fn builtin() -> Tables {
        let mut tables = Tables::new();
        tables.add_builtin();
        tables
    }

    /// The tables in these folders, and the built-in ones.
    ///
    /// # Errors
    /// When a folder cannot be read or has no tables.
    pub fn open(folders: impl IntoIterator<Item: AsRef<Path>>) -> Result<Tables, MissingPath> {
        let mut tables = Tables::new();
        for path in folders {
            if tables.add_path(&path)? == 0 {
                let (path, error) = (path.as_ref().to_owned(), io::Error::other("no tables"));
                return Err(MissingPath { path, error });
            }
        }
        tables.add_builtin();
        Ok(tables)
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
    pub fn add_path(&mut self, path: impl AsRef<Path>) -> Result<usize, MissingPath> {
        let path = path.as_ref();
        Ok(self.syzygy.add_path(path)? + self.gaviota.add_path(path)?)
    }

    /// What is wrong with the first table that was wanted and could not be opened, or in which a probe has
    /// found a fault, if there was one.
    pub fn broken(&self) -> Option<&TableError> {
        self.syzygy.broken().or_else(|| self.gaviota.broken())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.syzygy.is_empty() && self.gaviota.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Wdl;
    use crate::syzygy::Family;
    use engine_core::{CastlingMode, Setup};
    use std::fs;

    #[test]
    fn a_broken_file_hides_no_table_behind_it() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("KQvK.rtbw"), "").unwrap();
        let mut tables = Tables::new();
        assert_eq!(tables.add_path(folder.path()).unwrap(), 1);
        let setup = Setup::from_fen("8/8/8/3k4/8/8/8/KQ6 w - - 0 1").unwrap();
        let position: Position = Position::from_setup(&setup, CastlingMode::Standard).unwrap();
        assert!(tables.syzygy.wdl(&position).is_err());
        let broken = tables.broken().unwrap().to_string();
        assert!(broken.contains("KQvK.rtbw: 0 bytes"), "{broken}");
        tables.add_builtin();
        assert_eq!(tables.syzygy.wdl(&position).unwrap(), Wdl::Win);
        assert!(tables.broken().is_none());
    }

    #[test]
    fn tables_need_wdl_alone() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("KPPvK.rtbz"), "").unwrap();
        let mut tables = Tables::new();
        tables.add_path(folder.path()).unwrap();
        tables.add_builtin();
        let missing = tables.syzygy.missing_children(Family::Standard);
        let mut names: Vec<_> = missing.iter().map(|(child, _)| child.to_string()).collect();
        names.sort();
        assert_eq!(names, ["KBPvK", "KNPvK", "KQPvK", "KRPvK"]);
    }
}
