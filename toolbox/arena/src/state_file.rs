//! The state of a run in a file, from which the same command resumes it.

use common::error::{Error, Result};
use common::error_text::of_json;
use common::files::{self, LockFile};
use common::interval::{Interval, SAVE_INTERVAL};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io;
use std::path::{Path, PathBuf};

/// The file of a run's state, if it has one. No other run uses it meanwhile.
pub(crate) struct StateFile {
    held: Option<(PathBuf, LockFile)>,
    since_save: Interval,
}

impl StateFile {
    /// The file at this path, if any.
    ///
    /// # Errors
    /// When another run holds it, its folder cannot be written, or it is a device or a pipe.
    pub(crate) fn open(path: Option<&Path>) -> Result<StateFile> {
        path.map_or(Ok(()), files::refuse_unresumable)?;
        let held = path.map(|path| Ok::<_, Error>((path.to_owned(), LockFile::of(path)?)));
        Ok(StateFile {
            held: held.transpose()?,
            since_save: Interval::new(SAVE_INTERVAL),
        })
    }

    /// The state in the file; none where there is no file yet.
    ///
    /// # Errors
    /// When it cannot be read, or is no such state.
    pub(crate) fn read<T: DeserializeOwned>(&self) -> Result<Option<T>> {
        let Some((path, _)) = &self.held else {
            return Ok(None);
        };
        let text = match files::read(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let state = serde_json::from_slice(&text);
        let state =
            state.map_err(|error| format!("{}: {}", path.display(), of_json(&error, &text)))?;
        Ok(Some(state))
    }

    /// Saves the state.
    ///
    /// # Errors
    /// When the file cannot be written; the old state stays.
    pub(crate) fn save(&self, state: &impl Serialize) -> Result {
        let Some((path, _)) = &self.held else {
            return Ok(());
        };
        let text = serde_json::to_string_pretty(state).map_err(|error| error.to_string())?;
        files::replace(path, text.as_bytes())
    }

    /// Saves the state if the last time is long ago.
    ///
    /// # Errors
    /// As [`save`](StateFile::save).
    pub(crate) fn save_now_and_then(&mut self, state: &impl Serialize) -> Result {
        if self.since_save.has_passed() {
            self.save(state)?;
        }
        Ok(())
    }

    /// The error when the state is not one of this command: `what` may differ, or other settings.
    pub(crate) fn of_another_run(&self, what: &str, old: &[String], new: &[String]) -> Error {
        let path = self.held.as_ref().map(|(path, _)| path.display());
        let path = path.map(|path| path.to_string()).unwrap_or_default();
        let differences = differences(old, new);
        Error::Message(format!(
            "{path} belongs to a run with other {what} or settings{differences}"
        ))
    }
}

/// `: with --rate=0.5, without --rate=0.4`.
fn differences(old: &[String], new: &[String]) -> String {
    let not_in = |these: &[String], those: &[String], word: &str| {
        let only = these.iter().filter(|&setting| !those.contains(setting));
        let only = only.cloned().collect::<Vec<_>>().join(", ");
        (!only.is_empty()).then(|| format!("{word} {only}"))
    };
    let parts = [not_in(old, new, "with"), not_in(new, old, "without")];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() {
        return String::new();
    }
    format!(": {}", parts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_that_differ_are_named() {
        let settings = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let all = settings("--a=1 --b=2");
        let told = |new: &str| differences(&all, &settings(new));
        assert_eq!(told("--b=2 --a=1"), "");
        assert_eq!(told("--a=1 --b=2 --c"), ": without --c");
        assert_eq!(told("--a=1"), ": with --b=2");
        assert_eq!(told("--a=1 --b=3"), ": with --b=2, without --b=3");
    }

    #[test]
    fn a_state_is_saved_when_time_has_passed() {
        let path = std::env::temp_dir().join(format!("mola-state-{}", std::process::id()));
        let mut file = StateFile::open(Some(&path)).unwrap();
        file.save_now_and_then(&1).unwrap();
        assert_eq!(file.read::<u64>().unwrap(), None);
        file.since_save = Interval::new(std::time::Duration::ZERO);
        file.save_now_and_then(&2).unwrap();
        assert_eq!(file.read::<u64>().unwrap(), Some(2));
        std::fs::remove_file(path).unwrap();
    }
}
