//! `mola tables probe`: the values of positions in tables.

use super::paths::Paths;
use super::values::{MoveValues, TableValues, Values, answer, values};
use crate::commands::positions::answer_lines;
use clap::ArgGroup;
use common::arguments;
use common::error::{Error, Result};
use engine_core::notation::ReadPositionError;
use engine_core::{AnyPosition, CastlingMode, Variant};
use serde::Serialize;
use serde_json::{Map, Value};
use std::io::{BufWriter, Write, stdout};
use tablebases::syzygy::Family;
use tablebases::{ProbeError, Tables, Wdl};

/// Show the table values of a position and of each move: win, draw or loss, and distances.
///
/// WDL is 2 for a win, 1 for a win that the fifty-move rule prevents, 0 for a draw, and negative
/// for losses, for the side to move. DTZ is the number of plies to the next capture or pawn move;
/// DTM is the number of plies to mate. The tables hold positions in which the fifty-move counter
/// begins, so the position's own does not count.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  mola tables probe '8/2K5/4B3/3N4/8/8/4k3/8 b - - 0 1' --path /tables/syzygy
  mola tables probe --json '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1' --path '/tables/3-4-5;/tables/6'
  mola tables probe --batch --path /tables < positions.jsonl

With --batch every input line is an object such as {\"fen\":\"…\",\"variant\":\"chess\"}. It is
written back with \"wdl\", \"dtz\" and \"dtm\" added, which are null if no table has the position,
and with \"error\" if the position is invalid. At the end, such lines and damaged tables are reported,
with exit code 1.")]
#[command(group = ArgGroup::new("position").required(true).args(["fen", "batch"]))]
pub(super) struct Args {
    /// The position; `startpos` is the start position
    fen: Option<String>,
    #[command(flatten)]
    paths: Paths,
    /// The rules
    #[arg(long, default_value = "chess")]
    variant: Variant,
    /// Write one line of JSON
    #[arg(long)]
    json: bool,
    /// Read positions from standard input, one JSON object per line
    #[arg(long, conflicts_with = "json")]
    batch: bool,
}

pub(super) fn run(args: &Args) -> Result {
    let tables = args.paths.open()?;
    let damage = || {
        let fault = tables.broken()?;
        Some(format!("cannot use a table: {fault}"))
    };
    let Some(fen) = &args.fen else {
        let answered = answer_lines(args.variant, CastlingMode::Standard, |position, object| {
            add_values(&tables, position, object);
        });
        return match (answered, damage()) {
            (answered, None) => answered,
            (Ok(()), Some(damage)) => Err(Error::Message(damage)),
            (Err(error), Some(damage)) => Err(Error::Message(format!("{error}; {damage}"))),
        };
    };
    let position = position(fen, args.variant)?;
    let answer = answer(&tables, &position);
    let damage = damage();
    if let Some(fault) = &answer.fault
        && answer.values.is_empty()
        && !args.json
        && args.paths.is_none()
        && is_for_tables(fault, &position)
    {
        return Err(Error::Message(format!(
            "{fault}; --path names the folders of your tables"
        )));
    }
    if args.json {
        let line = serde_json::to_string(&ProbeReport::of(&position, answer, damage));
        let line = line.map_err(|error| error.to_string())?;
        writeln!(stdout(), "{line}")?;
        return Ok(());
    }
    print(&answer, damage)
}

/// Whether other tables may have what these lack.
fn is_for_tables(fault: &ProbeError, position: &AnyPosition) -> bool {
    let most = Family::of(position.variant()).map_or(0, Family::most_pieces);
    match fault {
        ProbeError::Missing(..) => true,
        ProbeError::NoTables(_) | ProbeError::TooManyPieces { .. } => {
            position.board().occupied().count() <= most
        }
        _ => false,
    }
}

fn position(fen: &str, variant: Variant) -> std::result::Result<AnyPosition, ReadPositionError> {
    AnyPosition::from_fen(
        variant,
        arguments::fen(fen, variant),
        CastlingMode::Standard,
    )
}

#[derive(Serialize)]
struct ProbeReport {
    fen: String,
    variant: &'static str,
    #[serde(flatten)]
    values: Values,
    moves: Vec<MoveValues>,
    #[serde(skip_serializing_if = "Option::is_none")]
    missing: Option<String>,
}

impl ProbeReport {
    fn of(position: &AnyPosition, answer: TableValues, damage: Option<String>) -> ProbeReport {
        ProbeReport {
            fen: position.fen(),
            variant: position.variant().uci(),
            values: answer.values,
            moves: answer.moves,
            missing: answer.fault.map(|fault| fault.to_string()).or(damage),
        }
    }
}

/// Writes values and moves as text, and why some are missing.
fn print(answer: &TableValues, damage: Option<String>) -> Result {
    let why = answer.fault.as_ref().map(ToString::to_string).or(damage);
    if answer.values.is_empty() && answer.moves.is_empty() {
        return Err(Error::Message(why.unwrap_or_default()));
    }
    let Values { wdl, dtz, dtm } = answer.values;
    let name = |wdl: Option<i8>| {
        wdl.and_then(|wdl| Wdl::from_number(wdl.into()))
            .map_or("", Wdl::name)
    };
    let number = |what: &str, number: Option<i32>| {
        number.map_or(String::new(), |number| format!("  {what} {number:4}"))
    };
    let mut out = BufWriter::new(stdout().lock());
    if let Some(wdl) = wdl {
        writeln!(out, "WDL {wdl:4}  {}", name(Some(wdl)))?;
    }
    for (what, value) in [("DTZ", dtz), ("DTM", dtm)] {
        if value.is_some() {
            writeln!(out, "{}", number(what, value).trim_start())?;
        }
    }
    if let Some(why) = why {
        writeln!(out, "{why}")?;
    }
    for MoveValues { san, values, .. } in &answer.moves {
        let (dtz, dtm) = (number("DTZ", values.dtz), number("DTM", values.dtm));
        writeln!(out, "{san:8} {:12}{dtz}{dtm}", name(values.wdl))?;
    }
    out.flush()?;
    Ok(())
}

/// Adds the values of a position to a line of `--batch`.
fn add_values(tables: &Tables, position: Option<&AnyPosition>, object: &mut Map<String, Value>) {
    let values = position.map_or_else(Values::default, |position| values(tables, position).0);
    object.insert("wdl".into(), values.wdl.into());
    object.insert("dtz".into(), values.dtz.into());
    object.insert("dtm".into(), values.dtm.into());
}
