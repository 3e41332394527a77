//! The shared data.

use serde::Deserialize;
use std::fs;

/// The limits of a recorded game that differ from reconchess's.
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

/// Every available recorded game, with the text of its history.
pub(crate) fn histories() -> Vec<(Entry, String)> {
    let folder = corpora::path("recon/histories");
    let index = fs::read_to_string(folder.join("index.json")).unwrap();
    let entries: Vec<Entry> = serde_json::from_str(&index).unwrap();
    let there = entries
        .into_iter()
        .filter(|entry| folder.join(&entry.file).exists());
    there
        .map(|entry| (entry.clone(), corpora::text(&folder.join(&entry.file))))
        .collect()
}
