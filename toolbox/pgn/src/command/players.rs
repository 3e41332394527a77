//! `mola pgn players`: who played, and how it went.

use super::pipeline::GameRecord;
use super::selection::Selection;
use super::table::{self, TableFormat};
use crate::explorer::players::{Career, PlayerSummary, PlayerTally};
use crate::explorer::{GameSummary, tally::TallySummary};
use crate::{Dialect, Opening, QUERY_HELP, Query};
use common::error::{Error, Result};
use common::json;
use engine_core::Color;
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::io::Write;

/// List players with their games, results by colour, ratings and performance.
///
/// Names that are unknown (`?`) are left out. With --player, show one player: results, opponents, rating by month, and openings by colour.
#[derive(clap::Args, Debug)]
#[command(after_help = examples())]
pub struct Args {
    #[command(flatten)]
    selection: Selection,
    /// Show this player; the full name, ignoring case
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Minimum number of games of a player; with --player, of an opponent or opening
    #[arg(long, value_name = "N", default_value_t = 1)]
    min_games: u64,
    /// Number of rows to show of each table
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// The format; with --player, text or json
    #[arg(long, value_enum, default_value_t)]
    to: TableFormat,
    #[cfg(feature = "plot")]
    #[command(flatten)]
    plot: super::rating_plot::PlotArgs,
}

fn examples() -> String {
    format!(
        "{QUERY_HELP}

Examples:
  mola pgn players games.pgn --min-games 20 --limit 50
  mola pgn players games.pgn --player 'Carlsen, Magnus' --min-games 3
  mola pgn players games.pgn --player 'Carlsen, Magnus' --plot rating.svg
  mola pgn players games.pgn --where 'year >= 2020 and opening ~ najdorf' --to csv"
    )
}

/// The columns of the list of players.
const COLUMNS: [&str; 14] = [
    "player",
    "games",
    "wins",
    "draws",
    "losses",
    "score",
    "score_as_white",
    "score_as_black",
    "average_rating",
    "best_rating",
    "average_opponent",
    "performance",
    "first_year",
    "last_year",
];

/// The columns of a repertoire.
const OPENINGS: [&str; 9] = [
    "opening",
    "games",
    "white",
    "draws",
    "black",
    "score",
    "average_rating",
    "performance",
    "last_year",
];

/// The data of a game on its players.
struct Seen {
    names: [String; 2],
    summary: GameSummary,
    date: String,
    opening: Option<&'static str>,
}

impl Seen {
    fn of(record: &GameRecord<'_>, query: Option<&Query>, with_opening: bool) -> Option<Seen> {
        let tree = &*record.tree;
        if !query.is_none_or(|query| query.matches(tree)) {
            return None;
        }
        let tag = |name| tree.headers.get(name).unwrap_or("?".into()).into_owned();
        let opening = || Opening::of_tree(tree).map(Opening::family);
        Some(Seen {
            names: [tag("White"), tag("Black")],
            summary: GameSummary::of(tree),
            date: tag("Date"),
            opening: with_opening.then(opening).flatten(),
        })
    }
}

/// Whether a name is that of no one.
fn is_unknown(name: &str) -> bool {
    matches!(name.trim(), "" | "?")
}

