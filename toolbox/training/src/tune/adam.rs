//! A step of Adam with decoupled weight decay (Kingma and Ba 2015; Loshchilov and Hutter 2019).

#![cfg_attr(
    not(test),
    expect(
        clippy::indexing_slicing,
        reason = "sizes follow from the shapes of the layers"
    )
)]

use super::backprop::Gradient;
use super::layers::Layers;
use super::model::Model;
use super::weights::{Learned, Shape, Weights};
use common::threads;

/// Parts of a batch that are summed apart: their number is fixed, so that rounding and thus the
/// weights do not depend on the number of threads.
pub(super) const PARTS: usize = 4;

/// The decay of the moments (Adam's beta 1 and beta 2).
const MEAN_KEPT: f32 = 0.9;
const SQUARE_KEPT: f32 = 0.999;

/// The learning rate and weight decay of a layer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hyperparameters {
    /// The learning rate.
    pub(super) rate: f32,
    /// Weight decay of the deltas: how hard they are pulled to zero.
    pub(super) decay: f32,
}

/// The constants of one step, the same for all weights.
#[derive(Clone, Copy)]
struct AdamStep {
    hyperparameters: Hyperparameters,
    /// The bias corrections: the moments start from zero and are too small at first.
    mean_grown: f32,
    square_grown: f32,
    shape: Shape,
}

/// Moves all weights against the sum of the gradients, which are zero afterwards. `number` counts
/// the steps from 1.
pub(super) fn step(
    model: &mut Model,
    gradients: &mut [Gradient; PARTS],
    hyperparameters: &Layers<Hyperparameters>,
    number: u64,
    threads: usize,
) {
    let grown = |kept: f32| 1.0 - kept.powf(number as f32);
    let gradients = gradients.each_mut().map(|part| part.slopes.each_mut());
    let mut of_layers = gradients.map(IntoIterator::into_iter);
    let mut shares = Vec::new();
    for (weights, &hyperparameters) in model
        .layers
        .each_mut()
        .into_iter()
        .zip(hyperparameters.each())
    {
        let step = AdamStep {
            hyperparameters,
            mean_grown: grown(MEAN_KEPT),
            square_grown: grown(SQUARE_KEPT),
            shape: weights.shape,
        };
        let slopes = of_layers.each_mut().map(|parts| match parts.next() {
            Some(slopes) => slopes.as_mut_slice(),
            None => &mut [],
        });
        if weights.shape.size() > 0 {
            share_out(weights, slopes, step, threads, &mut shares);
        }
    }
    let mut lots: Vec<Vec<Share>> = (0..threads).map(|_| Vec::new()).collect();
    for (number, share) in shares.into_iter().enumerate() {
        lots[number % threads].push(share);
    }
    threads::for_each(lots, |lot| lot.into_iter().for_each(Share::learn));
}

/// Some rows of a layer.
struct Share<'a> {
    step: AdamStep,
    common: LearnedRows<'a>,
    deltas: LearnedRows<'a>,
    sums: &'a mut [f32],
    slopes: [&'a mut [f32]; PARTS],
}

/// Some rows of [`Learned`].
struct LearnedRows<'a> {
    values: &'a mut [f32],
    first_moment: &'a mut [f32],
    second_moment: &'a mut [f32],
}

/// Divides the rows of a layer among threads.
fn share_out<'a>(
    weights: &'a mut Weights,
    slopes: [&'a mut [f32]; PARTS],
    step: AdamStep,
    threads: usize,
    shares: &mut Vec<Share<'a>>,
) {
    let Shape { buckets, width, .. } = weights.shape;
    let rows = weights.shape.rows.div_ceil(threads);
    let mut common = chunks(&mut weights.common, rows * width);
    let mut deltas = chunks(&mut weights.deltas, rows * buckets * width);
    let mut slopes = slopes.map(|part| part.chunks_mut(rows * buckets * width));
    for sums in weights.sums.chunks_mut(rows * buckets * width) {
        let (Some(common), Some(deltas)) = (common.next(), deltas.next()) else {
            return;
        };
        shares.push(Share {
            step,
            common,
            deltas,
            sums,
            slopes: slopes
                .each_mut()
                .map(|part| part.next().unwrap_or_default()),
        });
    }
}

