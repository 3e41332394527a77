//! `mola bench`.

use super::{Settings, positions, run};
use crate::history::HistoryArgs;
use crate::options::MAX_DEPTH;
use common::arguments::number;
use common::error::{Error, Result};
use common::note;
use engine_core::Variant;
use std::io::{Write, stdout};

/// Search fixed positions and report nodes and speed.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  mola bench
  mola bench 12           depth 12
  mola bench 64 2 14      64 MB of hash, two threads, depth 14
  mola bench --history bench.jsonl    compares with earlier runs; also --plot FILE.svg

With one thread the node count is the same on every machine; it changes only with the search.")]
pub(crate) struct Args {
    /// Depth; or hash size in MB, threads and depth
    #[arg(value_name = "DEPTH")]
    settings: Vec<String>,
    /// Depth in plies
    #[arg(long, conflicts_with = "settings", value_parser = |text: &str| number(text, 1..=MAX_DEPTH))]
    depth: Option<u32>,
    /// The variant of chess
    #[arg(long, value_name = "NAME", default_value = "chess")]
    variant: Variant,
    #[command(flatten)]
    history: HistoryArgs,
}

/// Runs the subcommand.
///
/// # Errors
/// When the settings make no sense or need too much memory, or the output is closed.
pub(crate) fn run_command(args: &Args) -> Result {
    let settings = Settings::parse(&args.settings.join(" "), args.variant);
    let mut settings = settings.map_err(Error::Usage)?;
    settings.depth = args.depth.unwrap_or(settings.depth);
    let history = args.history.open(settings.to_string())?;
    let total = positions::all(args.variant).len();
    let report = run(&settings, &mut |progress| {
        if let Some((number, nodes)) = progress {
            note!("Position {number}/{total}: {nodes}");
        }
        true
    })?;
    if let Some(report) = report {
        writeln!(stdout(), "{report}")?;
        history.add(report.nodes, report.elapsed)?;
    }
    Ok(())
}
