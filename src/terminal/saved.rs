//! Saves games in files. A game that is saved again after more moves replaces its earlier version.

use common::error::{Error, Result};
use common::files::{AppendFile, NO_INPUTS, NewFile, Replace, refuse_input};
use std::path::{Path, PathBuf};

/// Where the current game has been saved.
#[derive(Debug, Default)]
pub(super) struct Saved(Vec<Place>);

#[derive(Debug)]
struct Place {
    path: PathBuf,
    /// Where in the file the game begins and ends.
    begin: u64,
    end: u64,
}

/// Checks that games can be added to a file, before one is played.
///
/// # Errors
/// When it is one of the inputs, when it cannot be written, or holds something else than games; the
/// message names it.
pub(super) fn check(path: &Path, inputs: &[PathBuf]) -> Result {
    refuse_input(path, inputs)?;
    if path.exists() {
        return open(path).map(drop);
    }
    // It is begun, but never finished.
    NewFile::create(path, Replace::No, NO_INPUTS).map(drop)
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
        let known = self.0.iter().find(|place| place.path == path);
        let mut file = open(path)?;
        file.separate("\n\n")?;
        // If anything was appended since, both versions are kept.
        let last = known.filter(|place| place.end == file.length());
        let begin = last.map_or(file.length(), |place| place.begin);
        file.replace_from(begin, text.as_bytes())?;
        self.0.retain(|place| place.path != path);
        self.0.push(Place {
            path: path.to_owned(),
            begin,
            end: file.length(),
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
