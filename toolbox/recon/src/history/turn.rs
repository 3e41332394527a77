//! A turn of a player.

use engine_core::Color;
use std::cmp::Ordering;
use std::fmt;

/// The turn of a player with a number, counted from 0 for each of them. Turns are ordered as they
/// are played.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Turn {
    /// Who plays it.
    pub color: Color,
    /// How many turns the player had before.
    pub number: usize,
}

impl Turn {
    /// The opponent's turn that follows.
    pub fn next(self) -> Turn {
        Turn {
            color: !self.color,
            number: self.number + usize::from(!self.color.is_white()),
        }
    }

    /// The opponent's turn before; none before White's first.
    pub fn previous(self) -> Option<Turn> {
        let back = usize::from(self.color.is_white());
        Some(Turn {
            color: !self.color,
            number: self.number.checked_sub(back)?,
        })
    }
}

impl PartialOrd for Turn {
    fn partial_cmp(&self, other: &Turn) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Turn {
    fn cmp(&self, other: &Turn) -> Ordering {
        (self.number, self.color).cmp(&(other.number, other.color))
    }
}

/// As reconchess writes it: `Turn(white, 0)`.
impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Turn({}, {})", self.color.name(), self.number)
    }
}
