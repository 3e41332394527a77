//! `mola pgn`: game collections.

mod convert;
mod date;
mod dedupe;
mod filter;
mod find;
mod headers;
pub mod input;
mod output;
pub mod pipeline;
mod split;
mod stats;
mod units;
mod validate;

pub use headers::Skimmer;

use crate::Dialect;
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
}

/// Runs the subcommand, with another program's way to read and write games if there is a dialect.
///
/// # Errors
/// When a file cannot be read or written, and as the subcommand says.
pub fn run(command: &Command, dialect: Option<&dyn Dialect>) -> Result {
    match command {
        Command::Stats(args) => stats::run(args, dialect),
        Command::Validate(args) => validate::run(args, dialect),
        Command::Headers(args) => headers::run(args, dialect),
        Command::Convert(args) => convert::run(args, dialect),
        Command::Filter(args) => filter::run(args, dialect),
        Command::Find(args) => find::run(args, dialect),
        Command::Split(args) => split::run(args, dialect),
        Command::Merge(args) => filter::merge(args, dialect),
        Command::Dedupe(args) => dedupe::run(args, dialect),
    }
}
