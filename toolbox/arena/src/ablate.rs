//! `mola ablate`: what each feature of the search is worth, by matches with and without it.

use crate::client::{self, ErrorKind};
use crate::matches::score;
use crate::play_args::PlayArgs;
use crate::progress;
use crate::self_play::Faults;
use crate::start::parse_option;
use crate::tournament::{Plan, Results};
use common::error::{Error, Result};
use common::signals::{self, Signal};
use crossbeam_channel::Receiver;
use engine_core::search::TUNABLES;
use std::io::{Write, stdout};
use std::ops::ControlFlow;

/// Measure the value of each search feature by matches with and without it.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Without --feature, all features of a build for tuning are measured:
  cargo build --release --features tune
  mola ablate --nodes 5000 --games 400 --book openings.epd --concurrency 2
With --feature, any engine can be measured:
  mola ablate --engine stockfish --feature 'Skill Level=10' --nodes 2000 --games 100
Each line is about one feature: what the engine scores against itself without it. A positive Elo
is the gain of the feature."
)]
pub struct Args {
    /// The engine [default: Mola]
    #[arg(long, value_name = "ENGINE")]
    engine: Option<String>,
    /// An option that turns a feature off: NAME=VALUE
    #[arg(long = "feature", value_name = "NAME=VALUE", value_parser = parse_option)]
    features: Vec<(String, String)>,
    /// Games for each feature
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    #[command(flatten)]
    play: PlayArgs,
}

/// The features that this build can turn off.
fn own_features() -> Vec<(String, String)> {
    let features = TUNABLES.iter().filter_map(|tunable| {
        let off = tunable.off?;
        Some((tunable.name.to_owned(), off.to_string()))
    });
    features.collect()
}

/// Says how to build what can be tuned.
pub(crate) const NOT_FOR_TUNING: &str =
    "this build has no search parameters to set: cargo build --release --features tune";

/// Says the same where Mola itself has no option of this name.
pub(crate) fn with_hint(error: Error, engine: Option<&str>) -> Error {
    let is_about_option = error
        .cause::<client::Error>()
        .is_some_and(|error| matches!(error.kind, ErrorKind::NoOption(_)));
    if engine.is_none() && TUNABLES.is_empty() && is_about_option {
        return Error::Message(format!("{error}; {NOT_FOR_TUNING}"));
    }
    error
}

/// Runs the subcommand.
///
/// # Errors
/// When there is no feature to turn off, an engine cannot be started, or a signal came.
pub fn run(args: &Args) -> Result {
    let features = if args.features.is_empty() {
        own_features()
    } else {
        args.features.clone()
    };
    if features.is_empty() {
        let message = format!("--feature is needed, since {NOT_FOR_TUNING}");
        return Err(Error::Usage(message));
    }
    let plan = args.play.self_play(args.engine.as_deref(), args.games)?;
    let signals = signals::watch();
    let widths = features.iter().map(|(name, _)| name.len());
    let width = widths.max().unwrap_or(0);
    for feature in &features {
        let text = measure(&plan, feature, &signals)?;
        writeln!(stdout(), "{:width$}  {text}", feature.0)?;
    }
    Ok(())
}

/// Plays the engine as it is against itself without a feature.
fn measure(plan: &Plan, feature: &(String, String), signals: &Receiver<Signal>) -> Result<String> {
    let mut plan = plan.clone();
    if let Some(without) = plan.entrants.last_mut() {
        without.command.options.push(feature.clone());
    }
    let mut results = Results::new(plan.entrants.len());
    let template = "{msg}: {pos}/{len} {bar:20} {eta} left";
    let bar = progress::bar(template, plan.schedule.len(), 0).with_message(feature.0.clone());
    let mut faults = Faults::default();
    let ended = plan.play(0, signals, |game| {
        results.add(game.scheduled, &game.played.ending);
        faults.add(game.number + 1, &game.played.ending, &bar);
        bar.inc(1);
        Ok(ControlFlow::Continue(()))
    });
    bar.finish_and_clear();
    let tally = results.total(0);
    faults.end(tally.games(), ended, None)?;
    let estimate = tally.estimate().ok_or_else(|| "no games".to_owned())?;
    Ok(format!("{estimate}  {}", score(&tally)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_feature_can_be_turned_off() {
        assert_eq!(own_features().is_empty(), TUNABLES.is_empty());
    }
}
