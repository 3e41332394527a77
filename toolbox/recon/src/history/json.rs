//! The history as JSON.

use super::{GameHistory, Turn};
use crate::actions::SenseResult;
use crate::wire::{self, Number, SenseRows, shaped};
use common::words;
use engine_core::{Color, Square};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::path::Path;
use std::{fmt, fs, io};

/// A list for each side.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Sides<T> {
    #[serde(rename = "true")]
    white: Vec<T>,
    #[serde(rename = "false")]
    black: Vec<T>,
}

impl<T> Default for Sides<T> {
    fn default() -> Sides<T> {
        Sides {
            white: Vec::new(),
            black: Vec::new(),
        }
    }
}

impl<T> Sides<T> {
    pub(super) fn of(&self, color: Color) -> &[T] {
        match color {
            Color::White => &self.white,
            Color::Black => &self.black,
        }
    }

    pub(super) fn at(&self, turn: Turn) -> Option<&T> {
        self.of(turn.color).get(turn.number)
    }

    #[inline]
    pub(super) fn push(&mut self, color: Color, item: T) {
        match color {
            Color::White => self.white.push(item),
            Color::Black => self.black.push(item),
        }
    }

    fn map<U>(&self, change: impl Fn(&T) -> U) -> Sides<U> {
        Sides {
            white: self.white.iter().map(&change).collect(),
            black: self.black.iter().map(&change).collect(),
        }
    }

    fn into_map<U>(self, change: impl Fn(T) -> U) -> Sides<U> {
        Sides {
            white: self.white.into_iter().map(&change).collect(),
            black: self.black.into_iter().map(&change).collect(),
        }
    }
}

shaped! {
    /// Squares or nulls.
    senses: Sides<Option<Square>> as Sides<Option<Number>>,
    |senses| senses.map(|square| square.map(Number)),
    |numbers| numbers.into_map(|number| number.map(|number| number.0))
}

shaped! {
    /// What senses showed.
    sense_results: Sides<SenseResult> as Sides<SenseRows>,
    |results| results.map(wire::sense_rows), |rows| rows.into_map(wire::from_sense_rows)
}

/// Why a file is no history.
#[derive(Debug)]
pub enum HistoryError {
    /// It cannot be read or written.
    Io(io::Error),
    /// It is not the JSON of a history; the message has line and column.
    Json(serde_json::Error),
}

impl fmt::Display for HistoryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HistoryError::Io(error) => f.write_str(&words::of_system(error)),
            HistoryError::Json(error) => write!(f, "not a game history: {}", words::of_json(error)),
        }
    }
}

impl std::error::Error for HistoryError {}

impl GameHistory {
    /// Reads a history.
    ///
    /// # Errors
    /// When the text is not the JSON of a history.
    pub fn from_json(text: &str) -> Result<GameHistory, HistoryError> {
        serde_json::from_str(text).map_err(HistoryError::Json)
    }

    /// The history as reconchess writes it.
    ///
    /// # Errors
    /// Never, unless memory is short.
    pub fn to_json(&self) -> Result<String, HistoryError> {
        wire::to_json(self).map_err(HistoryError::Json)
    }

    /// Reads a file that [`GameHistory::save`] or reconchess wrote.
    ///
    /// # Errors
    /// When it cannot be read or is no history.
    pub fn from_file(path: impl AsRef<Path>) -> Result<GameHistory, HistoryError> {
        let text = fs::read_to_string(path).map_err(HistoryError::Io)?;
        GameHistory::from_json(&text)
    }

    /// Writes a file.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), HistoryError> {
        fs::write(path, self.to_json()?).map_err(HistoryError::Io)
    }
}
