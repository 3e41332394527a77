//! Saves games in files. A game that is saved again after more moves replaces its earlier version.

use common::error::{Error, Result};
use common::files::{AppendFile, NO_INPUTS, NewFile, Replace, is_device, refuse_input, resolved};
use engine_core::Move;
use std::fs;
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
    /// The moves that the game had then.
    moves: Vec<Option<Move>>,
}

/// Checks that games can be added to a file, before one is played.
///
/// # Errors
/// When it is one of the inputs, when it cannot be written, or holds something else than games; the
/// message names it.
pub(super) fn check(path: &Path, inputs: &[PathBuf]) -> Result {
    refuse_input(path, inputs)?;
    if path.exists() || is_device(path) {
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
        let why = "it begins with no tag, comment or move number, as games in PGN do";
        return Err(Error::Message(format!("{}: {why}", path.display())));
    }
    Ok(file)
}

impl Saved {
    /// Has a file keep the version of the game that it has, unless that is the beginning of these moves.
    pub(super) fn keep_others(&mut self, path: &Path, moves: &[Option<Move>]) {
        let path = resolved(path);
        let is_kept = |place: &Place| place.path == path && !moves.starts_with(&place.moves);
        self.0.retain(|place| !is_kept(place));
    }

    /// Appends a game to a file. If its earlier version is the file's last game, it replaces it.
    ///
    /// # Errors
    /// When the file cannot be written, or holds something else than games; the message names it. A file
    /// that was not there is not made then.
    pub(super) fn store(&mut self, path: &Path, text: &str, moves: &[Option<Move>]) -> Result {
        let is_new = fs::symlink_metadata(path).is_err();
        let stored = self.append(path, text, moves);
        if stored.is_err() && is_new && path.metadata().is_ok_and(|found| found.len() == 0) {
            let _ = fs::remove_file(path);
        }
        stored
    }

    fn append(&mut self, path: &Path, text: &str, moves: &[Option<Move>]) -> Result {
        let mut file = open(path)?;
        let path = resolved(path);
        let known = self.0.iter().find(|place| place.path == path);
        file.separate("\n\n")?;
        // If anything was appended since, both versions are kept.
        let last = known.filter(|place| place.end == file.length());
        let begin = last.map_or(file.length(), |place| place.begin);
        file.replace_from(begin, text.as_bytes())?;
        self.0.retain(|place| place.path != path);
        self.0.push(Place {
            path,
            begin,
            end: file.length(),
            moves: moves.to_vec(),
        });
        file.sync()
    }
}

/// Whether a file that begins with these bytes can be a PGN, so that it is not damaged by a game at
/// its end.
fn is_pgn(begin: &[u8]) -> bool {
    let text = begin.strip_prefix(b"\xef\xbb\xbf").unwrap_or(begin);
    let text = text.trim_ascii_start();
    let is_start = |byte: &u8| byte.is_ascii_digit() || b"[%;{*".contains(byte);
    text.first().is_none_or(is_start) && !text.contains(&0) && !is_json(text)
}

/// Whether a text begins as JSON does: an object with a name or none, or a list without the name of a
/// tag.
fn is_json(text: &[u8]) -> bool {
    let second = |rest: &[u8]| rest.trim_ascii_start().first().copied();
    match text.split_first() {
        Some((b'{', rest)) => matches!(second(rest), Some(b'"' | b'}')),
        Some((b'[', rest)) => second(rest).is_some_and(|byte| !is_of_tag(byte)),
        _ => false,
    }
}

fn is_of_tag(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || !byte.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_no_pgn() {
        for text in [
            "{\n \"seed\": 1}",
            "{}",
            "[1, 2]",
            "[\"a\"]",
            "[{}]",
            "[]",
            "\0",
        ] {
            assert!(!is_pgn(text.as_bytes()), "{text}");
        }
        for text in [
            "",
            "[Event \"x\"]",
            "\u{feff}\n[ White \"x\"]",
            "{A comment} 1. e4 *",
            "1. e4 *",
            "*",
            "[",
        ] {
            assert!(is_pgn(text.as_bytes()), "{text}");
        }
    }
}
