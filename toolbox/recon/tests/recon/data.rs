//! The shared data.

use flate2::read::GzDecoder;
use serde::Deserialize;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// A file or folder of the data, if it is there.
pub(crate) fn find(name: &str) -> Option<PathBuf> {
    let root = std::env::var_os("MOLA_DATA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        PathBuf::from,
    );
    let path = root.join("recon").join(name);
    path.exists().then_some(path)
}

/// The text of a compressed file.
pub(crate) fn text(path: &Path) -> String {
    let mut text = String::new();
    let mut reader = GzDecoder::new(File::open(path).unwrap());
    reader.read_to_string(&mut text).unwrap();
    text
}

/// The lines of a compressed file.
pub(crate) fn lines(path: &Path) -> impl Iterator<Item = String> + use<> {
    BufReader::new(GzDecoder::new(File::open(path).unwrap()))
        .lines()
        .map(Result::unwrap)
}

/// The bounds of a recorded game that are not those of reconchess.
#[derive(Clone, Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub(crate) struct Bounds {
    pub reversible_moves_limit: Option<u32>,
    pub full_turn_limit: Option<u32>,
}

/// A recorded game.
#[derive(Clone, Deserialize)]
pub(crate) struct Entry {
    pub file: String,
    pub limits: Bounds,
}

/// Every recorded game that is there, with the text of its history.
pub(crate) fn histories() -> Vec<(Entry, String)> {
    let Some(folder) = find("histories") else {
        return Vec::new();
    };
    let index = fs::read_to_string(folder.join("index.json")).unwrap();
    let entries: Vec<Entry> = serde_json::from_str(&index).unwrap();
    let there = entries
        .into_iter()
        .filter(|entry| folder.join(&entry.file).exists());
    there
        .map(|entry| (entry.clone(), text(&folder.join(&entry.file))))
        .collect()
}
