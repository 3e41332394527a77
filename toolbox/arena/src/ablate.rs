//! `mola ablate`: what each feature of the search is worth, by matches with and without it.

use crate::client::Command;
use crate::matches::{PlayArgs, pair};
use crate::tournament::{Pairing, Plan, Tournament};
use common::error::{Error, Result};
use common::signals;
use crossbeam_channel::{Receiver, select};
use engine_core::search::TUNABLES;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{Write, stdout};

/// Measure what each feature of the search is worth, by matches with and without it.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Without --feature, all features of a build for tuning are measured:
  cargo build --release --features tune
  mola ablate --nodes 5000 --games 400 --book openings.epd --concurrency 2
With --feature, any engine can be measured:
  mola ablate --engine stockfish --feature 'Skill Level=10' --nodes 2000 --games 100
The first line of each pair is the engine as it is; a positive Elo is what the feature gains."
)]
pub struct Args {
    /// The engine; Mola if none is given
    #[arg(long, value_name = "ENGINE")]
    engine: Option<String>,
    /// An option that turns a feature off: NAME=VALUE
    #[arg(long = "feature", value_name = "NAME=VALUE", value_parser = pair)]
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

/// The engine of a command that measures the search: Mola itself if none is given.
pub(crate) fn engine_or_own(engine: Option<&str>) -> Result<String> {
    if let Some(engine) = engine {
        return Ok(engine.to_owned());
    }
    let program = Command::own()?.program.replace(',', "\\,");
    Ok(format!("cmd='{program}' uci"))
}

/// Says how to build what can be tuned.
pub(crate) const NOT_FOR_TUNING: &str =
    "this build has no numbers to set: cargo build --release --features tune";

/// Runs the subcommand.
///
/// # Errors
/// When there is no feature to turn off, or an engine cannot be started.
pub fn run(args: &Args) -> Result {
    let features = if args.features.is_empty() {
        own_features()
    } else {
        args.features.clone()
    };
    if features.is_empty() {
        return Err(Error::Message(NOT_FOR_TUNING.to_owned()));
    }
    let entrant = args.play.entrant(&engine_or_own(args.engine.as_deref())?)?;
    let plan = args.play.plan([entrant.clone(), entrant], args.games)?;
    let signals = signals::watch();
    let width = features
        .iter()
        .map(|(name, _)| name.len())
        .max()
        .unwrap_or(0);
    for feature in &features {
        let Some(text) = measure(&plan, feature, &signals)? else {
            break;
        };
        writeln!(stdout(), "{:width$}  {text}", feature.0)?;
    }
    Ok(())
}

/// Plays the engine as it is against itself without a feature; `None` when it is interrupted.
fn measure(
    plan: &Plan,
    feature: &(String, String),
    signals: &Receiver<signals::Signal>,
) -> Result<Option<String>> {
    let mut plan = plan.clone();
    plan.entrants[1].command.options.push(feature.clone());
    let mut pairing = Pairing::default();
    let bar = ProgressBar::new(plan.games);
    let tournament = Tournament::start(plan);
    let style = ProgressStyle::with_template("{msg}: {pos}/{len} {bar:20} {eta} left");
    if let Ok(style) = style {
        bar.set_style(style);
    }
    bar.set_message(feature.0.clone());
    loop {
        select! {
            recv(tournament.reports()) -> report => match report {
                Ok(report) => {
                    let report = report?;
                    pairing.add(Some(report.pair()), report.half_points());
                    bar.inc(1);
                }
                Err(_) => break,
            },
            recv(signals) -> _ => {
                bar.finish_and_clear();
                return Ok(None);
            }
        }
    }
    bar.finish_and_clear();
    let tally = pairing.tally();
    let (wins, draws, losses) = (tally.wins, tally.draws, tally.losses);
    let estimate = tally.estimate().ok_or_else(|| "no games".to_owned())?;
    Ok(Some(format!("{estimate}  +{wins} ={draws} -{losses}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_feature_can_be_turned_off() {
        assert_eq!(own_features().is_empty(), TUNABLES.is_empty());
        let text = engine_or_own(None).unwrap();
        let command = Command::parse_with(&text, |_, _| Ok(false)).unwrap();
        assert_eq!(command.args, ["uci"]);
    }
}
