//! The value of a position, and the derivative of its loss by every weight (back-propagation).

#![cfg_attr(
    not(test),
    expect(
        clippy::indexing_slicing,
        reason = "sizes follow from the shapes of the layers"
    )
)]

use super::features::{MAX_PIECES, Positions, Sample, Seen};
use super::layers::Layers;
use super::loss::Targets;
use super::model::Model;
use super::units::SCALE;
use engine_core::eval::WIDTH;

/// The most numbers in a vector.
pub(super) const MAX_WIDTH: usize = WIDTH;
/// The width of vectors is a multiple of this, so that the compiler uses SIMD.
pub(super) const LANES: usize = 16;
/// The share of the derivative that passes where the vectors' value is clipped, so that they can
/// learn their way back into the range.
const LEAK: f32 = 0.01;

/// The derivative of the loss by every weight, and the loss.
#[derive(Clone, Debug)]
pub(super) struct Gradient {
    pub(super) slopes: Layers<Vec<f32>>,
    pub(super) loss: f64,
}

impl Gradient {
    pub(super) fn zero(model: &Model) -> Gradient {
        Gradient {
            slopes: model.layers.map(|weights| vec![0.0; weights.shape.size()]),
            loss: 0.0,
        }
    }
}

/// Works through positions, for one thread.
pub(super) struct Pass<'a> {
    model: &'a Model,
    positions: &'a Positions,
    targets: Targets,
    seen: Seen,
    /// Where the vectors of the pieces begin, as each side sees them.
    rows: [[u32; MAX_PIECES]; 2],
    /// The sums of the vectors, of the side to move and of the opponent.
    sums: [[f32; MAX_WIDTH]; 2],
}

/// What the value of a position consists of.
struct ForwardPass {
    /// The value by the tables and threats, with the extra terms of the variant.
    tables: f32,
    /// The value by the vectors, before it is clipped.
    vectors: f32,
    pieces: usize,
}

