//! Writing a book.

use crate::error::{Error, Result};
use book::Entry;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Writes a book beside its place and then puts it there, so that a book which an engine has
/// mapped stays whole, and so does the old one when writing fails.
pub(super) fn save(path: &Path, entries: &[Entry]) -> Result {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    let part = PathBuf::from(name);
    let written = write(&part, entries).and_then(|()| std::fs::rename(&part, path));
    written.map_err(|error| {
        let _ = std::fs::remove_file(&part);
        Error::Message(format!("{}: {error}", path.display()))
    })
}

fn write(path: &Path, entries: &[Entry]) -> std::io::Result<()> {
    let mut file = BufWriter::new(std::fs::File::create(path)?);
    for entry in entries {
        file.write_all(&entry.to_bytes())?;
    }
    file.into_inner()
        .map_err(std::io::IntoInnerError::into_error)?
        .sync_all()
}
