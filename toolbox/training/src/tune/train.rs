//! Gradient descent.

#![cfg_attr(
    not(test),
    expect(
        clippy::indexing_slicing,
        reason = "sizes follow from the shapes of the layers"
    )
)]

use super::adam::{self, Hyperparameters, PARTS};
use super::backprop::{Gradient, Pass};
use super::features::{Positions, Sample};
use super::layers::Layers;
use super::loss::Targets;
use super::model::Model;
use common::note;
use common::progress::Progress;
use common::random::Random;
use common::signals::Signal;
use common::threads;
use crossbeam_channel::Receiver;
use std::time::Instant;

/// The settings of gradient descent.
pub(super) struct Training {
    pub(super) epochs: u32,
    pub(super) threads: usize,
    pub(super) seed: u64,
    /// For the tables, before the schedule; the rate is in centipawns.
    pub(super) tables: Hyperparameters,
    /// Likewise for the threats.
    pub(super) threats: Hyperparameters,
    /// For the vectors and their outputs, before the schedule.
    pub(super) vectors: Hyperparameters,
    pub(super) targets: Targets,
}

/// The losses at one point of the training.
#[derive(Clone, Copy, Debug)]
pub(super) struct LossReport {
    /// Epochs done.
    pub(super) epochs: f64,
    /// The mean loss of the positions since the last report.
    pub(super) training_loss: f64,
    /// The mean loss of the validation positions.
    pub(super) validation_loss: f64,
}

/// Positions in a row that stay together, for memory is read in order.
const BLOCK: usize = 256;
/// Blocks in a batch, after which the weights take a step.
const BATCH_BLOCKS: usize = 64;
/// Steps in which the learning rate grows to its full size.
const WARM_UP: u64 = 200;
/// How often the losses are measured at most.
const MAX_REPORTS: u64 = 200;
/// The least number of training positions between reports for each validation position.
const TRAINED_PER_VALIDATED: u64 = 6;

/// The state of a run.
struct Run<'a> {
    training: &'a Training,
    training_set: &'a Positions,
    validation_set: &'a Positions,
    signals: &'a Receiver<Signal>,
    gradients: [Gradient; PARTS],
    /// Steps of the whole run, and those taken.
    steps: u64,
    step: u64,
    progress: Progress,
    /// Since the last report: the sum of the losses, and positions.
    since_report: (f64, usize),
    reports: Vec<LossReport>,
}

impl Training {
    /// Learns, logs the losses after each epoch, and returns them at up to about [`MAX_REPORTS`] points.
    /// The positions should be in random order. A signal ends it after the step that is being taken;
    /// the last report says when.
    pub(super) fn run(
        &self,
        model: &mut Model,
        training_set: &Positions,
        validation_set: &Positions,
        signals: &Receiver<Signal>,
    ) -> Vec<LossReport> {
        let blocks = training_set.len().div_ceil(BLOCK);
        let mut order: Vec<usize> = (0..blocks).collect();
        let mut random = Random::new(self.seed, 0);
        let mut run = Run {
            training: self,
            training_set,
            validation_set,
            signals,
            gradients: std::array::from_fn(|_| Gradient::zero(model)),
            steps: u64::from(self.epochs) * blocks.div_ceil(BATCH_BLOCKS) as u64,
            step: 0,
            progress: Progress::new(
                "positions",
                0,
                u64::from(self.epochs) * training_set.len() as u64,
            ),
            since_report: (0.0, 0),
            reports: Vec::new(),
        };
        let before = self.loss(model, validation_set);
        note!("before: validation loss {before:.6}");
        for epoch in 1..=self.epochs {
            random.shuffle(&mut order);
            let start = Instant::now();
            let Some(loss) = run.epoch(model, epoch, &order) else {
                run.progress.end();
                break;
            };
            let seconds = start.elapsed().as_secs_f64();
            let rate = training_set.len() as f64 / seconds.max(1e-9);
            let validation_loss = self.loss(model, validation_set);
            run.progress.end();
            note!(
                "epoch {epoch} of {}: loss {loss:.6}, validation loss {validation_loss:.6}, {rate:.0} positions/s",
                self.epochs
            );
        }
        run.reports
    }

    /// The mean loss.
    pub(super) fn loss(&self, model: &Model, positions: &Positions) -> f64 {
        let share = positions.len().div_ceil(self.threads).max(1);
        let shares = positions.samples.chunks(share);
        let mut losses = vec![0.0; shares.len()];
        threads::for_each(shares.zip(&mut losses), |(samples, loss)| {
            *loss = Pass::new(model, positions, self.targets).loss(samples);
        });
        let sum: f64 = losses.iter().sum();
        sum / positions.len().max(1) as f64
    }

