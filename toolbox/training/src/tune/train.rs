//! Gradient descent.

use super::loss::{Targets, sigmoid};
use super::model::{Features, Gradient, Model, Pair};
use crate::record::Record;
use common::note;
use common::progress::Progress;
use common::random::Random;

/// The settings of gradient descent.
pub(super) struct Training {
    pub(super) epochs: u32,
    pub(super) threads: usize,
    /// The learning rate at first: how far a weight moves in one step, in centipawns.
    pub(super) rate: f32,
    /// Weight decay of the deltas: how hard they are pulled to zero.
    pub(super) decay: f32,
    pub(super) targets: Targets,
}

/// Batch size: positions in one step.
const BATCH: usize = 16_384;
/// Parts of a batch that are summed apart: their number is fixed, so that rounding and thus the
/// weights do not depend on the number of threads.
const PARTS: usize = 8;

impl Training {
    /// Learns, and reports the loss after each epoch.
    pub(super) fn run(&self, model: &mut Model, learned: &[Record], held_out: &[Record]) {
        let mut order: Vec<u32> = (0..learned.len() as u32).collect();
        let mut random = Random::new(1, 0);
        let mut optimizer = Optimizer::new(model);
        let steps = u64::from(self.epochs) * learned.len().div_ceil(BATCH) as u64;
        let mut progress = Progress::new("steps", 0, steps);
        let mut step = 0;
        self.report_epoch(0, None, model, held_out);
        for epoch in 1..=self.epochs {
            random.shuffle(&mut order);
            let mut loss = 0.0;
            for batch in order.chunks(BATCH) {
                let gradient = self.gradient(model, learned, batch);
                loss += gradient.loss;
                // Large steps first, ever smaller ones at the end: half a cosine wave.
                let phase = step as f32 / steps as f32;
                let rate = self.rate * 0.5 * (1.0 + (phase * std::f32::consts::PI).cos());
                optimizer.step(model, &gradient, rate, self.decay);
                step += 1;
                progress.update(step, "");
            }
            progress.end();
            let loss = loss / learned.len() as f64;
            self.report_epoch(epoch, Some(loss), model, held_out);
        }
    }

    /// There is no loss before the first epoch.
    fn report_epoch(&self, epoch: u32, loss: Option<f64>, model: &Model, held_out: &[Record]) {
        let order: Vec<u32> = (0..held_out.len() as u32).collect();
        let test = self.gradient(model, held_out, &order).loss / held_out.len() as f64;
        let loss = loss.map_or(String::new(), |loss| format!("loss {loss:.6}, "));
        note!("epoch {epoch} of {}: {loss}held out {test:.6}", self.epochs);
    }

    /// The mean squared error's derivative over these positions, with the sum of the errors.
    fn gradient(&self, model: &Model, records: &[Record], batch: &[u32]) -> Gradient {
        let weights = model.weights();
        let size = batch.len().div_ceil(PARTS).max(1);
        let parts: Vec<&[u32]> = batch.chunks(size).collect();
        let share = parts.len().div_ceil(self.threads).max(1);
        let sums = std::thread::scope(|scope| {
            let part = |part: &&[u32]| self.part(model, &weights, records, part);
            let shares = parts.chunks(share);
            let threads: Vec<_> = shares
                .map(|share| scope.spawn(move || share.iter().map(part).collect::<Vec<_>>()))
                .collect();
            let sums = threads.into_iter().filter_map(|thread| thread.join().ok());
            sums.flatten().collect::<Vec<Gradient>>()
        });
        let mut total = Gradient::zero(model.deltas.len());
        for sum in &sums {
            total.merge(sum);
        }
        total
    }

