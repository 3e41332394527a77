//! `mola pgn openings`: which openings were played, and how they did.

use super::pipeline::GameRecord;
use super::selection::Selection;
use super::table::{self, TableFormat};
use crate::explorer::{GameSummary, ResultTally};
use crate::{Dialect, Opening, QUERY_HELP, Query};
use common::error::Result;
use engine_core::Color;
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::HashMap;

/// List openings, by the moves, with games, results, White's score and rating, and years.
#[derive(clap::Args, Debug)]
#[command(after_help = examples())]
pub struct Args {
    #[command(flatten)]
    selection: Selection,
    /// How to group openings into rows
    #[arg(long, value_enum, default_value_t)]
    by: GroupBy,
    /// Minimum number of games of an opening
    #[arg(long, value_name = "N", default_value_t = 1)]
    min_games: u64,
    /// Number of rows to show
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// The format
    #[arg(long, value_enum, default_value_t)]
    to: TableFormat,
}

#[derive(clap::ValueEnum, Debug, Clone, Copy, PartialEq, Eq, Default)]
enum GroupBy {
    /// The opening without the variation
    #[default]
    Opening,
    /// The full name
    Variation,
    /// The ECO code
    Eco,
}

fn examples() -> String {
    format!(
        "{QUERY_HELP}

Examples:
  mola pgn openings games.pgn --limit 20
  mola pgn openings games.pgn --by eco --where 'White ~ carlsen' --min-games 5
  mola pgn openings games.pgn --by variation --to csv -o openings.csv"
    )
}

const COLUMNS: [&str; 10] = [
    "opening",
    "games",
    "white",
    "draws",
    "black",
    "score",
    "average_rating",
    "performance",
    "first_year",
    "last_year",
];

#[derive(Serialize)]
struct OpeningRow {
    opening: &'static str,
    games: u64,
    white: u64,
    draws: u64,
    black: u64,
    score: Option<f64>,
    average_rating: Option<u64>,
    performance: Option<i64>,
    first_year: Option<u16>,
    last_year: Option<u16>,
}

impl OpeningRow {
    fn new(opening: &'static str, tally: &ResultTally) -> OpeningRow {
        OpeningRow {
            opening,
            games: tally.games,
            white: tally.white,
            draws: tally.draws,
            black: tally.black,
            score: tally.score(Color::White),
            average_rating: tally.average_rating(),
            performance: tally.performance(),
            first_year: tally.first_year,
            last_year: tally.last_year,
        }
    }
}

pub(super) fn run(args: &Args, dialect: Option<&dyn Dialect>) -> Result {
    let query = args.selection.query()?;
    let Selection { input, target, .. } = &args.selection;
    let mut out = target.open(input)?;
    let name = match args.by {
        GroupBy::Opening => Opening::family,
        GroupBy::Variation => Opening::name,
        GroupBy::Eco => Opening::eco,
    };
    let seen = |record: GameRecord<'_>| {
        let tree = &*record.tree;
        let is_wanted = query.as_ref().is_none_or(|query| query.matches(tree));
        is_wanted.then(|| {
            (
                Opening::of_tree(tree).map_or("no name", name),
                GameSummary::of(tree),
            )
        })
    };
    let mut tallies: HashMap<&'static str, ResultTally> = HashMap::new();
    let keys = query.as_ref().and_then(Query::needed_keys);
    input.each_candidate(dialect, keys, seen, |seen| {
        if let Some((opening, summary)) = seen {
            let tally = tallies.entry(opening).or_default();
            tally.add(&summary, Color::White);
        }
        Ok(true)
    })?;
    let mut tallies: Vec<_> = tallies
        .into_iter()
        .filter(|(_, tally)| tally.games >= args.min_games)
        .collect();
    tallies.sort_by_key(|&(opening, tally)| (Reverse(tally.games), opening));
    tallies.truncate(args.limit.unwrap_or(usize::MAX));
    let rows: Vec<OpeningRow> = tallies
        .iter()
        .map(|(opening, tally)| OpeningRow::new(opening, tally))
        .collect();
    table::write(&rows, &COLUMNS, args.to, &mut out)?;
    out.finish()
}
