//! Writing files.

use crate::error::{Error, Result};
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Writes a file beside its place and then puts it there: nobody ever sees half of it, whoever has
/// mapped the old one keeps it whole, and it stays when writing fails.
///
/// # Errors
/// When the file cannot be written; the message names it.
pub fn replace(path: &Path, contents: &[u8]) -> Result {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    let part = PathBuf::from(name);
    let write = || {
        let mut file = File::create(&part)?;
        file.write_all(contents)?;
        file.sync_all()?;
        fs::rename(&part, path)
    };
    write().map_err(|error| {
        let _ = fs::remove_file(&part);
        Error::Message(format!("{}: {error}", path.display()))
    })
}
