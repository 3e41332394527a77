//! Saves games in files. A game that is saved again after more moves replaces its earlier version.

use common::error::{Error, Result};
use common::files::{AppendFile, named};
use std::fs;
use std::path::{Path, PathBuf};

/// Where the current game has been saved.
#[derive(Debug, Default)]
pub(super) struct Saved(Vec<Place>);

#[derive(Debug)]
struct Place {
    path: PathBuf,
    /// Where in the file the game begins.
    begin: u64,
    text: String,
}

/// Checks that games can be added to a file, before one is played.
///
/// # Errors
/// When it cannot be written, or holds something else than games; the message names it.
pub(super) fn check(path: &Path) -> Result {
    if path.exists() {
        return open(path).map(drop);
    }
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let read = folder.map_or(Ok(()), |folder| fs::read_dir(folder).map(drop));
    Ok(read.map_err(|error| named(path, &error))?)
}

/// Opens a file of games to add to it.
fn open(path: &Path) -> Result<AppendFile> {
    let mut file = AppendFile::open(path)?;
    // A pipe has no length, and cannot be read from its beginning.
    if file.length() > 0 && !is_pgn(&file.read_at(0, 256)?) {
        let why = "it holds something else than games in PGN";
        return Err(Error::Message(format!("{}: {why}", path.display())));
    }
    Ok(file)
}

impl Saved {
    /// Appends a game to a file. If its earlier version is the file's last game, it replaces it.
    ///
    /// # Errors
    /// When the file cannot be written, or holds something else than games; the message names it.
    pub(super) fn store(&mut self, path: &Path, text: &str) -> Result {
        let known = self.0.iter().position(|place| place.path == path);
        let known = known.map(|known| self.0.remove(known));
        let mut file = open(path)?;
        file.separate("\n\n")?;
        let end = |place: &Place| place.begin + place.text.len() as u64;
        // If anything was appended since, both versions are kept.
        if let Some(place) = known.filter(|place| end(place) == file.length()) {
            file.cut(place.begin)?;
        }
        let begin = file.length();
        file.add(text.as_bytes())?;
        self.0.push(Place {
            path: path.to_owned(),
            begin,
            text: text.to_owned(),
        });
        file.sync()
    }
}

/// Whether a file that begins with these bytes can be a PGN, so that it is not damaged by a game at
/// its end.
fn is_pgn(begin: &[u8]) -> bool {
    let text = begin.strip_prefix(b"\xef\xbb\xbf").unwrap_or(begin);
    let first = text.trim_ascii_start().first();
    let is_start = |byte: &u8| byte.is_ascii_digit() || b"[%;{*".contains(byte);
    first.is_none_or(is_start) && !text.contains(&0)
}
