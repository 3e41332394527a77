//! Evaluation: tapered piece-square tables by perspective and king bucket and piece-square vectors,
//! updated move by move, threats, and the extra terms of variants.

mod accumulator;
mod centipawns;
mod evaluator;
mod explain;
mod extra;
mod file;
#[cfg(feature = "packed")]
mod packed;
mod perspective;
mod rules;
mod tapered;
mod threats;
mod tracker;
mod vectors;
mod weights;

pub use centipawns::Centipawns;
pub(crate) use evaluator::Evaluator;
pub use explain::{Explanation, TaperedTerm, VectorTerm, explain};
pub use file::{WeightsError, WeightsFile};
pub use perspective::{Perspective, TABLE_SIZE, WeightsLayout};
pub use rules::EvalRules;
pub use threats::{THREATS, threats};
pub(crate) use tracker::{DirtyPieces, Tracker};
pub use vectors::{
    BIAS_MAX, LIMIT_MAX, OUTPUT_BUCKETS, OUTPUT_MAX, OUTPUT_UNIT, VectorsFile, WEIGHT_MAX, WIDTH,
    output_bucket,
};
pub use weights::Weights;

use crate::{AnyPosition, Position, Role, Variant, dispatch};
use std::sync::Arc;
use tapered::TOTAL_PHASE;

/// The value of a position for the side to move, in centipawns.
///
/// ```
/// use engine_core::{Position, Standard, eval};
///
/// let start = Position::<Standard>::start();
/// assert!(eval::evaluate(&start).abs() < 100, "the start position is about level");
/// ```
pub fn evaluate<R: EvalRules>(position: &Position<R>) -> i32 {
    evaluate_with(position, Weights::built_in(R::VARIANT))
}

/// The value by other weights. Those of another variant are not used.
pub fn evaluate_with<R: EvalRules>(position: &Position<R>, weights: &Arc<Weights>) -> i32 {
    let weights = Weights::or_built_in(Some(weights), R::VARIANT);
    let tracker = Tracker::of(position);
    let mut evaluator = Evaluator::new(Arc::clone(weights), 1);
    evaluator.enter(0, &tracker);
    evaluator.value(0, position, &tracker)
}

/// The weight of the middlegame value in a tapered evaluation, from 0 to 1.
pub fn middlegame_share(variant: Variant, roles: impl Iterator<Item = Role>) -> f32 {
    fn phase<R: EvalRules>(_: &Position<R>) -> [i32; 6] {
        // Captured pieces come back as drops, so there is no endgame.
        if R::DROPS { [TOTAL_PHASE; 6] } else { R::PHASE }
    }
    let phase = dispatch!(&AnyPosition::start(variant), |start| phase(start));
    let sum: i32 = roles.map(|role| phase[role.index()]).sum();
    sum.min(TOTAL_PHASE) as f32 / TOTAL_PHASE as f32
}
