//! `mola screen`: measures the gain of many changes in the same games.
//!
//! A factorial experiment (R. A. Fisher, "The arrangement of field experiments", 1926): in each
//! pair of games every change is given to one side or the other at random. The effects of the
//! others cancel out, so that all games measure each change as well as a separate match would.

use crate::ablate::with_hint;
use crate::matches::score;
use crate::play_args::{PlayArgs, split_settings};
use crate::progress;
use crate::self_play::{Faults, PlayedPair, RESUMES, play_pair, players};
use crate::state_file::StateFile;
use crate::tournament::Tally;
use common::error::{Error, Result};
use common::parallel::{self, Interrupt};
use common::random::Random;
use common::signals;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::io::{Write, stdout};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::str::FromStr;

/// Measure many changes of an engine's options at once in the same games.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "A change is an option with its current and its new value. In each game, each side has about
half of the changes; one line for each change shows the score of the side with the new value:
  mola screen --change razor_base=205,260 --change singular_depth=7,6 \\
      --pairs 4000 --nodes 5000 --book openings.epd --concurrency 2 --state screen.json
  mola screen --engine stockfish --change 'Move Overhead=10,100' --pairs 500 --tc 1+0.01
Twenty changes take no more games than one. Then test the promising changes together in a separate
match, because the best of many look better than they are.
A stopped run is resumed by the same command with the same --state FILE."
)]
pub struct Args {
    /// The engine [default: Mola]
    #[arg(long, value_name = "ENGINE")]
    engine: Option<String>,
    /// An option with its current and its new value: NAME=OLD,NEW
    #[arg(long = "change", value_name = "CHANGE", required = true)]
    changes: Vec<Change>,
    /// Total number of game pairs
    #[arg(long, default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..))]
    pairs: u64,
    /// Save the state in this file, and resume from it
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    #[command(flatten)]
    play: PlayArgs,
}

/// A change of an option.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Change {
    name: String,
    old: String,
    new: String,
}

impl FromStr for Change {
    type Err = &'static str;

    fn from_str(text: &str) -> std::result::Result<Change, &'static str> {
        let (name, values) = text.split_once('=').ok_or("NAME=OLD,NEW expected")?;
        let (old, new) = values.split_once(',').ok_or("NAME=OLD,NEW expected")?;
        let [name, old, new] = [name, old, new].map(|word| word.trim().to_owned());
        if name.is_empty() || old == new {
            return Err("NAME=OLD,NEW expected, with two values");
        }
        Ok(Change { name, old, new })
    }
}

/// As typed.
impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={},{}", self.name, self.old, self.new)
    }
}

impl Change {
    fn option(&self, is_new: bool) -> (String, String) {
        let value = if is_new { &self.new } else { &self.old };
        (self.name.clone(), value.clone())
    }
}

/// What has been found.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct ScreenState {
    /// Pairs that have been played.
    played: u64,
    seed: u64,
    /// The engine, and how the games are played.
    games: String,
    changes: Vec<Change>,
    /// What the side with each change scored.
    tallies: Vec<Tally>,
    #[serde(default)]
    faults: Faults,
}

impl ScreenState {
    fn new(args: &Args) -> Result<ScreenState> {
        let changes = args.changes.iter();
        let options = changes.flat_map(|change| [false, true].map(|is_new| change.option(is_new)));
        let engine = args.engine.as_deref();
        Ok(ScreenState {
            played: 0,
            seed: args.play.seed,
            games: args.play.self_play_settings(engine, options)?,
            changes: args.changes.clone(),
            tallies: vec![Tally::default(); args.changes.len()],
            faults: Faults::default(),
        })
    }

    /// The games of all pairs.
    fn games_played(&self) -> u64 {
        self.played.saturating_mul(2)
    }

    /// Whether its games, if any, mean nothing, so that a run begins anew in its place.
    fn is_void(&self) -> bool {
        self.faults.spoil(self.games_played())
    }

    /// What the run depends on, as typed.
    fn settings(&self) -> Vec<String> {
        let mut settings = split_settings(&self.games);
        let changes = self.changes.iter();
        settings.extend(changes.map(|change| format!("--change={change}")));
        settings
    }

    /// The state of the file, or a new one.
    fn open(args: &Args, file: &StateFile) -> Result<ScreenState> {
        let new = ScreenState::new(args)?;
        let old = file.read::<ScreenState>()?.filter(|old| !old.is_void());
        let Some(old) = old else {
            return Ok(new);
        };
        let conditions = |state: &ScreenState| (state.seed, state.settings(), state.tallies.len());
        if conditions(&old) != conditions(&new) {
            return Err(file.of_another_run("changes", &old.settings(), &new.settings()));
        }
        Ok(old)
    }

    /// Adds a pair, given the half points of the first side and which changes it had.
    fn add(&mut self, sides: &[bool], half_points: [u8; 2]) {
        for (tally, &is_first) in self.tallies.iter_mut().zip(sides) {
            let [one, two] = half_points.map(|half| if is_first { half } else { 2 - half });
            tally.add_game(one);
            tally.add_game(two);
            tally.add_pair(one, two);
        }
        self.played += 1;
    }

    /// The changes by what they seem to be worth, the best first, a line each.
    fn report(&self) -> Vec<String> {
        let width = self.changes.iter().map(|change| change.name.len()).max();
        let width = width.unwrap_or(0);
        let mut found: Vec<_> = self.changes.iter().zip(&self.tallies).collect();
        found.sort_by(|(_, a), (_, b)| b.points().total_cmp(&a.points()));
        let line = |(change, tally): (&Change, &Tally)| {
            let Change { name, old, new } = change;
            let estimate = tally.estimate()?;
            let score = score(tally);
            Some(format!(
                "{name:width$}  {old} -> {new}  {estimate}  {score}"
            ))
        };
        found.into_iter().filter_map(line).collect()
    }
}

