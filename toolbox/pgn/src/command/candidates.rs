//! Games that may have a position: by the index where there is one, else all.

use super::input::Input;
use super::pipeline::GameRecord;
use crate::index::{Index, Next, path_of};
use crate::{Block, Dialect};
use common::error::{Error, Result};
use common::files::{is_dash, named, refuse_stdin_twice};
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
        if dialect.is_some() || self.lang != Language::ENGLISH || self.strict || is_dash(path) {
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
        refuse_stdin_twice(&paths)?;
        let has_index = |path: &PathBuf| !is_dash(path) && path_of(path).is_file();
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
                games += self.read_listed(path, (&index, &found), games, &map, &mut fold)?;
            } else {
                let alone = Input {
                    next: Next {
                        games,
                        ..Next::default()
                    },
                    ..self.of(vec![path.clone()])
                };
                alone.each_game(dialect, &map, |value| {
                    games += 1;
                    fold(value)
                })?;
            }
        }
        Ok(games)
    }

    /// Reads some games of a collection, which so many of other files come before; how many it has
    /// up to the last that was needed.
    fn read_listed<T>(
        &self,
        path: &Path,
        (index, listed): (&Index, &[u32]),
        before: u64,
        map: &impl Fn(GameRecord<'_>) -> T,
        fold: &mut impl FnMut(T) -> Result<bool>,
    ) -> Result<u64> {
        let failed = |error| named(path, &error);
        let mut file = File::open(path).map_err(failed)?;
        let name = path.display().to_string();
        let mut block = Block::default();
        for &game in listed {
            let (place, line) = index.location(game);
            (block.offset, block.line) = (place.start, line);
            block.text.clear();
            file.seek(SeekFrom::Start(place.start)).map_err(failed)?;
            let length = place.end.saturating_sub(place.start);
            file.by_ref()
                .take(length)
                .read_to_end(&mut block.text)
                .map_err(failed)?;
            for value in self.map_alone(&name, &block, before + u64::from(game), map)? {
                if !fold(value)? {
                    return Ok(u64::from(game) + 1);
                }
            }
        }
        Ok(index.games() as u64)
    }
}

/// Tells why an index is not used.
fn note_unused(error: &Error) {
    note!("{error}; the games are read instead");
}
