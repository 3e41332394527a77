//! The folders of tables that a command is given.

use common::error::{Error, Result};
use common::files::refuse_stdout;
use std::ffi::OsString;
use tablebases::{TableFile, Tables, split_paths, table_files};

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
        let folders: Vec<_> = self.path.iter().flat_map(split_paths).collect();
        for folder in &folders {
            let files = table_files(folder).map_err(|error| error.to_string())?;
            let paths: Vec<_> = files.iter().map(TableFile::path).collect();
            refuse_stdout(&paths)?;
        }
        Tables::open(folders).map_err(|error| Error::Message(error.to_string()))
    }
}
