//! The lists of a history for each side, and their form in JSON.

use super::Turn;
use crate::actions::SenseResult;
use crate::wire::{self, Number, SenseRows, shaped};
use engine_core::{Color, Square};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

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
    /// The results of senses.
    sense_results: Sides<SenseResult> as Sides<SenseRows>,
    |results| results.map(wire::sense_rows), |rows| rows.into_map(wire::from_sense_rows)
}
