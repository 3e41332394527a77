//! `mola pgn`: game collections.

mod convert;
mod date;
mod dedupe;
mod filter;
mod find;
mod headers;
pub mod input;
mod output;
mod parse;
pub mod pipeline;
mod record;
mod split;
mod stats;
mod units;
mod validate;

use common::error::Result;

/// The subcommands of `mola pgn`.
#[derive(clap::Subcommand, Debug)]
#[allow(missing_docs, reason = "each is described by its arguments")]
pub enum Command {
    Stats(stats::Args),
    Validate(validate::Args),
    Headers(headers::Args),
    Convert(convert::Args),
    Filter(filter::Args),
    Find(find::Args),
    Split(split::Args),
    Merge(filter::MergeArgs),
    Dedupe(dedupe::Args),
    Parse(parse::Args),
}

/// Runs the subcommand.
///
/// # Errors
/// When a file cannot be read or written, and as the subcommand says.
pub fn run(command: &Command) -> Result {
    match command {
        Command::Stats(args) => stats::run(args),
        Command::Validate(args) => validate::run(args),
        Command::Headers(args) => headers::run(args),
        Command::Convert(args) => convert::run(args),
        Command::Filter(args) => filter::run(args),
        Command::Find(args) => find::run(args),
        Command::Split(args) => split::run(args),
        Command::Merge(args) => filter::merge(args),
        Command::Dedupe(args) => dedupe::run(args),
        Command::Parse(args) => parse::run(args),
    }
}
