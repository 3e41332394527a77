//! `mola book dump`: the entries of a book as text, or its lines.

use super::open::open;
use book::{Book, BookLine};
use common::error::Result;
use common::side::Side;
use engine_core::{AnyPosition, Color, Position, Rules, Variant, dispatch};
use serde_json::json;
use std::fmt::Write as _;
use std::io::{BufWriter, Write, stdout};
use std::path::PathBuf;

/// Write the entries of a book as text, or the book lines of one side.
///
/// Each entry is one line with its key in hexadecimal, move, weight and learn value, separated by
/// tabs. Castling is written as the king capturing its rook (e1h1). The text of a header is left out.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  mola book dump book.bin > entries.txt
  mola book dump book.bin --lines white                the book lines for White
  mola book dump atomic.bin --lines black --variant atomic")]
pub(super) struct Args {
    /// The book; `-` is standard input
    book: PathBuf,
    /// Write the book lines of this side from the start position
    #[arg(long, value_name = "SIDE")]
    lines: Option<Side>,
    /// The rules of the game
    #[arg(long, default_value = "chess", requires = "lines")]
    variant: Variant,
    /// Write JSON lines
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> Result {
    let book = open(&args.book)?;
    let mut out = BufWriter::new(stdout().lock());
    match args.lines {
        Some(side) => {
            let start = AnyPosition::start(args.variant);
            dispatch!(&start, |start| {
                lines(&book, start, side.into(), args.json, &mut out)?;
            });
        }
        None => entries(&book, args.json, &mut out)?,
    }
    out.flush()?;
    Ok(())
}

fn entries(book: &Book, json: bool, out: &mut impl Write) -> std::io::Result<()> {
    for entry in book.iter().filter(|entry| !entry.is_header()) {
        let (key, m) = (format!("{:016x}", entry.key), entry.raw.to_string());
        let (weight, learn) = (entry.weight, entry.learn);
        if json {
            let object = json!({ "key": key, "move": m, "weight": weight, "learn": learn });
            writeln!(out, "{object}")?;
        } else {
            writeln!(out, "{key}\t{m}\t{weight}\t{learn}")?;
        }
    }
    Ok(())
}

fn lines<R: Rules>(
    book: &Book,
    start: &Position<R>,
    side: Color,
    json: bool,
    out: &mut impl Write,
) -> std::io::Result<()> {
    let mut written = Ok(());
    let mut number = 0;
    book::lines(book, start, side, |line| {
        number += 1;
        let text = if json {
            as_json(line, start)
        } else {
            format!("{number}: {}", as_text(line, start))
        };
        written = writeln!(out, "{text}");
        written.is_ok()
    });
    written
}

/// `1. e4{51%} e5 2. Nf3{100%}`, and at the end the number of the line that continues this one, or
/// that a position is repeated.
fn as_text<R: Rules>(line: &BookLine, start: &Position<R>) -> String {
    let mut position = *start;
    let mut text = String::new();
    for step in &line.moves {
        // Writing to a string cannot fail.
        if position.turn().is_white() {
            let _ = write!(text, "{}. ", position.fullmoves());
        }
        let _ = write!(text, "{}", position.to_san(step.m));
        if let Some(percent) = step.percent {
            let _ = write!(text, "{{{percent}%}}");
        }
        text.push(' ');
        position.play(step.m);
    }
    if let Some(joins) = line.joins {
        let _ = write!(text, "{{see line {joins}}}");
    }
    if line.repeats {
        text.push_str("{repetition}");
    }
    text.trim_end().to_owned()
}

/// The moves, their probabilities (null for the opponent's), the line that continues, and whether a
/// position is repeated.
fn as_json<R: Rules>(line: &BookLine, start: &Position<R>) -> String {
    let mut position = *start;
    let mut moves = Vec::new();
    for step in &line.moves {
        moves.push(position.to_uci(step.m).to_string());
        position.play(step.m);
    }
    let percents: Vec<_> = line.moves.iter().map(|step| step.percent).collect();
    let (joins, repeats) = (line.joins, line.repeats);
    json!({ "moves": moves, "percent": percents, "joins": joins, "repeats": repeats }).to_string()
}
