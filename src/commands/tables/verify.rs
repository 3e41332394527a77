//! `mola tables verify`: checks tables for damage.

use super::info;
use common::control_characters::without_control_characters;
use common::count::count;
use common::error::{Error, Result};
use common::files::refuse_stdout;
use common::progress::Progress;
use std::collections::HashSet;
use std::ffi::OsString;
use std::io::{Write, stdout};
use std::path::PathBuf;
use tablebases::{TableFile, Tables, split_paths, table_files};

/// Check tables for damage, and list missing tables that they need.
///
/// For every file, the name, magic number, headers and length are checked. Syzygy tables are
/// checked by their checksum. Gaviota tables have none: all their blocks must be readable, with
/// consistent values. Every file that fails is named.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  mola tables verify /tables
  mola tables verify /tables/KQvK.rtbw")]
pub(super) struct Args {
    /// Folders, searched with their sub-folders, or files
    #[arg(required = true, value_name = "DIR")]
    paths: Vec<OsString>,
}

pub(super) fn run(args: &Args) -> Result {
    let paths: Vec<PathBuf> = args.paths.iter().flat_map(split_paths).collect();
    let mut tables = Tables::new();
    let mut files = Vec::new();
    for path in &paths {
        tables.add_path(path).map_err(|error| error.to_string())?;
        files.extend(table_files(path).map_err(|error| error.to_string())?);
    }
    // Folders may be given twice, or with files in them.
    let mut seen = HashSet::new();
    files.retain(|file| {
        let path = file.path();
        seen.insert(path.canonicalize().unwrap_or_else(|_| path.to_owned()))
    });
    if files.is_empty() {
        return Err(Error::Message("no tables".into()));
    }
    let inputs: Vec<_> = files.iter().map(TableFile::path).collect();
    refuse_stdout(&inputs)?;
    let total: u64 = files.iter().map(TableFile::bytes).sum();
    let mut progress = Progress::new("MB", 0, total >> 20).on_terminal_only();
    let (mut done, mut failed) = (0, 0);
    for file in &files {
        if let Err(error) = file.verify(&tables.gaviota) {
            progress.end();
            let fault = without_control_characters(&error.to_string());
            writeln!(stdout(), "{fault}")?;
            failed += 1;
        }
        done += file.bytes();
        progress.update(done >> 20, "");
    }
    progress.end();
    tables.add_builtin();
    info::write_missing(&tables.syzygy, &mut stdout())?;
    if failed > 0 {
        return Err(Error::Message(format!(
            "{failed} of {} broken",
            count(files.len(), "table")
        )));
    }
    let whole = match files.len() {
        1 => "1 table is intact".to_owned(),
        number => format!("{number} tables are intact"),
    };
    writeln!(stdout(), "{whole}")?;
    Ok(())
}
