//! `mola position`: everything about one position.

mod evaluation;
mod inspection;
mod replay;
mod show;

pub use inspection::{Inspection, NameOf};
pub use replay::Replay;

use common::arguments::{fen, refuse_unquoted};
use common::batch::VariantChoice;
use common::error::Result;
use common::json;
use engine_core::Termination;
use std::io::{Write, stdout};

/// The end of its help.
pub const EXAMPLES: &str = "Examples:
  mola position                                          the start position
  mola position '8/8/8/8/8/5k2/6q1/7K w - - 0 1'         checkmate
  mola position startpos e4 e5 g1f3                      after these moves
  mola position --json '4k3/8/8/8/8/8/8/R3K3 w Q -'      the same as JSON
  mola position startpos e2e4 --eval                     with the evaluation explained";

/// Show everything about a position: legal moves, attacks, pins, game end, draw claims, FENs.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The position; `startpos`, or none, is the start position
    fen: Option<String>,
    /// Moves from there, in any notation
    moves: Vec<String>,
    #[command(flatten)]
    rules: VariantChoice,
    /// Write the data as JSON
    #[arg(long, conflicts_with_all = ["ascii", "invert", "borders", "flip", "attacks"])]
    json: bool,
    /// Explain the evaluation: its terms and the contribution of each piece
    #[arg(long)]
    eval: bool,
    #[command(flatten)]
    style: show::BoardStyle,
}

/// Runs the subcommand.
///
/// # Errors
/// When the position or a move cannot be read.
pub fn run(args: &Args) -> Result {
    run_with(args, Termination::name)
}

/// Runs it with these names in the data for how games end.
///
/// # Errors
/// When the position or a move cannot be read.
pub fn run_with(args: &Args, name: NameOf) -> Result {
    refuse_unquoted(args.fen.as_deref(), &args.moves)?;
    let (variant, _) = args.rules.resolve()?;
    let fen = fen(args.fen.as_deref().unwrap_or("startpos"), variant);
    let replay = Replay::typed(&args.rules, fen, &args.moves)?;
    let name = if args.json { name } else { Termination::name };
    let mut inspection = Inspection::of(&replay, name);
    if args.eval {
        inspection = inspection.with_evaluation(&replay);
    }
    if args.json {
        return json::write_line(&mut stdout(), &inspection);
    }
    let page = show::page(&replay, &inspection, &args.style);
    Ok(write!(stdout(), "{page}")?)
}
