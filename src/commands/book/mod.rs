//! `mola book`: opening books in Polyglot's format.

mod dump;
mod info;
mod merge;
mod probe;

use book::{Book, Entry};
use common::error::{Error, Result};
use common::files::named;
use std::path::Path;

/// Read, make and merge opening books in Polyglot's format.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  mola book probe book.bin                             what it plays first
  mola book probe book.bin --moves 'e2e4 c7c5' --json
  mola book info book.bin                              what is in it, and what is wrong with it
  mola book dump book.bin --lines white                the lines that White plays
  mola book make games.pgn --out book.bin
  mola book merge club.bin mine.bin --out both.bin
An engine plays from a book by the options OwnBook and BookFile.")]
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

/// Opens a book, which may be damaged: a survey of it says how.
fn open_any(path: &Path) -> Result<Book> {
    Ok(Book::open(path).map_err(|error| named(path, &error))?)
}

/// Opens a file that is a book.
fn open(path: &Path) -> Result<Book> {
    let book = open_any(path)?;
    let is_whole = book.bytes().len().is_multiple_of(Entry::SIZE);
    if is_whole && book.iter().is_sorted_by_key(|entry| entry.key) {
        return Ok(book);
    }
    let name = path.display();
    Err(Error::Message(format!(
        "{name} is no book in Polyglot's format, or a damaged one; `mola book make` makes books of \
         games"
    )))
}
