//! Verification of table files as a whole, which probing does not do.

use crate::error::{TableError, TableFault};
use crate::gaviota::{self, Scheme};
use crate::syzygy::{self, Family};
use crate::{Gaviota, MissingPath};
use std::path::{Path, PathBuf};

/// A file that a table is to be in, by its suffix.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableFile {
    path: PathBuf,
    bytes: u64,
}

impl TableFile {
    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How large it is.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Reads the whole file. Syzygy tables carry a checksum; Gaviota tables do not, so all blocks
    /// are decompressed and their values compared with those after each move: all values of three
    /// pieces, and samples of more. `others` has the tables that captures and promotions lead to.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub fn verify(&self, others: &Gaviota) -> Result<(), TableError> {
        let Some(name) = self.path.file_name().and_then(|name| name.to_str()) else {
            return Err(self.misnamed());
        };
        if scheme_of(name).is_some() {
            return gaviota::verify(&self.path, others).unwrap_or_else(|| Err(self.misnamed()));
        }
        syzygy::verify(&self.path).unwrap_or_else(|| Err(self.misnamed()))
    }

    fn misnamed(&self) -> TableError {
        let fault = TableFault::Corrupt("its name is not that of a table");
        TableError::new(self.path.display().to_string(), fault)
    }
}

fn scheme_of(name: &str) -> Option<Scheme> {
    let suffix = |scheme: &Scheme| name.ends_with(&format!(".{}", scheme.suffix()));
    Scheme::ALL.into_iter().find(suffix)
}

/// The files in a folder and its sub-folders that end as tables do, or one file, in order of name.
///
/// # Errors
/// When the folder cannot be read.
pub fn table_files(path: &Path) -> Result<Vec<TableFile>, MissingPath> {
    let is_syzygy = |extension: &str| Family::of_suffix(extension).is_some();
    let is_table = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str());
        let extension = path.extension().and_then(|extension| extension.to_str());
        extension.is_some_and(is_syzygy) || name.is_some_and(|name| scheme_of(name).is_some())
    };
    let files = crate::paths::files_in(path)?;
    let with_size = |path: PathBuf| TableFile {
        bytes: path.metadata().map_or(0, |data| data.len()),
        path,
    };
    Ok(files.into_iter().filter(is_table).map(with_size).collect())
}
