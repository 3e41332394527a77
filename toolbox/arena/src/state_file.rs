//! The state of a run in a file, from which the same command resumes it.

use common::error::{Error, Result};
use common::error_text::of_json;
use common::files::{self, LockFile};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io;
use std::path::{Path, PathBuf};

/// The file of a run's state, if it has one. No other run uses it meanwhile.
pub(crate) struct StateFile(Option<(PathBuf, LockFile)>);

impl StateFile {
    /// The file at this path, if any.
    ///
    /// # Errors
    /// When another run holds it, or its folder cannot be written.
    pub(crate) fn open(path: Option<&Path>) -> Result<StateFile> {
        let held = path.map(|path| Ok::<_, Error>((path.to_owned(), LockFile::of(path)?)));
        Ok(StateFile(held.transpose()?))
    }

    /// The state in the file; none where there is no file yet.
    ///
    /// # Errors
    /// When it cannot be read, or is no such state.
    pub(crate) fn read<T: DeserializeOwned>(&self) -> Result<Option<T>> {
        let Some((path, _)) = &self.0 else {
            return Ok(None);
        };
        let text = match files::read(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let state = serde_json::from_slice(&text);
        let state = state.map_err(|error| format!("{}: {}", path.display(), of_json(&error)))?;
        Ok(Some(state))
    }

    /// Saves the state.
    ///
    /// # Errors
    /// When the file cannot be written; the old state stays.
    pub(crate) fn save(&self, state: &impl Serialize) -> Result {
        let Some((path, _)) = &self.0 else {
            return Ok(());
        };
        let text = serde_json::to_string_pretty(state).map_err(|error| error.to_string())?;
        files::replace(path, text.as_bytes())
    }

    /// The error when the state is not one of this command: `what` may differ, or the settings.
    pub(crate) fn of_another_run(&self, what: &str) -> Error {
        let path = self.0.as_ref().map(|(path, _)| path.display().to_string());
        let path = path.unwrap_or_default();
        Error::Message(format!(
            "{path} belongs to a run with other {what} or settings"
        ))
    }
}
