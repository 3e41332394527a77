//! `mola tables`: endgame tables on the command line.

mod generate;
mod info;
mod probe;
mod values;
mod verify;

use common::error::{Error, Result};
use std::path::PathBuf;
use tablebases::{Tables, split_paths};

/// Probe, inspect and make endgame tables.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(clap::Subcommand, Debug)]
enum Action {
    Probe(probe::Args),
    Info(info::Args),
    Generate(generate::Args),
    Verify(verify::Args),
}

/// Where the tables are.
#[derive(clap::Args, Debug)]
struct Paths {
    /// Folders of tables, looked into with their sub-folders; several with `;` or `:` between them
    ///
    /// The tables of three pieces that are part of the program are always there.
    #[arg(long, value_name = "DIR")]
    path: Vec<String>,
}

impl Paths {
    /// Whether no folder is named.
    fn is_none(&self) -> bool {
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
    fn open(&self) -> Result<Tables> {
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

/// Runs the subcommand.
///
/// # Errors
/// When the tables or the position cannot be read.
pub(crate) fn run(args: &Args) -> Result {
    match &args.action {
        Action::Probe(args) => probe::run(args),
        Action::Info(args) => info::run(args),
        Action::Generate(args) => generate::run(args),
        Action::Verify(args) => verify::run(args),
    }
}
