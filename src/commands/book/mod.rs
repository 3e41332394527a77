//! `mola book`: opening books in Polyglot's format.

mod dump;
mod info;
mod merge;
mod open;
mod probe;

use common::error::Result;

/// Read, make and merge Polyglot opening books.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  mola book probe book.bin                             the moves of the start position
  mola book probe book.bin --moves 'e2e4 c7c5' --json
  mola book info book.bin                              its contents and any errors
  mola book dump book.bin --lines white                the book lines for White
  mola book make games.pgn --out book.bin
  mola book merge club.bin mine.bin --out both.bin
Set the options OwnBook and BookFile to make the engine play from a book.")]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(clap::Subcommand, Debug)]
enum Action {
    Probe(probe::Args),
    Info(info::Args),
    Dump(dump::Args),
    #[cfg(feature = "pgn")]
    Make(pgn::opening_book::Args),
    Merge(merge::Args),
}

/// Runs the subcommand.
///
/// # Errors
/// When a file cannot be read or written, or a position cannot be read.
pub(crate) fn run(args: &Args) -> Result {
    match &args.action {
        Action::Probe(args) => probe::run(args),
        Action::Info(args) => info::run(args),
        Action::Dump(args) => dump::run(args),
        #[cfg(feature = "pgn")]
        Action::Make(args) => pgn::opening_book::run(args),
        Action::Merge(args) => merge::run(args),
    }
}
