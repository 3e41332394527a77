//! Evaluation: tapered piece-square tables by perspective and king bucket, updated incrementally,
//! and the extra terms of variants.

mod accumulator;
mod extra;
mod perspective;
mod rules;
mod weights;

pub(crate) use accumulator::Accumulator;
pub use perspective::{Layout, Perspective, TABLE_SIZE};
pub use rules::EvalRules;

use crate::{AnyPosition, Position, Role, Variant, dispatch};
use weights::{TOTAL_PHASE, Tapered};

/// The value of a position for the side to move, in centipawns.
///
/// ```
/// use engine_core::{Position, Standard, eval};
///
/// let start = Position::<Standard>::start();
/// assert!(eval::evaluate(&start).abs() < 100, "the start position is about level");
/// ```
pub fn evaluate<R: EvalRules>(position: &Position<R>) -> i32 {
    Accumulator::of(position).value(position)
}

/// The weight of the middlegame value in a tapered evaluation, from 0 to 1.
pub fn middlegame_share(variant: Variant, roles: impl Iterator<Item = Role>) -> f32 {
    fn phase<R: EvalRules>(_: &Position<R>) -> [i32; 6] {
        R::PHASE
    }
    let phase = dispatch!(&AnyPosition::start(variant), |start| phase(start));
    let sum: i32 = roles.map(|role| phase[role.index()]).sum();
    sum.min(TOTAL_PHASE) as f32 / TOTAL_PHASE as f32
}

impl<R: EvalRules> Accumulator<R> {
    /// The value for the side to move, in centipawns, of the position that these sums belong to.
    #[inline]
    pub(crate) fn value(&self, position: &Position<R>) -> i32 {
        let sums = self.balance(position.turn()) + R::WEIGHTS.tempo;
        // Captured pieces come back as drops, so there is no endgame.
        let phase = if R::DROPS { TOTAL_PHASE } else { self.phase() };
        let turn = position.turn();
        let extra = R::extra_terms(position, turn) - R::extra_terms(position, !turn);
        taper(sums + extra, phase)
    }
}

/// Interpolates between middlegame and endgame by phase.
#[inline(always)]
fn taper(value: Tapered, phase: i32) -> i32 {
    // Promotions can exceed the material of the start.
    let phase = phase.min(TOTAL_PHASE);
    (value.middlegame() * phase + value.endgame() * (TOTAL_PHASE - phase)) / TOTAL_PHASE
}
