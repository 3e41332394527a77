//! Quantisation: from real numbers to the engine's integers, and the evaluation with these.

#![cfg_attr(
    not(test),
    expect(
        clippy::indexing_slicing,
        reason = "sizes follow from the shapes of the layers"
    )
)]

use super::features::{Positions, Sample, Seen, TOTAL_PHASE};
use super::loss::Targets;
use super::model::Model;
use super::units::{OUTPUT_BIAS_UNIT, OUTPUT_UNIT, VECTOR_UNIT};
use super::weights::Weights;
use engine_core::eval::{
    BIAS_MAX, OUTPUT_MAX, OUTPUT_UNIT as CENTIPAWN, VectorsFile, WEIGHT_MAX, WeightsFile,
};

impl Model {
    /// The weights in integers.
    pub(super) fn quantise(&self) -> WeightsFile {
        let layers = &self.layers;
        let pair = |pair: &[f32; 2]| pair.map(|value| value.round() as i16);
        let tempo = layers.tempo.sums.as_chunks().0.first();
        let vectors = (self.width > 0).then(|| VectorsFile {
            width: self.width,
            features: by_bucket(&layers.vectors)
                .map(|value| integer(value, VECTOR_UNIT, WEIGHT_MAX))
                .collect(),
            bias: by_bucket(&layers.bias)
                .map(|value| integer(value, VECTOR_UNIT, BIAS_MAX))
                .collect(),
            outputs: by_bucket(&layers.outputs)
                .map(|value| integer(value, OUTPUT_UNIT, OUTPUT_MAX))
                .collect(),
            output_bias: by_bucket(&layers.output_bias)
                .map(|value| (value * OUTPUT_BIAS_UNIT).round() as i32)
                .collect(),
            limit: self.limit.round() as i32,
        });
        let tables: Vec<f32> = by_bucket(&layers.tables).collect();
        WeightsFile {
            variant: self.variant,
            tempo: tempo.map_or([0; 2], pair),
            threats: layers.threats.sums.as_chunks().0.iter().map(pair).collect(),
            tables: tables.as_chunks().0.iter().map(pair).collect(),
            vectors,
        }
    }
}

fn integer(value: f32, unit: f32, largest: i16) -> i16 {
    ((value * unit).round() as i16).clamp(-largest, largest)
}

/// The weights with all rows of a bucket together, as the engine has them.
fn by_bucket(weights: &Weights) -> impl Iterator<Item = f32> + '_ {
    let shape = weights.shape;
    let slices = (0..shape.buckets).flat_map(move |bucket| {
        let rows = 0..shape.rows;
        rows.map(move |row| shape.at(row, bucket))
    });
    slices.flat_map(move |at| weights.sums[at..at + shape.width].iter().copied())
}

/// The mean loss of the evaluation in integers: slow and plain.
pub(super) fn integer_loss(
    file: &WeightsFile,
    positions: &Positions,
    samples: &[Sample],
    targets: Targets,
) -> f64 {
    let losses = samples.iter().map(|sample| {
        let value = integer_value(file, positions, sample) as f32;
        f64::from(targets.loss(sample, value).0)
    });
    losses.sum::<f64>() / samples.len().max(1) as f64
}

/// The value of a position for the side to move, in centipawns.
pub(super) fn integer_value(file: &WeightsFile, positions: &Positions, sample: &Sample) -> i64 {
    let mut room = Seen::EMPTY;
    let seen = positions.seen(sample, &mut room);
    let mut tapered = file.tempo.map(i64::from);
    for (side, pieces) in seen.into_iter().enumerate() {
        let sign = if side == 0 { 1 } else { -1 };
        for &piece in pieces {
            let at = usize::from(sample.tables[side]) * positions.table_size() + usize::from(piece);
            for (sum, weight) in tapered.iter_mut().zip(file.tables[at]) {
                *sum += sign * i64::from(weight);
            }
        }
    }
    for threat in sample.threats() {
        let worth = file.threats.get(threat).copied().unwrap_or_default();
        for (sum, weight) in tapered.iter_mut().zip(worth) {
            *sum += i64::from(weight);
        }
    }
    let (phase, total) = (i64::from(sample.phase), i64::from(TOTAL_PHASE));
    let tables = (tapered[0] * phase + tapered[1] * (total - phase)) / total;
    let vectors = file.vectors.as_ref();
    let size = positions.table_size();
    let vectors = vectors.map_or(0, |vectors| vectors_value(vectors, size, seen, sample));
    tables + vectors + i64::from(sample.extra)
}

/// The part of the vectors in the value, in centipawns.
fn vectors_value(
    vectors: &VectorsFile,
    table_size: usize,
    seen: [&[u16]; 2],
    sample: &Sample,
) -> i64 {
    let bucket = usize::from(sample.output);
    let mut total = i64::from(vectors.output_bias[bucket]);
    for (side, pieces) in seen.into_iter().enumerate() {
        let table = usize::from(sample.vectors[side]) * table_size;
        for column in 0..vectors.width {
            let weight = |&piece: &u16| {
                let at = (table + usize::from(piece)) * vectors.width + column;
                i64::from(vectors.features[at])
            };
            let sum = i64::from(vectors.bias[column]) + pieces.iter().map(weight).sum::<i64>();
            let kept = sum.clamp(0, VECTOR_UNIT as i64);
            let output = vectors.outputs[(2 * bucket + side) * vectors.width + column];
            total += kept * kept * i64::from(output);
        }
    }
    let limit = i64::from(vectors.limit);
    (total / i64::from(CENTIPAWN)).clamp(-limit, limit)
}