    /// The learning rate schedule: linear warm-up, then cosine decay.
    fn schedule(&self, step: u64, steps: u64) -> Layers<Hyperparameters> {
        let phase = step as f32 / steps as f32;
        let warm_up = WARM_UP.min(steps / 20).max(1);
        let warm = ((step + 1) as f32 / warm_up as f32).min(1.0);
        let share = warm * 0.5 * (1.0 + (phase * std::f32::consts::PI).cos());
        let scaled = |base: Hyperparameters| Hyperparameters {
            rate: base.rate * share,
            ..base
        };
        let (tables, vectors) = (scaled(self.tables), scaled(self.vectors));
        let threats = scaled(self.threats);
        Layers {
            tables,
            tempo: tables,
            threats,
            vectors,
            bias: vectors,
            outputs: vectors,
            output_bias: vectors,
        }
    }
}

impl Run<'_> {
    /// Goes through all positions once; the mean loss, or `None` if a signal ends
    /// the run.
    fn epoch(&mut self, model: &mut Model, epoch: u32, order: &[usize]) -> Option<f64> {
        let mut sum = 0.0;
        let mut done = 0;
        let per_step = (BATCH_BLOCKS * BLOCK) as u64;
        let measured = TRAINED_PER_VALIDATED * self.validation_set.len() as u64;
        let between = (self.steps / MAX_REPORTS).max(measured.div_ceil(per_step));
        for batch in order.chunks(BATCH_BLOCKS) {
            let (loss, size) = self.batch(model, batch);
            sum += loss;
            done += size;
            self.since_report.0 += loss;
            self.since_report.1 += size;
            let is_interrupted = self.step < self.steps && self.signals.try_recv().is_ok();
            if self.step.is_multiple_of(between) || self.step == self.steps || is_interrupted {
                let share = done as f64 / self.training_set.len() as f64;
                self.report(model, f64::from(epoch - 1) + share);
            }
            let more = self.reports.last().map_or(String::new(), |report| {
                let LossReport {
                    training_loss,
                    validation_loss,
                    ..
                } = report;
                format!(", loss {training_loss:.6}, validation loss {validation_loss:.6}")
            });
            let before = u64::from(epoch - 1) * self.training_set.len() as u64;
            self.progress.update(before + done as u64, &more);
            if is_interrupted {
                return None;
            }
        }
        Some(sum / done.max(1) as f64)
    }

    fn report(&mut self, model: &Model, epochs: f64) {
        let (sum, count) = std::mem::take(&mut self.since_report);
        self.reports.push(LossReport {
            epochs,
            training_loss: sum / count.max(1) as f64,
            validation_loss: self.training.loss(model, self.validation_set),
        });
    }

    /// Takes a step; the sum of the losses, and how many positions there were.
    fn batch(&mut self, model: &mut Model, batch: &[usize]) -> (f64, usize) {
        let Training {
            threads, targets, ..
        } = *self.training;
        let training_set = self.training_set;
        let blocks = batch.len().div_ceil(PARTS).max(1);
        let parts = self.gradients.iter_mut().zip(batch.chunks(blocks));
        let mut parts: Vec<_> = parts.collect();
        let share = parts.len().div_ceil(threads).max(1);
        let work = |parts: &mut [(&mut Gradient, &[usize])], model: &Model| {
            let mut pass = Pass::new(model, training_set, targets);
            for (gradient, blocks) in parts {
                gradient.loss = 0.0;
                for &number in *blocks {
                    pass.learn(block(training_set, number), gradient);
                }
            }
        };
        threads::for_each(parts.chunks_mut(share), |share| work(share, model));
        let loss = parts.iter().map(|(gradient, _)| gradient.loss).sum();
        let sizes = batch
            .iter()
            .map(|&number| block(training_set, number).len());
        let hyperparameters = self.training.schedule(self.step, self.steps);
        self.step += 1;
        adam::step(
            model,
            &mut self.gradients,
            &hyperparameters,
            self.step,
            threads,
        );
        (loss, sizes.sum())
    }
}

fn block(positions: &Positions, number: usize) -> &[Sample] {
    let end = positions.len().min((number + 1) * BLOCK);
    &positions.samples[number * BLOCK..end]
}
