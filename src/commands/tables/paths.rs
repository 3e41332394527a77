//! The folders of tables that a command is given.

use common::error::{Error, Result};
use std::ffi::OsString;
use tablebases::{Tables, split_paths};

/// Where the tables are.
#[derive(clap::Args, Debug)]
pub(super) struct Paths {
    /// Folders of tables, searched with their sub-folders; separate several by `;` or `:`
    ///
    /// The built-in tables of three pieces are always available.
    #[arg(long, value_name = "DIR")]
    path: Vec<OsString>,
}

impl Paths {
    /// Whether no folder is named.
    pub(super) fn is_none(&self) -> bool {
        self.path.is_empty()
    }

    /// Registers the tables in all folders.
    pub(super) fn open(&self) -> Result<Tables> {
        let folders = self.path.iter().flat_map(split_paths);
        Tables::open(folders).map_err(|error| Error::Message(error.to_string()))
    }
}
