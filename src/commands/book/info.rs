//! `mola book info`: the contents of a book, and its faults.

use super::open::open_any;
use common::error::{Error, Result};
use common::files;
use engine_core::{AnyPosition, Color, Variant, dispatch};
use serde_json::json;
use std::io::{Write, stdout};
use std::path::PathBuf;

/// Show the contents of a book and any errors in it.
///
/// A line contains the book moves of one side against all replies of the other, from the start
/// position. Isolated positions are on no line. For a damaged book the command fails with an error
/// that lists its faults.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example:
  mola book info book.bin")]
pub(super) struct Args {
    /// The book; `-` is standard input
    book: PathBuf,
    /// The rules of the game, for the lines
    #[arg(long, default_value = "chess")]
    variant: Variant,
    /// Write one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> Result {
    let book = open_any(&args.book)?;
    let start = AnyPosition::start(args.variant);
    let survey = dispatch!(&start, |start| book::survey(&book, start));
    let mut out = stdout().lock();
    if args.json {
        let object = json!({
            "entries": survey.entries,
            "positions": survey.positions,
            "deleted": survey.deleted,
            "learned": survey.learned,
            "heaviest": survey.heaviest,
            "lines": survey.lines.0,
            "on_lines": survey.on_lines.0,
            "isolated": survey.isolated,
            "faults": survey.faults,
        });
        writeln!(out, "{object}")?;
    } else {
        for (name, number) in [
            ("Entries", survey.entries),
            ("Positions", survey.positions),
            ("Greatest weight", usize::from(survey.heaviest)),
            ("Entries of weight 0", survey.deleted),
            ("Entries with learning", survey.learned),
            ("Lines for White", survey.lines[Color::White]),
            ("Lines for Black", survey.lines[Color::Black]),
            (
                "Positions on lines for White",
                survey.on_lines[Color::White],
            ),
            (
                "Positions on lines for Black",
                survey.on_lines[Color::Black],
            ),
            ("Isolated positions", survey.isolated),
        ] {
            writeln!(out, "{name:<28} : {number:>9}")?;
        }
    }
    match survey.faults.as_slice() {
        [] => Ok(()),
        faults => Err(Error::Message(format!(
            "{}: {}",
            files::input_name(&args.book),
            faults.join("; ")
        ))),
    }
}
