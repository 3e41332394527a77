//! The folders of tables that a command is given.

use common::error::{Error, Result};
use std::path::PathBuf;
use tablebases::{Tables, split_paths};

/// Where the tables are.
#[derive(clap::Args, Debug)]
pub(super) struct Paths {
    /// Folders of tables, searched with their sub-folders; separate several by `;` or `:`
    ///
    /// The built-in tables of three pieces are always available.
    #[arg(long, value_name = "DIR")]
    path: Vec<String>,
}

impl Paths {
    /// Whether no folder is named.
    pub(super) fn is_none(&self) -> bool {
        self.path.is_empty()
    }

    /// The folders as they are given.
    fn folders(&self) -> Vec<PathBuf> {
        self.path
            .iter()
            .flat_map(|list| split_paths(list))
            .collect()
    }

    /// Registers the tables in all folders.
    pub(super) fn open(&self) -> Result<Tables> {
        let mut tables = Tables::new();
        for folder in self.folders() {
            let added = tables
                .add_path(&folder)
                .map_err(|error| error.to_string())?;
            if added == 0 {
                return Err(Error::Message(format!("{}: no tables", folder.display())));
            }
        }
        tables.add_builtin();
        Ok(tables)
    }
}
