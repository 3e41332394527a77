//! `mola tables probe`: the values of positions in tables.

use super::paths::Paths;
use super::values::{Answer, MoveValues, Values, answer, values};
use common::arguments;
use common::error::{Error, Result};
use common::error_text::of_json;
use common::input::{Line, read_line};
use engine_core::notation::ReadPositionError;
use engine_core::{AnyPosition, CastlingMode, Variant};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::io::{BufReader, BufWriter, Write, stdin, stdout};
use tablebases::{Tables, Wdl};

/// Show the table values of a position and of each move: win, draw or loss, and distances.
///
/// WDL is 2 for a win, 1 for a win that the fifty-move rule prevents, 0 for a draw, and negative
/// for losses, for the side to move. DTZ is the number of plies to the next capture or pawn move;
/// DTM is the number of plies to mate.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  mola tables probe '8/2K5/4B3/3N4/8/8/4k3/8 b - - 0 1' --path /tables/syzygy
  mola tables probe --json '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1' --path '/tables/3-4-5;/tables/6'
  mola tables probe --batch --path /tables < positions.jsonl

With --batch every input line is an object such as {\"fen\":\"…\",\"variant\":\"chess\"}. It is
written back with \"wdl\", \"dtz\" and \"dtm\" added, which are null if no table has the position,
and with \"error\" if the position is invalid.")]
pub(super) struct Args {
    /// The position
    #[arg(required_unless_present = "batch", conflicts_with = "batch")]
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
    let Some(fen) = &args.fen else {
        return batch(&tables, args.variant);
    };
    let position = position(fen, args.variant)?;
    let answer = answer(&tables, &position);
    let is_unknown = answer.values.is_empty() && answer.fault.is_some();
    if is_unknown && !args.json && args.paths.is_none() {
        return Err(Error::Message(format!(
            "{}; --path names the folders of your tables",
            answer
                .fault
                .map_or(String::new(), |fault| fault.to_string())
        )));
    }
    if args.json {
        let line = serde_json::to_string(&Report::of(&position, answer));
        let line = line.map_err(|error| error.to_string())?;
        writeln!(stdout(), "{line}")?;
        return Ok(());
    }
    print(&answer)
}

fn position(fen: &str, variant: Variant) -> std::result::Result<AnyPosition, ReadPositionError> {
    AnyPosition::from_fen(
        variant,
        arguments::fen(fen, variant),
        CastlingMode::Standard,
    )
}

#[derive(Serialize)]
struct Report {
    fen: String,
    variant: &'static str,
    #[serde(flatten)]
    values: Values,
    moves: Vec<MoveValues>,
    #[serde(skip_serializing_if = "Option::is_none")]
    missing: Option<String>,
}

impl Report {
    fn of(position: &AnyPosition, answer: Answer) -> Report {
        Report {
            fen: position.fen(),
            variant: position.variant().uci(),
            values: answer.values,
            moves: answer.moves,
            missing: answer.fault.map(|fault| fault.to_string()),
        }
    }
}

/// Writes values and moves as text.
fn print(answer: &Answer) -> Result {
    if answer.values.is_empty() {
        let why = answer.fault.as_ref().map(ToString::to_string);
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
    if let Some(fault) = &answer.fault {
        writeln!(out, "{fault}")?;
    }
    for MoveValues { san, values, .. } in &answer.moves {
        let (dtz, dtm) = (number("DTZ", values.dtz), number("DTM", values.dtm));
        writeln!(out, "{san:8} {:12}{dtz}{dtm}", name(values.wdl))?;
    }
    out.flush()?;
    Ok(())
}

/// A line of the input; its other fields are copied to the output.
#[derive(Deserialize)]
struct Query {
    fen: String,
    #[serde(default)]
    variant: Option<String>,
}

/// Answers every line of the input with one of the output.
fn batch(tables: &Tables, variant: Variant) -> Result {
    let mut input = BufReader::new(stdin());
    let mut out = BufWriter::new(stdout().lock());
    while let Some(line) = read_line(&mut input)? {
        // One answer per line.
        if line.text.trim().is_empty() {
            out.write_all(b"\n")?;
            continue;
        }
        let answer = answer_line(tables, variant, &line);
        serde_json::to_writer(&mut out, &answer).map_err(|error| Error::Io(error.into()))?;
        out.write_all(b"\n")?;
        // The client may wait for this answer before it sends the next line.
        if input.buffer().is_empty() {
            out.flush()?;
        }
    }
    out.flush()?;
    Ok(())
}

fn answer_line(tables: &Tables, variant: Variant, line: &Line) -> Map<String, Value> {
    let mut object = Map::new();
    let answer = (|| {
        if line.cut {
            return Err("the line is too long".to_owned());
        }
        object = serde_json::from_str(&line.text).map_err(|error| of_json(&error))?;
        let query: Query = serde_json::from_value(Value::Object(object.clone()))
            .map_err(|error| of_json(&error))?;
        let variant = match query.variant {
            Some(name) => name.parse().map_err(|error| format!("{error}"))?,
            None => variant,
        };
        position(&query.fen, variant).map_err(|error| error.to_string())
    })();
    let values = match answer {
        Ok(position) => values(tables, &position).0,
        Err(error) => {
            object.insert("error".into(), error.into());
            Values::default()
        }
    };
    object.insert("wdl".into(), values.wdl.into());
    object.insert("dtz".into(), values.dtz.into());
    object.insert("dtm".into(), values.dtm.into());
    object
}
