//! The state of a run, and how the result of a pair changes it.

use super::history::{self, Milestone};
use super::parameter::Parameter;
use crate::play_args::split_settings;
use crate::self_play::Faults;
use common::random::Random;
use serde::{Deserialize, Serialize};

/// What has been found.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct SpsaState {
    /// Pairs that have been played.
    pub(super) played: u64,
    /// Pairs in all.
    pub(super) pairs: u64,
    pub(super) rate: f64,
    pub(super) seed: u64,
    /// The engine, and how the games are played.
    #[serde(default)]
    pub(super) games: String,
    pub(super) parameters: Vec<Parameter>,
    /// What the numbers were on the way.
    #[serde(default)]
    pub(super) history: Vec<Milestone>,
    #[serde(default)]
    pub(super) faults: Faults,
}

/// The exponents that Spall recommends, and his stability constant A as a share of the pairs, which
/// damps the rate at first.
const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;
const DAMPING: f64 = 0.1;

/// A pair to play: each parameter's perturbation, and both engines' options.
pub(super) struct Trial {
    pub(super) directions: Vec<f64>,
    pub(super) plus: Vec<(String, String)>,
    pub(super) minus: Vec<(String, String)>,
}

impl SpsaState {
    /// The games of all pairs.
    pub(super) fn games_played(&self) -> u64 {
        self.played.saturating_mul(2)
    }

    /// Whether its games, if any, mean nothing, so that a run begins anew in its place.
    pub(super) fn is_void(&self) -> bool {
        self.faults.spoil(self.games_played())
    }

    /// What the run depends on, as typed.
    pub(super) fn settings(&self) -> Vec<String> {
        let mut settings = split_settings(&self.games);
        settings.push(format!("--pairs={}", self.pairs));
        settings.push(format!("--rate={}", self.rate));
        let parameters = self.parameters.iter();
        settings.extend(parameters.map(|parameter| format!("--param={}", parameter.setting())));
        settings
    }

    /// The step of a parameter at this pair (Spall's `c_k`).
    fn step(&self, parameter: &Parameter, pair: u64) -> f64 {
        parameter.step * (self.pairs as f64 / (pair + 1) as f64).powf(GAMMA)
    }

    /// How far this pair moves a parameter for each game won, in its steps (Spall's `a_k / c_k^2`).
    fn gain(&self, pair: u64) -> f64 {
        let all = self.pairs as f64;
        let damping = DAMPING * all;
        let end = self.rate * (damping + all).powf(ALPHA);
        let now = end / (damping + (pair + 1) as f64).powf(ALPHA);
        // The gain is relative to the square of the step, which is larger at first.
        now / (all / (pair + 1) as f64).powf(2.0 * GAMMA)
    }

    /// The options to play this pair with.
    pub(super) fn trial(&self, pair: u64) -> Trial {
        let mut random = Random::new(self.seed, pair);
        let mut trial = Trial {
            directions: Vec::new(),
            plus: Vec::new(),
            minus: Vec::new(),
        };
        for parameter in &self.parameters {
            let direction = if random.below(2) == 0 { 1.0 } else { -1.0 };
            let step = direction * self.step(parameter, pair);
            // The same fraction for both, so that rounding favours neither.
            let fraction = random.below(1 << 20) as f64 / f64::from(1 << 20);
            let option = |value| (parameter.name.clone(), parameter.round(value, fraction));
            trial.plus.push(option(parameter.value + step));
            trial.minus.push(option(parameter.value - step));
            trial.directions.push(direction);
        }
        trial
    }

