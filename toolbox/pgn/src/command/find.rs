//! `mola pgn find`: games with a position.

use super::filter::copy;
use super::pipeline::GameRecord;
use super::selection::Selection;
use crate::query::{MaterialPattern, PositionTest};
use crate::{Dialect, QUERY_HELP, Query};
use common::arguments::fen;
use common::control_characters::without_control_characters;
use common::error::{Error, Result};
use engine_core::Variant;
use std::io::Write;

/// Write the games that reach a position or a material balance, or match a query, unchanged.
///
/// Variations are searched, too, unless --main-line is given.
#[derive(clap::Args, Debug)]
#[command(after_help = examples())]
pub struct Args {
    #[command(flatten)]
    selection: Selection,
    /// The position, in any variant: pieces, side to move, castling rights, and en passant square
    /// where a capture is possible
    #[arg(long)]
    fen: Option<String>,
    /// Compare only the piece placement of the FEN
    #[arg(long, requires = "fen")]
    board: bool,
    /// The material of both sides, separated by v, for either colour
    #[arg(long, value_parser = material)]
    material: Option<MaterialPattern>,
    /// Search only main lines
    #[arg(long)]
    main_line: bool,
    /// List the matches instead of writing games: file and line, ply, players, result
    #[arg(long)]
    list: bool,
}

fn examples() -> String {
    format!(
        "{QUERY_HELP}

Examples:
  mola pgn find games.pgn --fen 'rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -'
  mola pgn find games.pgn --material KRPvKR --list
  mola pgn find games.pgn --where 'board \"*/*/*/*/???PP???/*/*/*\" mirrored in moves ..12' --list
  mola pgn find games.pgn --where 'played \"Bxh7+ Kxh7 Ng5+\" and winner ~ tal'"
    )
}

fn material(text: &str) -> std::result::Result<MaterialPattern, String> {
    MaterialPattern::read(text, None)
}

impl Args {
    /// What is looked for.
    fn goal(&self) -> Result<Query> {
        self.selection.input.refuse_unquoted(self.fen.as_deref())?;
        let mut goal = self.selection.query()?;
        let mut add = |test: PositionTest| {
            let query = Query::reaches(test);
            goal = Some(match goal.take() {
                Some(goal) => goal.and(query),
                None => query,
            });
        };
        if let Some(text) = &self.fen {
            let fen = if self.board {
                let fen = fen(text, Variant::Standard);
                fen.split_whitespace().next().unwrap_or_default()
            } else {
                text
            };
            add(PositionTest::fen(fen).map_err(Error::Message)?);
        }
        if let Some(material) = &self.material {
            add(PositionTest::Material(material.clone()));
        }
        let nothing = "nothing to search for: give --where, --queries, --fen or --material";
        goal.ok_or_else(|| Error::Usage(nothing.into()))
    }
}

pub(super) fn run(args: &Args, dialect: Option<&dyn Dialect>) -> Result {
    let goal = args.goal()?;
    let keys = goal.needed_keys();
    let find = |record: &GameRecord<'_>| goal.find(record.tree, !args.main_line);
    let Selection { input, target, .. } = &args.selection;
    if !args.list {
        let pick = |record: GameRecord<'_>| find(&record).map(|_| record.raw.to_vec());
        let kept = copy((input, keys), dialect, target, pick, |_| true)?;
        kept.report(input);
        return Ok(());
    }
    let mut out = target.open(input)?;
    let tell = |record: GameRecord<'_>| {
        let ply = find(&record)?;
        let tag =
            |name| without_control_characters(&record.tree.headers.get(name).unwrap_or("?".into()));
        let (name, line) = (record.name, record.line);
        let (white, black) = (tag("White"), tag("Black"));
        let result = record.tree.known_result();
        Some(format!(
            "{name}:{line}\tply {ply}\t{white} - {black}\t{result}"
        ))
    };
    input.each_candidate(dialect, keys, tell, |line| {
        if let Some(line) = line {
            writeln!(out, "{line}")?;
        }
        Ok(true)
    })?;
    out.finish()
}
