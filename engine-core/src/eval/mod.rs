//! Evaluation: tapered piece-square values as each king sees them, kept up to date while moves
//! are played, and what variants add to the pieces.

mod accumulator;
mod extra;
mod view;
mod weights;

pub use accumulator::Accumulator;
pub use view::{BUCKETS, FEATURES, TABLE_SIZE, View, tables};

use crate::rules::Rules;
use crate::{Position, Role, Variant};
use weights::{TOTAL_PHASE, Tapered, phase, tempo};

/// The value of a position for the side to move, in centipawns.
///
/// ```
/// use engine_core::{Position, Standard, eval};
///
/// let start = Position::<Standard>::start();
/// assert!(eval::evaluate(&start).abs() < 100, "the start position is about level");
/// ```
pub fn evaluate<R: Rules>(position: &Position<R>) -> i32 {
    Accumulator::of(position).value(position)
}

/// How much of a position's value is that of the middlegame, from 0 to 1.
pub fn middlegame_share(variant: Variant, roles: impl Iterator<Item = Role>) -> f32 {
    let sum: i32 = roles.map(|role| phase(variant)[role.index()]).sum();
    sum.min(TOTAL_PHASE) as f32 / TOTAL_PHASE as f32
}

impl<R: Rules> Accumulator<R> {
    /// The value for the side to move, in centipawns, of the position that these are the sums of.
    #[inline]
    pub fn value(&self, position: &Position<R>) -> i32 {
        let sums = self.balance(position.turn()) + const { tempo(R::VARIANT) };
        // What is captured comes back: without it no game has an end.
        let phase = if R::DROPS { TOTAL_PHASE } else { self.phase() };
        taper(sums + extra::balance(position), phase)
    }
}

/// Between middlegame and endgame as material goes.
#[inline(always)]
fn taper(value: Tapered, phase: i32) -> i32 {
    // Promotions can exceed the material of the start.
    let phase = phase.min(TOTAL_PHASE);
    (value.middlegame() * phase + value.endgame() * (TOTAL_PHASE - phase)) / TOTAL_PHASE
}