impl<'a> Pass<'a> {
    pub(super) fn new(model: &'a Model, positions: &'a Positions, targets: Targets) -> Pass<'a> {
        Pass {
            model,
            positions,
            targets,
            seen: Seen::EMPTY,
            rows: [[0; MAX_PIECES]; 2],
            sums: [[0.0; MAX_WIDTH]; 2],
        }
    }

    /// The loss of some positions.
    pub(super) fn loss(&mut self, samples: &[Sample]) -> f64 {
        let losses = samples.iter().map(|sample| {
            let value = self.value(sample);
            let value = value.tables + value.vectors.clamp(-self.model.limit, self.model.limit);
            f64::from(self.targets.loss(sample, value).0)
        });
        losses.sum()
    }

    /// Adds the loss of some positions and its derivative to a gradient.
    pub(super) fn learn(&mut self, samples: &[Sample], gradient: &mut Gradient) {
        for sample in samples {
            let value = self.value(sample);
            let vectors = value.vectors.clamp(-self.model.limit, self.model.limit);
            let (loss, slope) = self.targets.loss(sample, value.tables + vectors);
            gradient.loss += f64::from(loss);
            self.tables_slope(sample, slope, gradient);
            if self.model.width > 0 {
                let is_clipped = value.vectors.abs() > self.model.limit;
                let leak = if is_clipped { LEAK } else { 1.0 };
                self.vectors_slope(sample, value.pieces, slope * leak * SCALE, gradient);
            }
        }
    }

    fn value(&mut self, sample: &Sample) -> ForwardPass {
        let model = self.model;
        let seen = self.positions.seen(sample, &mut self.seen);
        let mut sums = [model.layers.tempo.sums[0], model.layers.tempo.sums[1]];
        let tables = &model.layers.tables;
        let vectors = &model.layers.vectors.shape;
        for (side, pieces) in seen.into_iter().enumerate() {
            let sign = if side == 0 { 1.0 } else { -1.0 };
            let table = usize::from(sample.tables[side]);
            let bucket = usize::from(sample.vectors[side]);
            for (&piece, row) in pieces.iter().zip(&mut self.rows[side]) {
                let piece = usize::from(piece);
                let at = tables.shape.at(piece, table);
                sums[0] += sign * tables.sums[at];
                sums[1] += sign * tables.sums[at + 1];
                *row = vectors.at(piece, bucket) as u32;
            }
        }
        let (worth, _) = model.layers.threats.sums.as_chunks::<2>();
        for [early, late] in sample.threats().filter_map(|threat| worth.get(threat)) {
            sums[0] += early;
            sums[1] += late;
        }
        let middlegame = sample.middlegame();
        let pieces = seen[0].len();
        ForwardPass {
            tables: sums[0] * middlegame + sums[1] * (1.0 - middlegame) + f32::from(sample.extra),
            vectors: if model.width > 0 {
                SCALE * self.output(sample, pieces)
            } else {
                0.0
            },
            pieces,
        }
    }

    /// The value by the vectors, in units of [`SCALE`].
    fn output(&mut self, sample: &Sample, pieces: usize) -> f32 {
        let model = self.model;
        let layers = &model.layers;
        let width = model.width;
        for (sums, rows) in self.sums.iter_mut().zip(&self.rows) {
            let (sums, rows) = (&mut sums[..width], &rows[..pieces]);
            sums.copy_from_slice(&layers.bias.sums);
            match width {
                _ if width.is_multiple_of(64) => add_rows::<64>(sums, &layers.vectors.sums, rows),
                _ if width.is_multiple_of(32) => add_rows::<32>(sums, &layers.vectors.sums, rows),
                _ => add_rows::<LANES>(sums, &layers.vectors.sums, rows),
            }
        }
        let bucket = usize::from(sample.output);
        let at = layers.outputs.shape.at(0, bucket);
        let mut lanes = [0.0; LANES];
        for (side, sums) in self.sums.iter().enumerate() {
            let outputs = &layers.outputs.sums[at + side * width..][..width];
            let (sums, _) = sums[..width].as_chunks::<LANES>();
            let (outputs, _) = outputs.as_chunks::<LANES>();
            for (sums, outputs) in sums.iter().zip(outputs) {
                for lane in 0..LANES {
                    let clipped = sums[lane].clamp(0.0, 1.0);
                    lanes[lane] += outputs[lane] * (clipped * clipped);
                }
            }
        }
        layers.output_bias.sums[bucket] + lanes.iter().sum::<f32>()
    }

    /// Adds the derivative by the weights of the tables and threats, given that by the value.
    fn tables_slope(&self, sample: &Sample, slope: f32, gradient: &mut Gradient) {
        let middlegame = sample.middlegame();
        let slopes = [slope * middlegame, slope * (1.0 - middlegame)];
        let shape = self.model.layers.tables.shape;
        for (sum, slope) in gradient.slopes.tempo.iter_mut().zip(slopes) {
            *sum += slope;
        }
        let (threats, _) = gradient.slopes.threats.as_chunks_mut::<2>();
        for threat in sample.threats() {
            if let Some([early, late]) = threats.get_mut(threat) {
                *early += slopes[0];
                *late += slopes[1];
            }
        }
        let mut room = Seen::EMPTY;
        let seen = self.positions.seen(sample, &mut room);
        for (side, pieces) in seen.into_iter().enumerate() {
            let sign = if side == 0 { 1.0 } else { -1.0 };
            let table = usize::from(sample.tables[side]);
            for &piece in pieces {
                let at = shape.at(usize::from(piece), table);
                gradient.slopes.tables[at] += sign * slopes[0];
                gradient.slopes.tables[at + 1] += sign * slopes[1];
            }
        }
    }

    /// Adds the derivative by the weights of the vectors, given that by their output.
    /// [`Pass::value`] of the same position comes before.
    fn vectors_slope(&self, sample: &Sample, pieces: usize, slope: f32, to: &mut Gradient) {
        let layers = &self.model.layers;
        let width = self.model.width;
        let bucket = usize::from(sample.output);
        let at = layers.outputs.shape.at(0, bucket);
        let to = &mut to.slopes;
        to.output_bias[bucket] += slope;
        for (side, sums) in self.sums.iter().enumerate() {
            let outputs = &layers.outputs.sums[at + side * width..][..width];
            let output_slopes = &mut to.outputs[at + side * width..][..width];
            let mut slopes = [0.0; MAX_WIDTH];
            let slopes = &mut slopes[..width];
            for (((&sum, &output), output_slope), slope_of_sum) in sums
                .iter()
                .zip(outputs)
                .zip(output_slopes)
                .zip(&mut *slopes)
            {
                let clipped = sum.clamp(0.0, 1.0);
                *output_slope += slope * (clipped * clipped);
                let steep = if sum < 1.0 { 2.0 * clipped } else { 0.0 };
                *slope_of_sum = slope * output * steep;
            }
            for (sum, slope) in to.bias.iter_mut().zip(&*slopes) {
                *sum += slope;
            }
            let rows = &self.rows[side][..pieces];
            match width {
                _ if width.is_multiple_of(64) => add_to_rows::<64>(slopes, &mut to.vectors, rows),
                _ if width.is_multiple_of(32) => add_to_rows::<32>(slopes, &mut to.vectors, rows),
                _ => add_to_rows::<LANES>(slopes, &mut to.vectors, rows),
            }
        }
    }
}

/// Adds the rows to the sums, this many columns at a time, which stay in registers.
fn add_rows<const COLUMNS: usize>(sums: &mut [f32], weights: &[f32], rows: &[u32]) {
    let (sums, _) = sums.as_chunks_mut::<COLUMNS>();
    for (chunk, sums) in sums.iter_mut().enumerate() {
        let mut more = *sums;
        for &row in rows {
            let row = &weights[row as usize + chunk * COLUMNS..][..COLUMNS];
            for column in 0..COLUMNS {
                more[column] += row[column];
            }
        }
        *sums = more;
    }
}

/// Adds the slopes to each of the rows.
fn add_to_rows<const COLUMNS: usize>(slopes: &[f32], weights: &mut [f32], rows: &[u32]) {
    let (slopes, _) = slopes.as_chunks::<COLUMNS>();
    for (chunk, slopes) in slopes.iter().enumerate() {
        for &row in rows {
            let row = &mut weights[row as usize + chunk * COLUMNS..][..COLUMNS];
            for column in 0..COLUMNS {
                row[column] += slopes[column];
            }
        }
    }
}
