//! The target of the evaluation, and the loss: how far the evaluation is from it.

use crate::record::Record;
use common::note;

/// What the evaluation of a position should be, as an expected result from 0 to 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Targets {
    /// The part of the game's result; the rest is the search's score.
    lambda: f32,
    /// How steeply the expected result grows with centipawns.
    pub(super) steepness: f32,
}

/// The logistic function: the expected result of a logit.
pub(super) fn sigmoid(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

impl Targets {
    /// Targets with the steepness at which the scores predict the results best.
    pub(super) fn fit(records: &[Record], lambda: f32) -> Targets {
        let sample: Vec<&Record> = records
            .iter()
            .step_by(1 + records.len() / 200_000)
            .collect();
        let error = |steepness: f32| -> f64 {
            let misses = sample.iter().map(|record| {
                let miss = sigmoid(steepness * f32::from(record.score)) - result(record);
                f64::from(miss * miss)
            });
            misses.sum::<f64>() / sample.len() as f64
        };
        let candidates = (20..400).map(|step| step as f32 * 5e-5);
        let best = candidates.min_by(|&a, &b| error(a).total_cmp(&error(b)));
        let steepness = best.unwrap_or(0.005);
        note!(
            "steepness {steepness:.5} a centipawn; scores foretell results with loss {:.6}",
            error(steepness)
        );
        Targets { lambda, steepness }
    }

    /// The target of a position, from White's view.
    pub(super) fn of(self, record: &Record) -> f32 {
        let score = sigmoid(self.steepness * f32::from(record.score));
        self.lambda * result(record) + (1.0 - self.lambda) * score
    }
}

/// The result of the game for White, from 0 to 1.
fn result(record: &Record) -> f32 {
    f32::from(record.result) / 2.0
}
