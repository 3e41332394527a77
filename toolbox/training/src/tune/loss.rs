//! The target of the evaluation, and the loss: how far the evaluation is from it.

use super::features::Sample;
use common::note;

/// What the evaluation of a position should be, as an expected result from 0 to 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Targets {
    /// The part of the game's result; the rest is the search's score.
    pub(super) lambda: f32,
    /// How steeply the expected result grows with centipawns.
    pub(super) steepness: f32,
}

/// The logistic function: the expected result of a logit.
pub(super) fn sigmoid(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

impl Targets {
    /// Targets with the steepness at which the scores predict the results best.
    pub(super) fn fit(samples: &[Sample], lambda: f32) -> Targets {
        let sample: Vec<&Sample> = samples
            .iter()
            .step_by(1 + samples.len() / 200_000)
            .collect();
        let error = |steepness: f32| -> f64 {
            let misses = sample.iter().map(|sample| {
                let miss = sigmoid(steepness * f32::from(sample.score)) - result(sample);
                f64::from(miss * miss)
            });
            misses.sum::<f64>() / sample.len() as f64
        };
        let candidates = (20..400).map(|step| step as f32 * 5e-5);
        let best = candidates.min_by(|&a, &b| error(a).total_cmp(&error(b)));
        let steepness = best.unwrap_or(0.005);
        note!(
            "steepness {steepness:.5} per centipawn; scores predict results with loss {:.6}",
            error(steepness)
        );
        Targets { lambda, steepness }
    }

    /// The target of a position, from the view of the side to move.
    pub(super) fn of(self, sample: &Sample) -> f32 {
        let score = sigmoid(self.steepness * f32::from(sample.score));
        self.lambda * result(sample) + (1.0 - self.lambda) * score
    }

    /// The loss of a value in centipawns, and its derivative by the value.
    pub(super) fn loss(self, sample: &Sample, value: f32) -> (f32, f32) {
        let expected = sigmoid(self.steepness * value);
        let miss = expected - self.of(sample);
        let slope = 2.0 * miss * expected * (1.0 - expected) * self.steepness;
        (miss * miss, slope)
    }
}

/// The result of the game for the side to move, from 0 to 1.
fn result(sample: &Sample) -> f32 {
    f32::from(sample.result) / 2.0
}
