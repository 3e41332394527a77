//! Games that may have a position: by the index where there is one, else all.

use super::input::Input;
use super::pipeline::GameRecord;
use crate::index::{Index, path_of};
use crate::{Builder, Dialect, Parsed, Parser, Replay};
use common::error::{Error, Result};
use common::files::named;
use common::note;
use engine_core::notation::Language;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// A collection is read as a whole if more than one in this many of its games are candidates: that
/// is faster.
const MAX_OF: usize = 4;

impl Input {
    /// The index of a file, if there is one that can be used. If one cannot, the file is read
    /// without it; with `reports` the user is told why.
    pub(super) fn index_of(
        &self,
        path: &Path,
        dialect: Option<&dyn Dialect>,
        reports: bool,
    ) -> Option<Index> {
        if dialect.is_some() || self.lang != Language::ENGLISH || self.strict {
            return None;
        }
        match Index::open(path) {
            Ok(index) => index,
            Err(error) => {
                if reports {
                    note_unused(&error);
                }
                None
            }
        }
    }

    /// The games that may have a position with one of these keys, with the index of the file that
    /// lists them; `None` if all games are to be read.
    fn listed(
        &self,
        path: &Path,
        dialect: Option<&dyn Dialect>,
        keys: &[u64],
    ) -> Option<(Index, Vec<u32>)> {
        let index = self.index_of(path, dialect, !self.quiet)?;
        match index.games_with(keys) {
            Ok(found) => {
                let is_few = found.len() <= index.games() / MAX_OF + 64;
                is_few.then_some((index, found))
            }
            Err(error) => {
                if !self.quiet {
                    note_unused(&error);
                }
                None
            }
        }
    }

    /// Sends the games that may have a position with one of these keys through `map` and `fold`, in order;
    /// all games where there are no keys or no index. Returns how many games there are up to the last
    /// that was needed, those that the index spared included.
    ///
    /// # Errors
    /// As [`Input::each_game`].
    pub(super) fn each_candidate<T: Send>(
        &self,
        dialect: Option<&dyn Dialect>,
        keys: Option<Vec<u64>>,
        map: impl Fn(GameRecord<'_>) -> T + Sync,
        mut fold: impl FnMut(T) -> Result<bool> + Send,
    ) -> Result<u64> {
        let mut games = 0;
        let paths = self.paths();
        let has_index = |path: &PathBuf| path_of(path).is_file();
        let Some(keys) = keys.filter(|_| paths.iter().any(has_index)) else {
            self.each_game(dialect, map, |value| {
                games += 1;
                fold(value)
            })?;
            return Ok(games);
        };
        let mut goes_on = true;
        for path in &paths {
            if !goes_on {
                break;
            }
            let mut fold = |value| {
                goes_on = fold(value)?;
                Ok(goes_on)
            };
            if let Some((index, found)) = self.listed(path, dialect, &keys) {
                games += read_games(path, &index, &found, &map, &mut fold)?;
            } else {
                let alone = self.of(vec![path.clone()]);
                alone.each_game(dialect, &map, |value| {
                    games += 1;
                    fold(value)
                })?;
            }
        }
        Ok(games)
    }
}

/// Tells why an index is not used.
fn note_unused(error: &Error) {
    note!("{error}; the games are read instead");
}

/// Reads some games of a collection; how many it has up to the last that was needed.
fn read_games<T>(
    path: &Path,
    index: &Index,
    games: &[u32],
    map: &impl Fn(GameRecord<'_>) -> T,
    fold: &mut impl FnMut(T) -> Result<bool>,
) -> Result<u64> {
    let failed = |error| named(path, &error);
    let mut file = File::open(path).map_err(failed)?;
    let name = path.display().to_string();
    let mut text = Vec::new();
    for &game in games {
        let (place, line) = index.location(game);
        text.clear();
        file.seek(SeekFrom::Start(place.start)).map_err(failed)?;
        let length = place.end.saturating_sub(place.start);
        file.by_ref()
            .take(length)
            .read_to_end(&mut text)
            .map_err(failed)?;
        let mut builder = Builder::new();
        let mut parser = Parser::new(&text);
        if parser.read_game(&mut Replay::new(&mut builder)) != Parsed::Game {
            continue;
        }
        let mut tree = builder.take();
        let raw = text.get(tree.span.clone()).unwrap_or_default();
        let value = map(GameRecord {
            tree: &mut tree,
            raw,
            name: &name,
            offset: place.start,
            line,
        });
        if !fold(value)? {
            return Ok(u64::from(game) + 1);
        }
    }
    Ok(index.games() as u64)
}
