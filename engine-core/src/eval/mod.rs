//! Evaluation: tapered piece-square values as each king sees them, kept up to date while moves
//! are played.

mod accumulator;
mod view;
mod weights;

pub use accumulator::Accumulator;
pub use view::{BUCKETS, FEATURES, TABLE_SIZE, View};

use crate::rules::Rules;
use crate::{Color, Position, Role};
use weights::{PHASE, TEMPO, TOTAL_PHASE, Tapered};

/// The value of a position for the side to move, in centipawns.
///
/// ```
/// use engine_core::{Position, Standard, eval};
///
/// let start = Position::<Standard>::start();
/// assert!(eval::evaluate(&start).abs() < 100, "the start position is about level");
/// ```
pub fn evaluate<R: Rules>(position: &Position<R>) -> i32 {
    Accumulator::of(position).value(position.turn())
}

/// How much of a position's value is that of the middlegame, from 0 to 1.
pub fn middlegame_share(roles: impl Iterator<Item = Role>) -> f32 {
    let phase: i32 = roles.map(|role| PHASE[role.index()]).sum();
    phase.min(TOTAL_PHASE) as f32 / TOTAL_PHASE as f32
}

impl Accumulator {
    /// The value for the side to move, in centipawns.
    #[inline]
    pub fn value(&self, turn: Color) -> i32 {
        taper(self.balance(turn) + TEMPO, self.phase())
    }
}

/// Between middlegame and endgame as material goes.
#[inline(always)]
fn taper(value: Tapered, phase: i32) -> i32 {
    // Promotions can exceed the material of the start.
    let phase = phase.min(TOTAL_PHASE);
    (value.middlegame() * phase + value.endgame() * (TOTAL_PHASE - phase)) / TOTAL_PHASE
}
