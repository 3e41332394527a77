//! `mola position`: everything about one position.

mod claims;
mod facts;
mod replay;
mod show;

use claims::Claims;
use common::batch::{self, Rules};
use common::error::Result;
use engine_core::Variant;
use facts::Facts;
use replay::Replay;
use serde::{Deserialize, Serialize};
use std::io::{Write, stdout};

/// Show everything about a position: legal moves, attacks, pins, ends, claims, FENs.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  mola position                                          the start position
  mola position '8/8/8/8/8/5k2/6q1/7K w - - 0 1'         checkmate
  mola position startpos e2e4 e7e5 g1f3                  after these moves
  mola position --json '4k3/8/8/8/8/8/8/R3K3 w Q -'      the same as data

With --batch each line of standard input is a JSON record with `fen`, or `start_fen` and `line`
(moves in UCI notation), and if need be `variant` and `chess960`; each line of output has all the
facts. A record with `start` for `start_fen` asks for the claims alone.")]
pub struct Args {
    /// The position; `startpos`, or nothing, is the start position
    fen: Option<String>,
    /// Moves from there, in UCI notation
    moves: Vec<String>,
    /// The rules
    #[arg(long, value_name = "NAME", default_value = "chess")]
    variant: String,
    /// Castling as in Chess960, written as the king taking its rook
    #[arg(long)]
    chess960: bool,
    /// Write the facts as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    look: show::Look,
    /// Answer a JSON record on each line of standard input
    #[arg(long, conflicts_with_all = ["fen", "moves", "json", "variant", "chess960"])]
    batch: bool,
}

/// A record of `--batch`.
#[derive(Deserialize)]
struct Query {
    #[serde(flatten)]
    rules: Rules,
    fen: Option<String>,
    start_fen: Option<String>,
    start: Option<String>,
    #[serde(default)]
    line: Vec<String>,
    game: Option<serde_json::Value>,
}

/// The answer to it: the question, then the facts.
#[derive(Serialize)]
#[serde(untagged)]
enum Answer {
    Facts {
        variant: String,
        start_fen: String,
        line: Vec<String>,
        #[serde(flatten)]
        facts: Box<Facts>,
    },
    Claims {
        #[serde(skip_serializing_if = "Option::is_none")]
        game: Option<serde_json::Value>,
        ply: usize,
        start: String,
        line: Vec<String>,
        #[serde(flatten)]
        claims: Claims,
    },
}

/// Runs the subcommand.
///
/// # Errors
/// When the position or a move cannot be read.
pub fn run(args: &Args) -> Result {
    if args.batch {
        return batch::run(answer);
    }
    let rules = Rules {
        variant: Some(args.variant.clone()),
        chess960: args.chess960,
    };
    let fen = match args.fen.as_deref() {
        None | Some("startpos") => args
            .variant
            .parse::<Variant>()
            .unwrap_or_default()
            .start_fen(),
        Some(fen) => fen,
    };
    let replay = Replay::new(&rules, fen, &args.moves)?;
    let facts = Facts::of(&replay);
    if args.json {
        let text = serde_json::to_string(&facts).map_err(std::io::Error::from)?;
        writeln!(stdout(), "{text}")?;
    } else {
        write!(stdout(), "{}", show::page(&replay, &facts, &args.look))?;
    }
    Ok(())
}

fn answer(query: Query) -> std::result::Result<Answer, String> {
    if let Some(start) = query.start {
        let replay = Replay::new(&query.rules, &start, &query.line)?;
        return Ok(Answer::Claims {
            game: query.game,
            ply: query.line.len(),
            start,
            line: query.line,
            claims: Claims::of(&replay),
        });
    }
    // With a line, `fen` is where it leads; alone it is the position itself.
    let start_fen = query.start_fen.or(query.fen);
    let start_fen = start_fen.ok_or("the record has neither `fen` nor `start_fen`")?;
    let replay = Replay::new(&query.rules, &start_fen, &query.line)?;
    let variant = query.rules.variant.unwrap_or_else(|| "standard".to_owned());
    Ok(Answer::Facts {
        variant,
        start_fen,
        line: query.line,
        facts: Box::new(Facts::of(&replay)),
    })
}
