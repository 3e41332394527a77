//! Which side somebody has, as an option.

use common::random::{Random, seed};
use engine_core::Color;

/// A side by name, or either.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SideChoice {
    /// The player of the white pieces.
    White,
    /// The player of the black pieces.
    Black,
    /// Either side.
    Random,
}

impl SideChoice {
    /// The side, once it is known.
    pub(super) fn color(self) -> Color {
        match self {
            SideChoice::White => Color::White,
            SideChoice::Black => Color::Black,
            SideChoice::Random => Color::from_white(Random::new(seed(), 0).below(2) == 0),
        }
    }
}
