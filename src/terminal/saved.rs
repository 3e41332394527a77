//! Saves games in files. A game that is saved again after more moves replaces its earlier version.

use common::error::Result;
use common::files::AppendFile;
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

impl Saved {
    /// Appends a game to a file. If its earlier version is the file's last game, it replaces it.
    ///
    /// # Errors
    /// When the file cannot be written; the message names it.
    pub(super) fn store(&mut self, path: &Path, text: &str) -> Result {
        let known = self.0.iter().position(|place| place.path == path);
        let known = known.map(|known| self.0.remove(known));
        let mut file = AppendFile::open(path, "\n\n")?;
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
