//! The units of the weights while they are real numbers, and their limits.

use engine_core::eval::{BIAS_MAX, OUTPUT_MAX, OUTPUT_UNIT as CENTIPAWN, WEIGHT_MAX};

/// Centipawns by which the outputs are multiplied.
pub(super) const SCALE: f32 = 400.0;

/// One in the vectors.
pub(super) const VECTOR_UNIT: f32 = 255.0;
/// One in the outputs.
pub(super) const OUTPUT_UNIT: f32 = 64.0;
/// One in the bias of the outputs.
pub(super) const OUTPUT_BIAS_UNIT: f32 = SCALE * CENTIPAWN as f32;

/// The largest weights as real numbers.
pub(super) fn largest_vector() -> f32 {
    f32::from(WEIGHT_MAX) / VECTOR_UNIT
}

pub(super) fn largest_bias() -> f32 {
    f32::from(BIAS_MAX) / VECTOR_UNIT
}

pub(super) fn largest_output() -> f32 {
    f32::from(OUTPUT_MAX) / OUTPUT_UNIT
}
