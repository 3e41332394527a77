//! Evaluation: tapered piece-square values, kept up to date while moves are played.

mod accumulator;
mod weights;

pub use accumulator::Accumulator;

use crate::Position;
use crate::rules::Rules;

/// What the right to move is worth, in centipawns.
const TEMPO: i32 = 12;

/// The value of a position for the side to move, in centipawns.
///
/// ```
/// use engine_core::{Position, Standard, eval};
///
/// let start = Position::<Standard>::start();
/// assert!(eval::evaluate(&start).abs() < 50, "the start position is level");
/// ```
pub fn evaluate<R: Rules>(position: &Position<R>) -> i32 {
    Accumulator::of(position).value(position.turn())
}

impl Accumulator {
    /// The value for the side to move, in centipawns.
    #[inline]
    pub fn value(&self, turn: crate::Color) -> i32 {
        let white = self.white_value();
        TEMPO + if turn.is_white() { white } else { -white }
    }
}
