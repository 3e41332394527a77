//! Evaluation: tapered piece-square tables by perspective and king bucket, updated incrementally,
//! and the extra terms of variants.

mod accumulator;
mod extra;
mod perspective;
mod weights;

pub use accumulator::Accumulator;
pub use perspective::{BUCKETS, FEATURES, Perspective, TABLE_SIZE, tables};

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

/// The weight of the middlegame value in a tapered evaluation, from 0 to 1.
pub fn middlegame_share(variant: Variant, roles: impl Iterator<Item = Role>) -> f32 {
    let sum: i32 = roles.map(|role| phase(variant)[role.index()]).sum();
    sum.min(TOTAL_PHASE) as f32 / TOTAL_PHASE as f32
}

impl<R: Rules> Accumulator<R> {
    /// The value for the side to move, in centipawns, of the position that these sums belong to.
    #[inline]
    pub fn value(&self, position: &Position<R>) -> i32 {
        let sums = self.balance(position.turn()) + const { tempo(R::VARIANT) };
        // Captured pieces come back as drops, so there is no endgame.
        let phase = if R::DROPS { TOTAL_PHASE } else { self.phase() };
        taper(sums + extra::balance(position), phase)
    }
}

/// Interpolates between middlegame and endgame by phase.
#[inline(always)]
fn taper(value: Tapered, phase: i32) -> i32 {
    // Promotions can exceed the material of the start.
    let phase = phase.min(TOTAL_PHASE);
    (value.middlegame() * phase + value.endgame() * (TOTAL_PHASE - phase)) / TOTAL_PHASE
}