    fn part(&self, model: &Model, weights: &[Pair], records: &[Record], part: &[u32]) -> Gradient {
        let mut gradient = Gradient::zero(model.deltas.len());
        for record in part.iter().filter_map(|&at| records.get(at as usize)) {
            let features = Features::of(model.variant, record);
            let value = features.value(record, weights, model.tempo);
            let expected = sigmoid(self.targets.steepness * value);
            let miss = expected - self.targets.of(record);
            gradient.loss += f64::from(miss * miss);
            gradient.add(&features, record, miss * expected * (1.0 - expected));
        }
        gradient
    }
}

/// Adam with decoupled weight decay (Kingma and Ba 2015; Loshchilov and Hutter 2019).
struct Optimizer {
    deltas: Vec<Moments>,
    common: Vec<Moments>,
    tempo: Moments,
    steps: i32,
}

/// Running means of a gradient and of its square.
#[derive(Clone, Copy, Default)]
struct Moments {
    mean: Pair,
    square: Pair,
}

/// How much of the old remains in the running means.
const MEAN_KEPT: f32 = 0.9;
const SQUARE_KEPT: f32 = 0.999;

impl Optimizer {
    fn new(model: &Model) -> Optimizer {
        Optimizer {
            deltas: vec![Moments::default(); model.deltas.len()],
            common: vec![Moments::default(); model.common.len()],
            tempo: Moments::default(),
            steps: 0,
        }
    }

    fn step(&mut self, model: &mut Model, gradient: &Gradient, rate: f32, decay: f32) {
        self.steps += 1;
        // The means start from zero and are too small at first.
        let mean_grown = 1.0 - MEAN_KEPT.powi(self.steps);
        let square_grown = 1.0 - SQUARE_KEPT.powi(self.steps);
        let step = |weight: &mut Pair, moments: &mut Moments, gradient: Pair, decay: f32| {
            for at in 0..2 {
                let slope = gradient[at];
                let mean = &mut moments.mean[at];
                *mean = MEAN_KEPT * *mean + (1.0 - MEAN_KEPT) * slope;
                let square = &mut moments.square[at];
                *square = SQUARE_KEPT * *square + (1.0 - SQUARE_KEPT) * slope * slope;
                let size = (*square / square_grown).sqrt() + 1e-8;
                weight[at] -= rate * (*mean / mean_grown / size + decay * weight[at]);
            }
        };
        let deltas = model.deltas.iter_mut().zip(&mut self.deltas);
        for ((weight, moments), &slope) in deltas.zip(&gradient.weights) {
            step(weight, moments, slope, decay);
        }
        let common = model.common.iter_mut().zip(&mut self.common);
        for ((weight, moments), slope) in common.zip(gradient.common()) {
            step(weight, moments, slope, 0.0);
        }
        step(&mut model.tempo, &mut self.tempo, gradient.tempo, 0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine_core::{Board, Color, Role, Square, Variant};

    /// A knight more on either side, which wins.
    fn records() -> Vec<Record> {
        let record = |number: usize| {
            let mut board = Board::EMPTY;
            board.put(Role::King.of(Color::White), Square::G1);
            board.put(Role::King.of(Color::Black), Square::G8);
            let color = Color::ALL[number % 2];
            board.put(Role::Knight.of(color), Square::ALL[16 + number % 32]);
            let sign = if color.is_white() { 1 } else { -1 };
            Record::new(
                Variant::Standard,
                &board,
                Color::White,
                400 * sign,
                (1 + sign) as u8,
            )
        };
        (0..2000).filter_map(record).collect()
    }

    #[test]
    fn the_loss_falls_and_threads_do_not_matter() {
        let records = records();
        let learn = |threads| {
            let training = Training {
                epochs: 20,
                threads,
                rate: 2.0,
                decay: 0.01,
                targets: Targets::fit(&records, 1.0),
            };
            let mut model = Model::material(Variant::Standard);
            let order: Vec<u32> = (0..records.len() as u32).collect();
            let before = training.gradient(&model, &records, &order).loss;
            training.run(&mut model, &records, &records);
            assert!(training.gradient(&model, &records, &order).loss < before);
            model.to_bytes()
        };
        assert_eq!(learn(1), learn(3));
    }
}
