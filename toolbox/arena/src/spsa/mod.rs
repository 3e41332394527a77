//! `mola spsa`: tunes numbers of an engine by games.
//!
//! Simultaneous perturbation stochastic approximation (J. C. Spall 1992), as engines use it: all
//! parameters are perturbed at once, each by its step up or down, and a pair of games between the
//! two engines so made gives the direction in which to change them.

mod history;
mod panels;
mod parameter;
mod state;

use crate::ablate::{NOT_FOR_TUNING, with_hint};
use crate::play_args::PlayArgs;
use crate::progress;
use crate::self_play::{Faults, PlayedPair, RESUMES, play_pair, players};
use crate::state_file::StateFile;
use common::error::{Error, Result};
use common::files::{self, Force};
use common::parallel::{self, Interrupt};
use common::signals;
use plot::PlotFile;
use state::{SpsaState, Trial};
use std::io::{Write, stdout};
use std::ops::ControlFlow;
use std::path::PathBuf;
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

/// Runs the subcommand.
///
/// # Errors
/// When there is nothing to tune, a file cannot be used, an engine cannot be started, or a signal
/// came.
pub fn run(args: &Args) -> Result {
    files::refuse_same_outputs(&[args.state.as_deref(), args.plot.as_deref()])?;
    if args.state.is_some() {
        args.play.refuse_stdin()?;
    }
    // To read the program and the files of the engine takes a moment, too.
    let signals = signals::watch();
    let mut file = StateFile::open(args.state.as_deref())?;
    let state = start(args, &file)?;
    let plot = args.plot.as_deref();
    let inputs = args.inputs()?;
    let plot = plot.map(|path| PlotFile::open(path, args.force.replace(), &inputs));
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
            Ok((pair, trial, play_pair(&mut players, plan, pair)?))
        })
    };
    let workers = plan.workers(&signals);
    let ended = parallel::in_order(
        &workers,
        trials,
        work,
        |played: (u64, Trial, PlayedPair)| {
            let (pair, trial, played) = played;
            let [first, second] = played.half_points().map(f64::from);
            // How many games more the plus side has won than lost.
            let balance = first + second - 2.0;
            let mut state = lock(&state);
            state.update(pair, &trial, balance);
            state.faults.add_pair(pair, &played, &bar);
            bar.inc(1);
            file.save_now_and_then(&*state)?;
            Ok(ControlFlow::Continue(()))
        },
    );
    let ended = ended.map_err(|error| with_hint(error, args.engine.as_deref()));
    bar.finish_and_clear();
    let state = lock(&state);
    // A stopped run, which the same command resumes, has no plot yet.
    let goes_on = args.state.is_some() && state.played < pairs;
    let has_plot = |plot: &PlotFile| state.played > 0 && (plot.is_stdout() || !goes_on);
    let mut plot = plot.filter(has_plot);
    // A command that could not even start leaves no state behind, and has nothing to show. Files come before
    // the standard output, which may be a closed pipe or on a full disk.
    if ended.is_ok() || state.played > 0 {
        file.save(&*state)?;
        if let Some(plot) = plot.take_if(|plot| !plot.is_stdout()) {
            plot.write(&panels::plot(&state))?;
        }
        for parameter in &state.parameters {
            writeln!(stdout(), "{parameter}")?;
        }
        writeln!(stdout(), "after {} of {pairs} pairs", state.played)?;
    }
    if let Some(plot) = plot {
        plot.write(&panels::plot(&state))?;
    }
    let how = args.state.is_some().then_some(RESUMES);
    state.faults.end(state.games_played(), ended, how)
}

fn lock(state: &Mutex<SpsaState>) -> MutexGuard<'_, SpsaState> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Args {
    /// The files that are read, and those that the engine is run from.
    fn inputs(&self) -> Result<Vec<PathBuf>> {
        let mut files = self.play.self_play_files(self.engine.as_deref())?;
        files.extend(self.state.clone());
        Ok(files)
    }
}

/// The state of the file, or a new one.
fn start(args: &Args, file: &StateFile) -> Result<SpsaState> {
    let parameters = parameter::read(&args.params).map_err(Error::Usage)?;
    if parameters.is_empty() {
        let message = format!("--param is needed, since {NOT_FOR_TUNING}");
        return Err(Error::Usage(message));
    }
    if !(args.rate > 0.0 && args.rate <= 1.0) {
        return Err(Error::Usage(
            "--rate must be above 0 and at most 1".to_owned(),
        ));
    }
    let new = SpsaState {
        played: 0,
        pairs: args.pairs,
        rate: args.rate,
        seed: args.play.seed,
        games: args.play.self_play_settings(args.engine.as_deref(), [])?,
        parameters,
        history: Vec::new(),
        faults: Faults::default(),
    };
    let old = file.read::<SpsaState>()?.filter(|old| !old.is_void());
    let Some(old) = old else {
        return Ok(new);
    };
    let conditions = |state: &SpsaState| (state.seed, state.settings());
    if conditions(&old) == conditions(&new) {
        Ok(old)
    } else {
        Err(file.of_another_run("parameters", &old.settings(), &new.settings()))
    }
}