impl Args {
    /// Refuses two changes of one option: the second would overwrite the first.
    fn refuse_twice(&self) -> Result {
        for (at, change) in self.changes.iter().enumerate() {
            // Engines take names of options in any case.
            let is_same = |other: &Change| other.name.eq_ignore_ascii_case(&change.name);
            if self.changes.iter().take(at).any(is_same) {
                let message = format!("--change: there is another {}", change.name);
                return Err(Error::Usage(message));
            }
        }
        Ok(())
    }
}

/// Which changes the first side of a pair has; the second one has the others.
fn sides(seed: u64, pair: u64, changes: usize) -> Vec<bool> {
    let mut random = Random::new(seed, pair);
    (0..changes).map(|_| random.below(2) == 0).collect()
}

/// Runs the subcommand.
///
/// # Errors
/// When a file cannot be used, an engine cannot be started, or a signal came.
pub fn run(args: &Args) -> Result {
    args.refuse_twice()?;
    if args.state.is_some() {
        args.play.refuse_stdin()?;
    }
    // To read the program and the files of the engine takes a moment, too.
    let signals = signals::watch();
    let mut file = StateFile::open(args.state.as_deref())?;
    let mut state = ScreenState::open(args, &file)?;
    let (first, pairs) = (state.played, args.pairs);
    let engine = args.engine.as_deref();
    let plan = args.play.self_play(engine, pairs.saturating_mul(2))?;
    let bar = progress::bar("{pos}/{len} pairs {bar:20} {eta} left", pairs, first);
    let (seed, changes) = (state.seed, args.changes.len());
    let trials = (first..pairs).map(|pair| (pair, sides(seed, pair, changes)));
    let work = |interrupt: &Interrupt| {
        let mut players = players(&plan, interrupt)?;
        let plan = &plan;
        Ok(move |(pair, sides): (u64, Vec<bool>)| {
            for (player, is_first) in players.iter_mut().zip([true, false]) {
                let has = sides.iter().map(|&side| side == is_first);
                let options = args.changes.iter().zip(has);
                player.set_options(options.map(|(change, has)| change.option(has)).collect());
            }
            Ok((sides, play_pair(&mut players, plan, pair)?))
        })
    };
    let workers = plan.workers(&signals);
    let ended = parallel::in_order(&workers, trials, work, |played: (Vec<bool>, PlayedPair)| {
        let (sides, pair) = played;
        state.faults.add_pair(state.played, &pair, &bar);
        state.add(&sides, pair.half_points());
        bar.inc(1);
        file.save_now_and_then(&state)?;
        Ok(ControlFlow::Continue(()))
    });
    let ended = ended.map_err(|error| with_hint(error, engine));
    bar.finish_and_clear();
    // A command that could not even start shall leave no state behind.
    if ended.is_ok() || state.played > 0 {
        file.save(&state)?;
    }
    for line in state.report() {
        writeln!(stdout(), "{line}")?;
    }
    writeln!(stdout(), "after {} of {pairs} pairs", state.played)?;
    let how = args.state.is_some().then_some(RESUMES);
    state.faults.end(state.games_played(), ended, how)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(text: &str) -> std::result::Result<Change, &'static str> {
        text.parse()
    }

    #[test]
    fn changes_as_text() {
        let read = change("Move Overhead = 10, 100").unwrap();
        assert_eq!(read.option(false), ("Move Overhead".into(), "10".into()));
        assert_eq!(read.option(true), ("Move Overhead".into(), "100".into()));
        for wrong in ["", "a", "a=1", "a=1,1", "=1,2"] {
            assert!(change(wrong).is_err(), "{wrong}");
        }
    }

    /// Games follow from what the changes of both sides are worth, and chance.
    #[test]
    fn tells_the_worth_of_each_change() {
        let worth = [30.0, -60.0, 0.0, 15.0];
        let names = ["a=0,1", "b=0,1", "c=0,1", "d=0,1"];
        let mut state = ScreenState {
            played: 0,
            seed: 5,
            games: String::new(),
            changes: names.map(|text| change(text).unwrap()).to_vec(),
            tallies: vec![Tally::default(); 4],
            faults: Faults::default(),
        };
        let mut random = Random::new(11, 0);
        for pair in 0..20_000 {
            let sides = sides(state.seed, pair, 4);
            let parts = sides.iter().zip(worth);
            let elo: f64 = parts.map(|(&has, elo)| if has { elo } else { -elo }).sum();
            let chance = 1.0 / (1.0 + 10f64.powf(-elo / 400.0));
            let game = |random: &mut Random| {
                2 * u8::from((random.below(1 << 20) as f64) < chance * f64::from(1 << 20))
            };
            let half_points = [game(&mut random), game(&mut random)];
            state.add(&sides, half_points);
        }
        for (tally, worth) in state.tallies.iter().zip(worth) {
            let estimate = tally.estimate().unwrap();
            assert!((estimate.elo - worth).abs() < 6.0, "{estimate} for {worth}");
            assert!(estimate.elo_error.is_some_and(|error| error < 6.0));
        }
        let names: Vec<_> = state
            .report()
            .into_iter()
            .map(|line| line[..1].to_owned())
            .collect();
        assert_eq!(names, ["a", "d", "c", "b"]);
    }
}
