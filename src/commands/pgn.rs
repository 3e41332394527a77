//! `mola pgn`: game collections.

mod annotate;
mod convert;
mod dedupe;
mod filter;
mod find;
mod headers;
mod input;
mod output;
mod parse;
mod pipeline;
mod record;
mod split;
mod stats;
mod units;
mod validate;

use crate::error::Result;

/// Read, check, search and convert game collections.
///
/// Files may be of any size and packed as .gz, .zst or .bz2; without a file, or for -, it reads
/// the standard input. What is wrong with a game is repaired where it can be and reported with
/// file, line and column.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  mola pgn validate games.pgn
  mola pgn stats games.pgn.zst --threads 2
  mola pgn convert games.pgn --to jsonl > games.jsonl
  mola pgn filter games.pgn --player Carlsen --min-elo 2700 > carlsen.pgn
  mola pgn find games.pgn --material KRPvKR --list
  mola pgn annotate games.pgn --depth 12 -o annotated.pgn
  zcat games.pgn.gz | mola pgn headers --json")]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand, Debug)]
enum Command {
    Stats(stats::Args),
    Validate(validate::Args),
    Headers(headers::Args),
    Convert(convert::Args),
    Filter(filter::Args),
    Find(find::Args),
    Split(split::Args),
    Merge(filter::MergeArgs),
    Dedupe(dedupe::Args),
    Annotate(annotate::Args),
    Parse(parse::Args),
}

/// Runs the subcommand.
///
/// # Errors
/// When a file cannot be read or written, and as the subcommand says.
pub fn run(args: &Args) -> Result {
    match &args.command {
        Command::Stats(args) => stats::run(args),
        Command::Validate(args) => validate::run(args),
        Command::Headers(args) => headers::run(args),
        Command::Convert(args) => convert::run(args),
        Command::Filter(args) => filter::run(args),
        Command::Find(args) => find::run(args),
        Command::Split(args) => split::run(args),
        Command::Merge(args) => filter::merge(args),
        Command::Dedupe(args) => dedupe::run(args),
        Command::Annotate(args) => annotate::run(args),
        Command::Parse(args) => parse::run(args),
    }
}
