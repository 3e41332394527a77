//! `mola book merge`: merges books.

use super::open::open;
use common::count::count;
use common::error::Result;
use common::files::{Force, Sink, refuse_stdin_twice};
use std::io::Write;
use std::path::PathBuf;

/// Merge several books.
///
/// Weights of a move that is in several books are added, and scaled down where the sum does not
/// fit. The learn value is that of the first book that has the move.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example:
  mola book merge club.bin mine.bin --out both.bin")]
pub(super) struct Args {
    /// The books; `-` is standard input
    #[arg(required = true, num_args = 2.., value_name = "BOOK")]
    books: Vec<PathBuf>,
    /// The file to write; must not be one of the books; - is standard output
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    force: Force,
}

pub(super) fn run(args: &Args) -> Result {
    refuse_stdin_twice(&args.books)?;
    let mut out = Sink::open(Some(&args.out), args.force.replace(), &args.books)?;
    out.refuse_terminal("a book")?;
    let books = args.books.iter().map(|path| open(path));
    let books = books.collect::<Result<Vec<_>>>()?;
    let entries = book::merge(books.iter().map(book::Book::iter));
    for entry in &entries {
        out.write_all(&entry.to_bytes())?;
    }
    let read: usize = books.iter().map(book::Book::len).sum();
    let (name, written) = (args.out.display(), count(entries.len(), "entry"));
    out.finish_with(&format!("{name}: {written} of {read}"))
}