    /// Changes the parameters after a pair; `balance` is the wins of the plus side less its losses.
    pub(super) fn update(&mut self, pair: u64, trial: &Trial, balance: f64) {
        let gain = self.gain(pair);
        let steps: Vec<f64> = self.parameters.iter().map(|p| self.step(p, pair)).collect();
        let moves = steps.iter().zip(&trial.directions);
        for (parameter, (step, direction)) in self.parameters.iter_mut().zip(moves) {
            parameter.go(gain * step * balance * direction);
        }
        self.played += 1;
        if history::is_milestone(self.played, self.pairs) {
            self.history
                .push(Milestone::of(self.played, &self.parameters));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::panels::plot;
    use super::super::parameter::read;
    use super::*;

    /// Games are won by the engine whose numbers are nearer to the best ones, but for chance.
    #[test]
    fn finds_the_top_of_a_hill() {
        let texts = ["a,40,0,100,5", "b,80,0,100,5"].map(str::to_owned);
        let mut state = SpsaState {
            played: 0,
            pairs: 20_000,
            rate: 0.02,
            seed: 3,
            games: String::new(),
            parameters: read(&texts).unwrap(),
            history: Vec::new(),
            faults: Faults::default(),
        };
        let best = [70.0, 30.0];
        let strength = |options: &[(String, String)]| -> f64 {
            let distance = options.iter().zip(best).map(|((_, value), best)| {
                let away = value.parse::<f64>().unwrap() - best;
                away * away
            });
            -distance.sum::<f64>()
        };
        let mut random = Random::new(9, 0);
        for pair in 0..state.pairs {
            let trial = state.trial(pair);
            let advantage = (strength(&trial.plus) - strength(&trial.minus)) / 5000.0;
            let mut balance = 0.0;
            for _ in 0..2 {
                let chance = random.below(1000) as f64 / 500.0 - 1.0;
                balance += if advantage > chance { 1.0 } else { -1.0 };
            }
            state.update(pair, &trial, balance);
        }
        assert_eq!(state.played, state.pairs);
        assert_eq!(state.history.len(), 100);
        let plot = plot(&state);
        assert_eq!(plot.panels.len(), 2);
        let [first, .., last] = plot.panels[0].series[0].points.as_slice() else {
            panic!("{plot:?}");
        };
        assert_eq!((first.y, last.y), (40.0, state.parameters[0].value));
        for (parameter, best) in state.parameters.iter().zip(best) {
            assert!(
                (parameter.value - best).abs() < 15.0,
                "{parameter}, best {best}"
            );
        }
    }

    /// The numbers of a state come back to the last bit, and it may be one of an earlier version.
    #[test]
    fn a_resumed_run_is_the_unbroken_one() {
        let texts = ["a,40,0,100,14.142135623730951", "b,8,0,100,5.1"].map(str::to_owned);
        let mut unbroken = SpsaState {
            played: 0,
            pairs: 500,
            rate: 0.014285714285714285,
            seed: 3,
            games: "Mola, --nodes=5 --seed=3".to_owned(),
            parameters: read(&texts).unwrap(),
            history: Vec::new(),
            faults: Faults::default(),
        };
        assert!(unbroken.is_void());
        let mut resumed = unbroken.clone();
        let mut random = Random::new(5, 0);
        for pair in 0..unbroken.pairs {
            let balance = random.below(5) as f64 - 2.0;
            for state in [&mut unbroken, &mut resumed] {
                state.update(pair, &state.trial(pair), balance);
            }
            let text = serde_json::to_string_pretty(&resumed).unwrap();
            resumed = serde_json::from_str(&text).unwrap();
            assert_eq!(resumed, unbroken);
        }
        assert!(!resumed.is_void());
        let settings = resumed.settings();
        let wanted = [
            "--engine=Mola",
            "--nodes=5",
            "--seed=3",
            "--pairs=500",
            "--rate=0.014285714285714285",
            "--param=a,40,0,100,14.142135623730951",
            "--param=b,8,0,100,5.1",
        ];
        assert_eq!(settings, wanted);
        let mut old = serde_json::to_value(&resumed).unwrap();
        assert!(old.as_object_mut().unwrap().remove("faults").is_some());
        assert_eq!(serde_json::from_value::<SpsaState>(old).unwrap(), resumed);
    }
}