pub(super) fn run(args: &Args, dialect: Option<&dyn Dialect>) -> Result {
    if args.player.is_some() && args.to == TableFormat::Csv {
        let message = "--player shows several tables, which are not one CSV file; take --to json";
        return Err(Error::Usage(message.to_owned()));
    }
    let query = args.selection.query()?;
    let Selection { input, target, .. } = &args.selection;
    let mut out = target.open(input)?;
    #[cfg(feature = "plot")]
    let plot = {
        args.selection.refuse(args.plot.path())?;
        args.plot.open(target, input)?
    };
    let one = args.player.as_ref().map(|name| name.to_lowercase());
    let mut players: HashMap<String, PlayerTally> = HashMap::new();
    let mut career = Career::default();
    let seen = |record: GameRecord<'_>| Seen::of(&record, query.as_ref(), one.is_some());
    let keys = query.as_ref().and_then(Query::needed_keys);
    input.each_candidate(dialect, keys, seen, |seen| {
        let Some(seen) = seen else { return Ok(true) };
        let [white, black] = &seen.names;
        for (side, name, other) in [(Color::White, white, black), (Color::Black, black, white)] {
            match &one {
                None if is_unknown(name) => {}
                None => players
                    .entry(name.clone())
                    .or_default()
                    .add(&seen.summary, side),
                Some(one) if name.to_lowercase() == *one => {
                    career.add(&seen.summary, side, other, &seen.date, seen.opening);
                }
                Some(_) => {}
            }
        }
        Ok(true)
    })?;
    let has_no_game = career.all.games() == 0;
    if let Some(name) = args.player.as_ref().filter(|_| has_no_game) {
        return Err(Error::Message(format!("{name}: no game has this player")));
    }
    #[cfg(feature = "plot")]
    let curve = super::rating_plot::curve(&career);
    match &args.player {
        None => {
            let rows = rows(players, args);
            table::write(&rows, &COLUMNS, args.to, &mut out)?;
        }
        Some(name) => write_career(name, career, args, &mut out)?,
    }
    out.finish()?;
    #[cfg(feature = "plot")]
    if let Some((file, name)) = plot.zip(args.player.as_deref()) {
        file.write(&super::rating_plot::plot(name, curve))?;
    }
    Ok(())
}

/// The players with most games first.
fn rows(
    players: impl IntoIterator<Item = (String, PlayerTally)>,
    args: &Args,
) -> Vec<PlayerSummary> {
    let mut players: Vec<(String, PlayerTally)> = players
        .into_iter()
        .filter(|(_, player)| player.games() >= args.min_games)
        .collect();
    players.sort_by(|a, b| {
        Reverse(a.1.games())
            .cmp(&Reverse(b.1.games()))
            .then(a.0.cmp(&b.0))
    });
    let shown = players.iter().take(args.limit.unwrap_or(usize::MAX));
    shown.map(|(name, player)| player.summary(name)).collect()
}

/// An opening that a player has played.
#[derive(Serialize)]
struct Repertoire {
    opening: &'static str,
    #[serde(flatten)]
    summary: TallySummary,
}

#[derive(Serialize)]
struct MonthlyRating {
    month: String,
    rating: u16,
}

/// All about a player.
#[derive(Serialize)]
struct PlayerReport {
    #[serde(flatten)]
    all: PlayerSummary,
    opponents: Vec<PlayerSummary>,
    ratings: Vec<MonthlyRating>,
    as_white: Vec<Repertoire>,
    as_black: Vec<Repertoire>,
}

fn write_career(name: &str, career: Career, args: &Args, out: &mut impl Write) -> Result {
    let repertoire = |color: Color| {
        let [white, black] = &career.repertoire;
        let openings = if color.is_white() { white } else { black };
        let mut openings: Vec<_> = openings
            .iter()
            .filter(|(_, tally)| tally.games >= args.min_games)
            .collect();
        openings.sort_by_key(|(_, tally)| Reverse(tally.games));
        openings.truncate(args.limit.unwrap_or(usize::MAX));
        let row = |(&opening, tally): (&&'static str, &crate::explorer::ResultTally)| Repertoire {
            opening,
            summary: tally.summary(color),
        };
        openings.into_iter().map(row).collect::<Vec<Repertoire>>()
    };
    let (as_white, as_black) = (repertoire(Color::White), repertoire(Color::Black));
    let ratings = career.ratings.into_iter();
    let report = PlayerReport {
        all: career.all.summary(name),
        opponents: rows(career.opponents, args),
        ratings: ratings
            .map(|((year, month), (_, rating))| MonthlyRating {
                month: format!("{year:04}.{month:02}"),
                rating,
            })
            .collect(),
        as_white,
        as_black,
    };
    if args.to == TableFormat::Json {
        return json::write_line(out, &report);
    }
    table::write(&[report.all], &COLUMNS, args.to, out)?;
    writeln!(out)?;
    table::write(&report.opponents, &COLUMNS, args.to, out)?;
    writeln!(out)?;
    table::write(&report.ratings, &["month", "rating"], args.to, out)?;
    for (title, openings) in [("White", report.as_white), ("Black", report.as_black)] {
        writeln!(out, "\n{title}")?;
        table::write(&openings, &OPENINGS, args.to, out)?;
    }
    Ok(())
}
