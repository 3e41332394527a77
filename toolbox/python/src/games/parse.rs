//! `mola pgn parse`: games as JSON with all that is in them.

use super::parsed_game::{ParsedGame, pairs};
use super::{DialectChoice, Program, Reader};
use common::batch;
use common::error::{Error, Result};
use pgn::command::{Skimmer, unpack};
use pgn::{Builder, LineIndex, Parsed, Parser, Replay};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};

/// Write games as JSON with all their contents.
///
/// One object has all games of the input, and the offset and tags of each.
#[derive(clap::Args, Debug)]
#[command(after_help = "Keys:
  games  a list: headers, errors, start_fen, variant, chess960, comment, mainline_uci, end_fen;
         tree: the moves, each with san, uci, nags, comment, starting_comment, eval_white,
         eval_depth, clk, emt, arrows, and in next those that follow; the game as text in export,
         and without its annotations in export_min
  skim   a list of offsets and headers; with --compat they count characters, not bytes

Example:
  printf '{\"pgn\":\"1. e4 *\"}\\n' | mola pgn parse --batch --compat python-chess")]
pub struct Args {
    /// The file, plain or .gz, .zst, .bz2; `-` or none is standard input
    #[arg(conflicts_with = "batch")]
    file: Option<PathBuf>,
    /// Read JSON lines with the key "pgn" and answer each with one line
    #[arg(long)]
    batch: bool,
}

#[derive(Deserialize)]
struct Question {
    pgn: String,
}

/// Runs the subcommand.
///
/// # Errors
/// When the input cannot be read.
pub fn run(args: &Args, choice: &DialectChoice) -> Result {
    if args.batch {
        return batch::run(|question: Question| parse(question.pgn.as_bytes(), choice));
    }
    let text = unpack::read_input(args.file.as_deref().unwrap_or(Path::new("-")))?;
    writeln!(stdout(), "{}", parse(&text, choice)?).map_err(Error::from)
}

fn parse(text: &[u8], choice: &DialectChoice) -> std::result::Result<Value, String> {
    let (games, skim) = match choice.compat {
        Some(Program::PythonChess) => parse_compat(text).map_err(|error| error.to_string())?,
        None => parse_own(text),
    };
    let mut map = Map::new();
    map.insert("games".into(), games.into());
    map.insert("skim".into(), skim.into());
    Ok(Value::Object(map))
}

fn parse_compat(text: &[u8]) -> std::io::Result<(Vec<Value>, Vec<Value>)> {
    let mut games = Vec::new();
    let mut reader = Reader::new(text);
    while let Some(game) = reader.read_game()? {
        let game = ParsedGame {
            tree: &game.tree,
            errors: game.errors.clone(),
            start_error: game.start_error.clone(),
            broken: game.broken.clone(),
            compat: Some(&game),
        };
        games.push(game.json());
    }
    let mut skim = Vec::new();
    let mut reader = Reader::new(text);
    loop {
        let offset = reader.offset();
        let Some(headers) = reader.read_headers()? else {
            return Ok((games, skim));
        };
        skim.push(vec![Value::from(offset), pairs(&headers)].into());
    }
}

fn parse_own(text: &[u8]) -> (Vec<Value>, Vec<Value>) {
    let mut games = Vec::new();
    let mut builder = Builder::new();
    let mut parser = Parser::new(text);
    let mut lines = LineIndex::new(text, 1);
    while parser.read_game(&mut Replay::new(&mut builder)) == Parsed::Game {
        let tree = builder.take();
        let errors = tree
            .problems
            .in_order()
            .into_iter()
            .map(|problem| format!("{}: {}", lines.location(problem.at), problem.kind));
        let game = ParsedGame {
            errors: errors.collect(),
            start_error: tree.start.is_none().then(|| "no start position".into()),
            broken: None,
            compat: None,
            tree: &tree,
        };
        games.push(game.json());
    }
    let mut skim = Vec::new();
    let mut skimmer = Skimmer::default();
    let mut parser = Parser::new(text);
    while parser.read_game(&mut skimmer) == Parsed::Game {
        skim.push(vec![Value::from(skimmer.at), pairs(&skimmer.headers)].into());
    }
    (games, skim)
}
