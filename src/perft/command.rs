//! `mola perft`.

use super::{divide, speed, suite};
use crate::history::HistoryArgs;
use clap::ArgGroup;
use common::arguments::{either_mode, fen, rules};
use common::error::Result;
use engine_core::{AnyPosition, CastlingMode, Variant};
use std::io::{Write, stdout};
use std::path::PathBuf;
use std::time::Instant;

/// Count the leaf nodes of the tree of legal moves.
#[derive(clap::Args, Debug)]
#[command(group = ArgGroup::new("work").required(true).args(["depth", "suite"]))]
#[command(after_help = "Examples:
  mola perft 6                          the start position, depth 6
  mola perft 5 --divide --fen 'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -'
  mola perft 4 --variant crazyhouse --divide
  mola perft 6 --history perft.jsonl    compares with earlier runs; also --plot FILE.svg
  mola perft --suite tricky.perft --max-nodes 10000000")]
pub(crate) struct Args {
    /// Depth in plies; required without --suite
    depth: Option<u32>,
    /// The position [default: the start position]
    #[arg(long)]
    fen: Option<String>,
    /// The variant of chess
    #[arg(long, value_name = "NAME", default_value = "chess", value_parser = rules)]
    variant: (Variant, CastlingMode),
    /// Show the count of each move
    #[arg(long)]
    divide: bool,
    /// Write castling as the king capturing its rook
    #[arg(long)]
    chess960: bool,
    /// Check the counts in a file: lines `epd FEN`, then `perft DEPTH NODES`; or `FEN ;D1 NODES ;D2 NODES`.
    /// `-` is standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fen", "divide", "history"])]
    #[cfg_attr(feature = "plot", arg(conflicts_with = "plot"))]
    suite: Option<PathBuf>,
    /// Skip lines of the suite with more nodes than this
    #[arg(long, value_name = "N", requires = "suite", conflicts_with = "depth", default_value_t = u64::MAX, hide_default_value = true)]
    max_nodes: u64,
    #[command(flatten)]
    history: HistoryArgs,
}

/// Runs the subcommand.
///
/// # Errors
/// When the position or the suite cannot be read, or a count of the suite is wrong.
pub(crate) fn run(args: &Args) -> Result {
    let (variant, mode) = args.variant;
    let mode = either_mode(mode, args.chess960);
    if let Some(path) = &args.suite {
        return suite::run(path, (variant, mode), args.max_nodes);
    }
    let position = match &args.fen {
        Some(text) => AnyPosition::from_fen(variant, fen(text, variant), mode)?,
        None => AnyPosition::start(variant).with_mode(mode),
    };
    let history = args.history.open(args.description())?;
    let mut failed = Ok(());
    let start = Instant::now();
    let total = divide(&position, args.depth.unwrap_or(0), &mut |progress| {
        if let Some((m, nodes)) = progress.filter(|_| args.divide) {
            failed = writeln!(stdout(), "{}: {nodes}", position.to_uci(m));
        }
        failed.is_ok()
    });
    let elapsed = start.elapsed();
    failed?;
    let total = total.unwrap_or(0);
    writeln!(stdout(), "{total} nodes in {}", speed(total, elapsed))?;
    history.add(total, elapsed)
}

impl Args {
    /// `perft 6`, with variant and position if not the default.
    fn description(&self) -> String {
        let depth = self.depth.unwrap_or(0);
        let variant = match self.variant.0 {
            Variant::Standard => String::new(),
            variant => format!(", {variant}"),
        };
        let fen = self.fen.as_ref().map(|fen| format!(", {fen}"));
        format!("perft {depth}{variant}{}", fen.unwrap_or_default())
    }
}
