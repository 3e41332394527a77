//! Where histories of games are saved: never in place of another file.

use crate::history::GameHistory;
use common::date;
use common::error::Result;
use common::files::{Force, NO_INPUTS, NewFile, Replace, make_folder, named};
use engine_core::Color;
use std::fs;
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// Whether and where the history of a game is saved.
#[derive(clap::Args, Debug)]
pub(super) struct SaveArgs {
    /// Save the history of the game in this file [default: a new file in the current folder]
    #[arg(long, value_name = "FILE")]
    history: Option<PathBuf>,
    /// Do not save the history
    #[arg(long, conflicts_with = "history")]
    no_history: bool,
    #[command(flatten)]
    force: Force,
}

impl SaveArgs {
    /// Opens the file, if one is named, so that an error is reported before the game, not after it.
    pub(super) fn open(&self, inputs: &[PathBuf]) -> Result<Option<NewFile>> {
        let file = self.history.as_deref();
        file.map(|path| NewFile::create(path, self.force.replace(), inputs))
            .transpose()
    }

    /// Saves a history in the file that was opened, or under a new name.
    pub(super) fn save(&self, history: &GameHistory, file: Option<NewFile>) -> Result {
        match file {
            Some(file) => write(history, file),
            None if self.no_history || history.is_empty() => Ok(()),
            None => {
                let path = save_under_new_name(history)?;
                let path = path.display();
                Ok(writeln!(
                    stdout(),
                    "The game is saved: mola recon replay {path}"
                )?)
            }
        }
    }
}

/// Writes a history to its file.
pub(super) fn write(history: &GameHistory, mut file: NewFile) -> Result {
    fill(history, &mut file)?;
    file.finish()
}

fn fill(history: &GameHistory, file: &mut NewFile) -> Result {
    let json = history.to_json().map_err(|error| error.to_string())?;
    Ok(file.write_all(json.as_bytes())?)
}

/// Saves a history in the present folder under a new name, as reconchess does: players, winner and
/// time. Returns the path.
pub(super) fn save_under_new_name(history: &GameHistory) -> Result<PathBuf> {
    let winner = match (history.winner(), history.win_reason()) {
        (Some(color), _) => color.name(),
        (None, Some(_)) => "draw",
        (None, None) => "unfinished",
    };
    let [white, black] = players(history);
    let time = timestamp(SystemTime::now());
    save_beside_others(
        history,
        Path::new(""),
        &format!("{white}-{black}-{winner}-{time}"),
    )
}

/// Saves a history in a folder under this name, or this name and a number if there is such a file.
pub(super) fn save_beside_others(
    history: &GameHistory,
    folder: &Path,
    name: &str,
) -> Result<PathBuf> {
    let mut path = folder.join(format!("{name}.json"));
    let mut number = 2;
    loop {
        let file = NewFile::create(&path, Replace::No, NO_INPUTS);
        // Under a name that is taken, it is to be dropped: the next one gets it.
        let write =
            |mut file: NewFile| fill(history, &mut file).and_then(|()| file.finish_or_drop());
        match file.and_then(write) {
            Ok(()) => return Ok(path),
            // Another program may have taken the name a moment ago.
            Err(_) if path.exists() => path = folder.join(format!("{name}-{number}.json")),
            Err(error) => return Err(error),
        }
        number += 1;
    }
}

/// `2026_01_31-09_20_11`, in universal time.
fn timestamp(now: SystemTime) -> String {
    let seconds = now.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs() % 86_400;
    let day = date::of(now).replace('.', "_");
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("{day}-{hour:02}_{minute:02}_{second:02}")
}

/// The names of White and Black, as they can be part of a file's name.
fn players(history: &GameHistory) -> [String; 2] {
    Color::ALL.map(|color| in_file_name(history.name(color).unwrap_or_default()))
}

/// How many bytes of a player's name the name of a file has: two of them, with what stands beside
/// them, are within the 255 that a file system allows.
const MAX_NAME: usize = 100;

fn in_file_name(name: &str) -> String {
    let mut name = name.replace(|c: char| !c.is_alphanumeric() && !"-_.".contains(c), "-");
    name.truncate(name.floor_char_boundary(MAX_NAME));
    name
}

/// A folder of histories with numbers. Those of an earlier run stay: new numbers follow theirs.
#[derive(Clone, Debug)]
pub(super) struct HistoryFolder {
    folder: PathBuf,
    /// The highest number that is taken.
    taken: usize,
}

impl HistoryFolder {
    /// Makes the folder if it is not there, and looks which numbers are taken.
    pub(super) fn open(folder: &Path) -> Result<HistoryFolder> {
        make_folder(folder)?;
        let entries = fs::read_dir(folder).map_err(|error| named(folder, &error))?;
        let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        Ok(HistoryFolder {
            folder: folder.to_owned(),
            taken: names.filter_map(|name| number(&name)).max().unwrap_or(0),
        })
    }

    /// Saves the history of a game, counted from 0.
    pub(super) fn save(&self, game: usize, history: &GameHistory) -> Result {
        let [white, black] = players(history);
        let number = self.taken.saturating_add(game).saturating_add(1);
        let name = format!("{number:04}-{white}-{black}");
        save_beside_others(history, &self.folder, &name).map(|_| ())
    }
}

/// The number that the name of a file begins with.
fn number(name: &str) -> Option<usize> {
    name.split_once('-')?.0.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn times_and_numbers() {
        let time = UNIX_EPOCH + Duration::from_secs(20_484 * 86_400 + 9 * 3600 + 20 * 60 + 11);
        assert_eq!(timestamp(time), "2026_01_31-09_20_11");
        assert_eq!(number("0012-mola-random.json"), Some(12));
        assert_eq!(number("notes.txt"), None);
        assert_eq!(number("a-b.json"), None);
    }

    #[test]
    fn long_names_are_cut() {
        assert_eq!(in_file_name("a/b c"), "a-b-c");
        assert_eq!(in_file_name(&"x".repeat(300)), "x".repeat(MAX_NAME));
        assert_eq!(in_file_name(&"é馬".repeat(50)).len(), MAX_NAME);
    }
}
