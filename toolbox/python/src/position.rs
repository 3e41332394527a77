//! `mola position` with python-chess's names, and its `--batch`.

use crate::claims::Claims;
use crate::names;
use crate::pockets::refuse_dash;
use common::arguments::useless_with;
use common::batch::{self, VariantChoice};
use common::error::Result;
use notation::position::{self, EXAMPLES, Inspection, Replay};
use serde::{Deserialize, Serialize};

const BATCH: &str = "\
With --batch each line of standard input is a JSON record with `fen`, or `start_fen` and `line`
(moves in UCI notation), and optionally `variant` and `chess960`. Each line of output has all the
data, and with `eval` true the evaluation. With `start` instead of `start_fen`, only game ends and
claims are written.";

/// Show everything about a position: legal moves, attacks, pins, game end, draw claims, FENs.
#[derive(clap::Args, Debug)]
#[group(skip)]
#[command(
    after_help = format!("{EXAMPLES}\n\n{BATCH}"),
    mut_args(useless_with("batch", &[])),
)]
pub struct Args {
    #[command(flatten)]
    plain: position::Args,
    /// Answer a JSON record on each line of standard input
    #[arg(long)]
    batch: bool,
}

/// Runs the subcommand.
///
/// # Errors
/// When the position or a move cannot be read.
pub fn run(args: &Args) -> Result {
    if args.batch {
        return batch::run(answer);
    }
    position::run_with(&args.plain, names::termination)
}

/// A record of `--batch`.
#[derive(Deserialize)]
struct PositionQuery {
    #[serde(flatten)]
    rules: VariantChoice,
    fen: Option<String>,
    start_fen: Option<String>,
    start: Option<String>,
    #[serde(default)]
    line: Vec<String>,
    #[serde(default)]
    eval: bool,
    game: Option<serde_json::Value>,
}

/// The answer to it: the question, then the facts.
#[derive(Serialize)]
#[serde(untagged)]
enum PositionAnswer {
    Inspection {
        variant: String,
        start_fen: String,
        line: Vec<String>,
        #[serde(flatten)]
        inspection: Box<Inspection>,
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

fn answer(query: PositionQuery) -> std::result::Result<PositionAnswer, String> {
    let (variant, _) = query.rules.resolve()?;
    if let Some(start) = query.start {
        refuse_dash(&start, variant)?;
        let replay = Replay::new(&query.rules, &start, &query.line)?;
        return Ok(PositionAnswer::Claims {
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
    refuse_dash(&start_fen, variant)?;
    let replay = Replay::new(&query.rules, &start_fen, &query.line)?;
    let variant = query.rules.name();
    let mut inspection = Inspection::of(&replay, names::termination);
    if query.eval {
        inspection = inspection.with_evaluation(&replay);
    }
    Ok(PositionAnswer::Inspection {
        variant,
        start_fen,
        line: query.line,
        inspection: Box::new(inspection),
    })
}