fn chunks(learned: &mut Learned, size: usize) -> impl Iterator<Item = LearnedRows<'_>> {
    let values = learned.values.chunks_mut(size);
    let means = learned.first_moment.chunks_mut(size);
    let squares = learned.second_moment.chunks_mut(size);
    let all = values.zip(means).zip(squares);
    all.map(|((values, first_moment), second_moment)| LearnedRows {
        values,
        first_moment,
        second_moment,
    })
}

/// The widest row: two vectors in the outputs.
const MAX_ROW: usize = 2 * super::backprop::MAX_WIDTH;

impl Share<'_> {
    fn learn(mut self) {
        let Shape { buckets, width, .. } = self.step.shape;
        let rows = self.common.values.len() / width;
        for row in 0..rows {
            // To the slope of a common weight all buckets contribute.
            let mut common_slopes = [0.0; MAX_ROW];
            let common_slopes = &mut common_slopes[..width];
            for bucket in 0..buckets {
                let at = (row * buckets + bucket) * width;
                let mut slopes = [0.0; MAX_ROW];
                let slopes = &mut slopes[..width];
                self.take_slopes(at, slopes);
                for (sum, slope) in common_slopes.iter_mut().zip(&*slopes) {
                    *sum += slope;
                }
                if buckets > 1 {
                    self.deltas
                        .learn(at, slopes, self.step, self.step.hyperparameters.decay);
                }
            }
            self.common
                .learn(row * width, common_slopes, self.step, 0.0);
            self.add_up(row);
        }
    }

    /// Adds up the parts of the slopes from an index on, and leaves zeros.
    fn take_slopes(&mut self, at: usize, to: &mut [f32]) {
        for part in &mut self.slopes {
            let part = &mut part[at..at + to.len()];
            for (sum, slope) in to.iter_mut().zip(part) {
                *sum += *slope;
                *slope = 0.0;
            }
        }
    }

    /// Keeps the weights of a row in their bounds and renews their sums.
    fn add_up(&mut self, row: usize) {
        let Shape {
            buckets,
            width,
            bound,
            ..
        } = self.step.shape;
        let common = &mut self.common.values[row * width..][..width];
        for value in &mut *common {
            *value = value.clamp(-bound, bound);
        }
        for bucket in 0..buckets {
            let at = (row * buckets + bucket) * width;
            let deltas = &self.deltas.values[at..at + width];
            let sums = &mut self.sums[at..at + width];
            for ((sum, common), delta) in sums.iter_mut().zip(&*common).zip(deltas) {
                *sum = (common + delta).clamp(-bound, bound);
            }
        }
    }
}

impl LearnedRows<'_> {
    /// Adam, for the values from an index on.
    fn learn(&mut self, at: usize, slopes: &[f32], step: AdamStep, decay: f32) {
        let end = at + slopes.len();
        let values = self.values[at..end].iter_mut();
        let means = self.first_moment[at..end].iter_mut();
        let squares = self.second_moment[at..end].iter_mut();
        let Hyperparameters { rate, .. } = step.hyperparameters;
        let (mean_scale, square_scale) = (1.0 / step.mean_grown, 1.0 / step.square_grown);
        for (((value, mean), square), slope) in values.zip(means).zip(squares).zip(slopes) {
            *mean = MEAN_KEPT * *mean + (1.0 - MEAN_KEPT) * slope;
            *square = SQUARE_KEPT * *square + (1.0 - SQUARE_KEPT) * (slope * slope);
            let size = (*square * square_scale).sqrt() + 1e-8;
            *value -= rate * (*mean * mean_scale / size + decay * *value);
        }
    }
}
