//! `mola spsa`: tunes numbers of an engine by games.
//!
//! Simultaneous perturbation stochastic approximation (J. C. Spall 1992), as engines use it: all
//! parameters are perturbed at once, each by its step up or down, and a pair of games between the
//! two engines so made gives the direction in which to change them.

mod history;
mod parameter;

use crate::ablate::NOT_FOR_TUNING;
use crate::play_args::PlayArgs;
use crate::progress;
use crate::self_play::{RESUMES, play_pair, players};
use common::error::{Error, Result};
use common::error_text::of_json;
use common::files::{self, Force};
use common::parallel::{self, Interrupt};
use common::random::Random;
use common::signals;
use history::Milestone;
use parameter::Parameter;
use plot::PlotFile;
use serde::{Deserialize, Serialize};
use std::io::{Write, stdout};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Tune parameters of an engine by games against itself (SPSA).
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Without --param, all parameters of a build for tuning are tuned:
  cargo build --release --features tune
  mola spsa --pairs 10000 --nodes 5000 --book openings.epd --concurrency 2 --state spsa.json
With --param, any parameters of any engine:
  mola spsa --engine ./engine --param razor_base,220,50,500,25 --pairs 5000 --tc 1+0.01
A stopped run is resumed by the same command with the same --state FILE.
The step of a parameter is its step at the end of the run [default: a twentieth of its range]."
)]
pub struct Args {
    /// The engine [default: Mola]
    #[arg(long, value_name = "ENGINE")]
    engine: Option<String>,
    /// A parameter to tune, with its start, range and step: NAME,START,MIN,MAX[,STEP]; or only the
    /// name, if this build has it
    #[arg(long = "param", value_name = "PARAM")]
    params: Vec<String>,
    /// Total number of game pairs
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    pairs: u64,
    /// Final learning rate: the change of a parameter per game won, in steps
    #[arg(long, default_value_t = 0.002)]
    rate: f64,
    /// Save the state in this file, and resume from it
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Plot the course of the parameters as FILE.svg; `-` plots it in characters on standard output
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    play: PlayArgs,
}

/// What has been found.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct State {
    /// Pairs that have been played.
    played: u64,
    /// Pairs in all.
    pairs: u64,
    rate: f64,
    seed: u64,
    /// The engine, and how the games are played.
    #[serde(default)]
    games: String,
    parameters: Vec<Parameter>,
    /// What the numbers were on the way.
    #[serde(default)]
    history: Vec<Milestone>,
}

/// The exponents that Spall recommends, and his stability constant A as a share of the pairs, which
/// damps the rate at first.
const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;
const DAMPING: f64 = 0.1;

/// A pair to play: each parameter's perturbation, and both engines' options.
struct Trial {
    directions: Vec<f64>,
    plus: Vec<(String, String)>,
    minus: Vec<(String, String)>,
}

