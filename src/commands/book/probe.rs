//! `mola book probe`: the book moves of a position.

use super::open::open;
use crate::commands::positions::answer_lines;
use book::{Book, BookMove};
use common::arguments::{either_mode, fen, rules};
use common::error::{Error, Result};
use common::files::{READ_ONCE, is_dash};
use common::random;
use engine_core::{AnyPosition, CastlingMode, Variant};
use serde_json::{Map, Value, json};
use std::io::{Write, stdout};
use std::path::PathBuf;

/// Show the book moves of a position, each with its weight and its share of the total weight.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  mola book probe book.bin                             the moves of the start position
  mola book probe book.bin --moves 'e2e4 c7c5' --json
  mola book probe book.bin --random                    one move, as the engine chooses it")]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag on the command line"
)]
pub(super) struct Args {
    /// The book; `-` is standard input
    book: PathBuf,
    /// The position [default: the start position]
    #[arg(value_name = "FEN")]
    fen: Vec<String>,
    /// Moves to play first, in UCI notation or SAN
    #[arg(long, value_name = "MOVES", default_value = "")]
    moves: String,
    /// The rules of the game
    #[arg(long, value_name = "VARIANT", default_value = "chess", value_parser = rules)]
    variant: (Variant, CastlingMode),
    /// Write castling as the king capturing its rook
    #[arg(long)]
    chess960: bool,
    /// Choose one move at random, in proportion to the weights
    #[arg(long, conflicts_with = "batch")]
    random: bool,
    /// Write one JSON object
    #[arg(long)]
    json: bool,
    /// Read JSON lines {"fen", "variant"} and write each with its "key" and "moves", or an "error";
    /// the exit code is 1 if a line has one
    #[arg(long, conflicts_with_all = ["fen", "moves", "json"])]
    batch: bool,
}

pub(super) fn run(args: &Args) -> Result {
    if args.batch && is_dash(&args.book) {
        return Err(Error::Usage(READ_ONCE.to_owned()));
    }
    let book = open(&args.book)?;
    let (variant, mode) = args.variant;
    let mode = either_mode(mode, args.chess960);
    if args.batch {
        return answer_lines(variant, mode, |position, object| {
            add_moves(&book, position, object);
        });
    }
    let mut position = match args.fen.join(" ").as_str() {
        "" => AnyPosition::start(variant).with_mode(mode),
        text => AnyPosition::from_fen(variant, fen(text, variant), mode)?,
    };
    play(&mut position, &args.moves)?;
    let mut out = stdout().lock();
    let random = args.random.then(random::seed);
    if args.json {
        let object = Value::Object(answer(&book, &position, random));
        writeln!(out, "{object}")?;
        return Ok(());
    }
    if random.is_none() {
        writeln!(out, "key {:016x}", position.polyglot_key())?;
    }
    let moves: Vec<BookMove> = book.entries(&position).collect();
    let shown = chosen(&book, &position, random);
    for found in &shown {
        let learn = match found.entry.learn {
            0 => String::new(),
            learn => format!("  learn {learn}"),
        };
        writeln!(
            out,
            "{:<6} {:<7} {:>5} {:>6.1} %{learn}",
            position.to_uci(found.m),
            position.to_san(found.m),
            found.entry.weight,
            percent(found, &moves),
        )?;
    }
    if moves.is_empty() {
        writeln!(out, "not in the book")?;
    } else if shown.is_empty() {
        writeln!(out, "no move with a weight above 0")?;
    }
    Ok(())
}

/// Plays the moves of a line.
fn play(position: &mut AnyPosition, line: &str) -> Result {
    for word in line.split_whitespace() {
        let m = position
            .parse_uci(word)
            .or_else(|_| position.parse_san(word));
        let m = m.map_err(|error| Error::Message(format!("move {word}: {error}")))?;
        position.play(m);
    }
    Ok(())
}

/// The share of a move in percent.
fn percent(found: &BookMove, moves: &[BookMove]) -> f64 {
    let weight = |found: &BookMove| f64::from(found.entry.weight);
    let total: f64 = moves.iter().map(weight).sum();
    100.0 * weight(found) / total.max(1.0)
}

/// The book moves of a position: all of them, or one chosen at random.
fn chosen(book: &Book, position: &AnyPosition, random: Option<u64>) -> Vec<BookMove> {
    match random {
        None => book.entries(position).collect(),
        Some(random) => book.weighted_choice(position, random).into_iter().collect(),
    }
}

/// The key and the moves of a position, as `--json` writes them.
fn answer(book: &Book, position: &AnyPosition, random: Option<u64>) -> Map<String, Value> {
    let moves: Vec<BookMove> = book.entries(position).collect();
    let moves: Vec<Value> = chosen(book, position, random)
        .iter()
        .map(|found| {
            json!({
                "uci": position.to_uci(found.m).to_string(),
                "san": position.to_san(found.m).to_string(),
                "weight": found.entry.weight,
                "percent": percent(found, &moves),
                "learn": found.entry.learn,
            })
        })
        .collect();
    Map::from_iter([
        (
            "key".to_owned(),
            json!(format!("{:016x}", position.polyglot_key())),
        ),
        ("moves".to_owned(), Value::Array(moves)),
    ])
}

/// Adds the key and the moves of a position to a line of `--batch`.
fn add_moves(book: &Book, position: Option<&AnyPosition>, object: &mut Map<String, Value>) {
    match position {
        Some(position) => object.extend(answer(book, position, None)),
        // What the line itself has under these names is no answer.
        None => object.retain(|name, _| !["key", "moves"].contains(&name.as_str())),
    }
}
