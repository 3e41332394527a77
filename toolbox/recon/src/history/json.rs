//! The history as JSON.

use super::GameHistory;
use crate::wire;
use common::{error_text, files};
use std::path::Path;
use std::{fmt, io};

/// Why a file is no history.
#[derive(Debug)]
pub enum HistoryError {
    /// It cannot be read or written.
    Io(io::Error),
    /// It is not the JSON of a history: the message, with line and character.
    Json(String),
}

impl fmt::Display for HistoryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HistoryError::Io(error) => f.write_str(&error_text::of_system(error)),
            HistoryError::Json(why) => write!(f, "not a game history: {why}"),
        }
    }
}

impl std::error::Error for HistoryError {}

impl HistoryError {
    /// The message for a file, with its name.
    pub(crate) fn in_file(&self, path: &Path) -> String {
        match self {
            // It has the name.
            HistoryError::Io(_) => self.to_string(),
            HistoryError::Json(_) => format!("{}: {self}", files::input_name(path)),
        }
    }
}

impl GameHistory {
    /// Reads a history.
    ///
    /// # Errors
    /// When the text is not the JSON of a history.
    pub fn from_json(text: &str) -> Result<GameHistory, HistoryError> {
        let history = serde_json::from_str(text);
        history.map_err(|error| HistoryError::Json(error_text::of_json(&error, text)))
    }

    /// The history as reconchess writes it.
    ///
    /// # Errors
    /// Never, unless memory is short.
    pub fn to_json(&self) -> Result<String, HistoryError> {
        wire::to_json(self).map_err(|error| HistoryError::Json(error.to_string()))
    }

    /// Reads a file that [`GameHistory::save`] or reconchess wrote.
    ///
    /// # Errors
    /// When it cannot be read, which names it, or is no history.
    pub fn from_file(path: impl AsRef<Path>) -> Result<GameHistory, HistoryError> {
        let text = files::read_text(path.as_ref()).map_err(HistoryError::Io)?;
        GameHistory::from_json(&text)
    }

    /// Writes a file, in the place of an older one.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), HistoryError> {
        let saved = files::replace(path.as_ref(), self.to_json()?.as_bytes());
        saved.map_err(|error| HistoryError::Io(io::Error::other(error.to_string())))
    }
}