impl State {
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
    fn trial(&self, pair: u64) -> Trial {
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
    fn update(&mut self, pair: u64, trial: &Trial, balance: f64) {
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

/// Runs the subcommand.
///
/// # Errors
/// When there is nothing to tune, a file cannot be used, an engine cannot be started, or a signal
/// came.
pub fn run(args: &Args) -> Result {
    files::refuse_same_outputs(&[args.state.as_deref(), args.plot.as_deref()])?;
    let state = start(args)?;
    let plot = args.plot.as_deref();
    let plot = plot.map(|path| PlotFile::open(path, args.force.replace(), &args.inputs()));
    let plot = plot.transpose()?;
    let (first, pairs) = (state.played, state.pairs);
    let plan = args
        .play
        .self_play(args.engine.as_deref(), pairs.saturating_mul(2))?;
    let bar = progress::bar("{pos}/{len} pairs {bar:20} {eta} left", pairs, first);
    let state = Mutex::new(state);
    // A trial depends on the parameters at that time.
    let trials = (first..pairs).map(|pair| (pair, lock(&state).trial(pair)));
    let work = |interrupt: &Interrupt| {
        let mut players = players(&plan, interrupt)?;
        let plan = &plan;
        Ok(move |(pair, trial): (u64, Trial)| {
            let [plus, minus] = &mut players;
            plus.set_options(trial.plus.clone());
            minus.set_options(trial.minus.clone());
            let [first, second] = play_pair(&mut players, plan, pair)?;
            // How many games more the plus side has won than lost.
            let balance = f64::from(first) + f64::from(second) - 2.0;
            Ok((pair, trial, balance))
        })
    };
    let signals = signals::watch();
    let workers = plan.workers(&signals);
    let ended = parallel::in_order(&workers, trials, work, |(pair, trial, balance)| {
        let mut state = lock(&state);
        state.update(pair, &trial, balance);
        bar.inc(1);
        if bar.position().is_multiple_of(16) {
            save(args, &state)?;
        }
        Ok(ControlFlow::Continue(()))
    });
    bar.finish_and_clear();
    let state = lock(&state);
    save(args, &state)?;
    for parameter in &state.parameters {
        writeln!(stdout(), "{parameter}")?;
    }
    writeln!(stdout(), "after {} of {pairs} pairs", state.played)?;
    // A stopped run, which the same command resumes, has no plot yet.
    let goes_on = args.state.is_some() && state.played < pairs;
    if let Some(plot) = plot.filter(|plot| plot.is_stdout() || !goes_on) {
        plot.write(&history::plot(&state))?;
    }
    ended?.or_interrupted(if args.state.is_some() { RESUMES } else { "" })
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Args {
    /// The files that are read.
    fn inputs(&self) -> Vec<&Path> {
        let files = [&self.play.book, &self.state];
        files.into_iter().flatten().map(PathBuf::as_path).collect()
    }
}

/// The state of the file, or a new one.
fn start(args: &Args) -> Result<State> {
    let parameters = parameter::read(&args.params).map_err(Error::Usage)?;
    if parameters.is_empty() {
        return Err(Error::Message(NOT_FOR_TUNING.to_owned()));
    }
    if !(args.rate > 0.0 && args.rate <= 1.0) {
        return Err(Error::Usage(
            "--rate must be above 0 and at most 1".to_owned(),
        ));
    }
    let new = State {
        played: 0,
        pairs: args.pairs,
        rate: args.rate,
        seed: args.play.seed,
        games: args.play.self_play_settings(args.engine.as_deref()),
        parameters,
        history: Vec::new(),
    };
    let Some(path) = &args.state else {
        return Ok(new);
    };
    let text = match files::read(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(new),
        Err(error) => return Err(error.into()),
    };
    let old: State = serde_json::from_slice(&text)
        .map_err(|error| format!("{}: {}", path.display(), of_json(&error)))?;
    let is_same = old.parameters.len() == new.parameters.len()
        && old
            .parameters
            .iter()
            .zip(&new.parameters)
            .all(|(a, b)| a.is_same(b))
        && (old.pairs, old.rate, old.seed) == (new.pairs, new.rate, new.seed)
        && old.games == new.games;
    if is_same {
        Ok(old)
    } else {
        let message = format!(
            "{} belongs to a run with other parameters or settings",
            path.display()
        );
        Err(Error::Message(message))
    }
}

fn save(args: &Args, state: &State) -> Result {
    let Some(path) = &args.state else {
        return Ok(());
    };
    let text = serde_json::to_string_pretty(state).map_err(|error| error.to_string())?;
    files::replace(path, text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Games are won by the engine whose numbers are nearer to the best ones, but for chance.
    #[test]
    fn finds_the_top_of_a_hill() {
        let texts = ["a,40,0,100,5", "b,80,0,100,5"].map(str::to_owned);
        let mut state = State {
            played: 0,
            pairs: 20_000,
            rate: 0.02,
            seed: 3,
            games: String::new(),
            parameters: parameter::read(&texts).unwrap(),
            history: Vec::new(),
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
        let plot = history::plot(&state);
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
}
