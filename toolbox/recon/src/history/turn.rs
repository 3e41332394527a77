//! A turn of a player.

use engine_core::Color;
use std::fmt;

/// The turn of a player with a number, counted from 0 for each of them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Turn {
    /// Who plays it.
    pub color: Color,
    /// How many turns the player had before.
    pub number: usize,
}

impl Turn {
    /// The turn before which so many of both players were, in a game that this one begins.
    pub(super) fn nth(before: usize, beginner: Color) -> Turn {
        Turn {
            color: if before.is_multiple_of(2) {
                beginner
            } else {
                !beginner
            },
            number: before / 2,
        }
    }
}

/// As reconchess writes it: `Turn(white, 0)`.
impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Turn({}, {})", self.color.name(), self.number)
    }
}
