//! `mola pgn tree`: the moves of a position, and how they did.

use super::pipeline::GameRecord;
use super::selection::Selection;
use super::table::csv_writer;
use crate::explorer::moves::{Moves, Visit};
use crate::explorer::tally::TallySummary;
use crate::index::NextMove;
use crate::position_key::repetition_keys;
use crate::query::without_number;
use crate::{Dialect, Opening, QUERY_HELP};
use book::{Maker, PlayedMove, Settings};
use common::arguments::fen;
use common::error::{Error, Result};
use common::{json, note};
use engine_core::{AnyPosition, CastlingMode, Color, Variant, dispatch};
use serde::Serialize;
use std::collections::{HashMap, HashSet};
use std::io::Write;

/// Show the moves played in a position, with games, results, ratings, performance and last year.
///
/// Games of one variant count: standard chess, Chess960 included, or that of --variant.
///
/// A game counts once for a position, with its first move there. Ratings, performance and score are
/// those of the side to move. Below the first ply, only games that reached the first position
/// count; a position reached by several lines is expanded in one of them.
#[derive(clap::Args, Debug)]
#[command(after_help = examples())]
pub struct Args {
    #[command(flatten)]
    selection: Selection,
    /// The position [default: the start position]
    #[arg(long)]
    fen: Option<String>,
    /// The variant of chess
    #[arg(long, value_name = "NAME", default_value = "chess")]
    variant: Variant,
    /// Moves that lead to the position, from --fen or the start position
    #[arg(long, value_name = "MOVES")]
    line: Option<String>,
    /// Depth in plies; a position counts in each game that reaches it at most this many plies after the
    /// first one
    #[arg(long, value_name = "PLIES", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=400))]
    depth: u16,
    /// Minimum number of games of a move
    #[arg(long, value_name = "N", default_value_t = 1)]
    min_games: u64,
    /// The format
    #[arg(long, value_enum, default_value_t)]
    to: TreeFormat,
}

#[derive(clap::ValueEnum, Debug, Clone, Copy, PartialEq, Eq, Default)]
enum TreeFormat {
    /// Text
    #[default]
    Text,
    /// Nested moves
    Json,
    /// One line for each move
    Csv,
    /// A Polyglot book, in which a win counts 2 and a draw 1
    Polyglot,
}

fn examples() -> String {
    format!(
        "{QUERY_HELP}

Examples:
  mola pgn tree games.pgn --line 'e4 c5 Nf3 d6' --depth 2 --min-games 5
  mola pgn tree games.pgn --where 'White ~ carlsen and year >= 2015'
  mola pgn tree games.pgn --where 'elo >= 2600' --depth 24 --min-games 3 --to polyglot -o elite.bin
  mola pgn tree games.pgn --fen '8/8/4k3/8/4P3/4K3/8/8 w - -' --to json
  mola pgn tree games.pgn --variant atomic --line 'Nf3 f6'"
    )
}

/// More positions are not kept: deeper trees of more games belong into a book or a table.
const MAX_POSITIONS: usize = 20_000_000;

impl Args {
    /// The position.
    fn position(&self) -> Result<AnyPosition> {
        self.selection.input.refuse_unquoted(self.fen.as_deref())?;
        let text = fen(self.fen.as_deref().unwrap_or("startpos"), self.variant);
        let mut position = AnyPosition::from_fen(self.variant, text, CastlingMode::Standard)?;
        for word in self.line.as_deref().unwrap_or_default().split_whitespace() {
            let word = without_number(word);
            if word.is_empty() {
                continue;
            }
            let m = position
                .parse_san(word)
                .or_else(|error| position.parse_uci(word).map_err(|_| error));
            let m = m.map_err(|error| Error::Message(format!("--line: {word}: {error}")))?;
            position.play(m);
        }
        Ok(position)
    }

    /// Counts the moves of all games by indexes alone, if they tell.
    fn count_by_index(&self, dialect: Option<&dyn Dialect>, root: &AnyPosition) -> Option<Moves> {
        let mut moves = Moves::default();
        let input = &self.selection.input;
        for path in input.paths() {
            let index = input.index_of(&path, dialect, false)?;
            // A damaged index is told where the games are read.
            for (summary, played) in index.moves_of(root).ok()? {
                let m = match played {
                    NextMove::Move(m) => Some(m),
                    NextMove::None => None,
                    NextMove::Variation => continue,
                    NextMove::Unknown => return None,
                };
                moves.add_move(root.repetition_key(), root.turn(), m, &summary);
            }
        }
        Some(moves)
    }

    /// Counts the moves of all games.
    fn count(&self, dialect: Option<&dyn Dialect>, root: &AnyPosition) -> Result<Moves> {
        let query = self.selection.query()?;
        let depth = usize::from(self.depth);
        let visit = |record: GameRecord<'_>| {
            let is_asked = |query: &crate::Query| query.matches(record.tree);
            let visit = Visit::of(record.tree, root, depth)?;
            query.as_ref().is_none_or(is_asked).then_some(visit)
        };
        if depth == 1
            && query.is_none()
            && let Some(moves) = self.count_by_index(dialect, root)
        {
            return Ok(moves);
        }
        let mut moves = Moves::default();
        let keys = Some(repetition_keys(root));
        let input = &self.selection.input;
        input.each_candidate(dialect, keys, visit, |visit| {
            if let Some(visit) = visit {
                moves.add(&visit);
            }
            if moves.len() > MAX_POSITIONS {
                let text =
                    format!("more than {MAX_POSITIONS} positions; a smaller --depth is needed");
                return Err(Error::Message(text));
            }
            Ok(true)
        })?;
        Ok(moves)
    }
}

/// A move of the tree.
#[derive(Serialize)]
struct Branch {
    san: String,
    uci: String,
    #[serde(flatten)]
    summary: TallySummary,
    #[serde(skip_serializing_if = "Option::is_none")]
    eco: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    opening: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    moves: Vec<Branch>,
}

/// A position and its moves.
#[derive(Serialize)]
struct Root {
    fen: String,
    key: String,
    #[serde(flatten)]
    summary: TallySummary,
    #[serde(skip_serializing_if = "Option::is_none")]
    opening: Option<String>,
    moves: Vec<Branch>,
}

/// What is walked through.
struct Walk<'a> {
    moves: &'a Moves,
    least: u64,
    /// The deepest that each position has been followed. Games that repeat positions would lead
    /// around in circles, and transpositions to the same moves again and again.
    followed: HashMap<u64, u16>,
}

impl Walk<'_> {
    /// The moves of a position and of those that follow, unless they have been told as deep
    /// before. The depth is that of the arguments.
    fn branches(&mut self, position: &AnyPosition, depth: u16) -> Vec<Branch> {
        let followed = self.followed.entry(position.key()).or_default();
        if depth <= *followed {
            return Vec::new();
        }
        *followed = depth;
        let mut branches = Vec::new();
        for (m, tally) in self.moves.of(position, self.least) {
            let after = position.after(m);
            let opening = Opening::of(&after);
            branches.push(Branch {
                san: position.to_san(m).to_string(),
                uci: position.to_uci(m).to_string(),
                summary: tally.summary(position.turn()),
                eco: opening.map(Opening::eco),
                opening: opening.map(Opening::name),
                moves: self.branches(&after, depth - 1),
            });
        }
        branches
    }
}

pub(super) fn run(args: &Args, dialect: Option<&dyn Dialect>) -> Result {
    let position = args.position()?;
    let Selection { input, target, .. } = &args.selection;
    let mut out = target.open(input)?;
    let moves = args.count(dialect, &position)?;
    if moves.len() == 0 && !input.quiet {
        let variant = args.variant.name();
        note!("no game of {variant} has this position; --variant counts those of another variant");
    }
    let mut walk = Walk {
        moves: &moves,
        least: args.min_games.max(1),
        followed: HashMap::new(),
    };
    if args.to == TreeFormat::Polyglot {
        for entry in book(&walk, &position, args.depth).finish() {
            out.write_all(&entry.to_bytes())?;
        }
        return out.finish();
    }
    let tally = moves.node(&position).map(|node| node.tally);
    let root = Root {
        fen: position.fen(),
        key: format!("{:016x}", position.polyglot_key()),
        summary: tally.unwrap_or_default().summary(position.turn()),
        opening: Opening::of(&position).map(|opening| opening.to_string()),
        moves: walk.branches(&position, args.depth),
    };
    match args.to {
        TreeFormat::Json => json::write_line(&mut out, &root)?,
        TreeFormat::Csv => csv(&root, &mut out)?,
        _ => text(&root, &position, &mut out)?,
    }
    out.finish()
}

/// A book of the moves.
fn book(walk: &Walk<'_>, root: &AnyPosition, depth: u16) -> Maker {
    let mut maker = Maker::new(Settings {
        min_games: u32::try_from(walk.least).unwrap_or(u32::MAX),
        ..Settings::default()
    });
    let mut seen = HashSet::new();
    let mut level = vec![*root];
    for _ in 0..depth {
        let mut next = Vec::new();
        for position in level {
            if !seen.insert(position.key()) {
                continue;
            }
            for (m, tally) in walk.moves.of(&position, walk.least) {
                let (wins, losses) = match position.turn() {
                    Color::White => (tally.white, tally.black),
                    Color::Black => (tally.black, tally.white),
                };
                let open = tally.games - wins - losses - tally.draws;
                for (points, games) in [(2, wins), (1, tally.draws + open), (0, losses)] {
                    let played =
                        dispatch!(&position, |position| PlayedMove::new(position, m, points));
                    let Some(played) = played else { continue };
                    for _ in 0..games {
                        maker.add(played);
                    }
                }
                next.push(position.after(m));
            }
        }
        level = next;
    }
    maker
}

/// A number, or `-` if there is none.
fn or_dash(value: Option<impl ToString>) -> String {
    value.map_or("-".to_owned(), |value| value.to_string())
}

fn text(root: &Root, position: &AnyPosition, out: &mut impl Write) -> Result {
    writeln!(out, "{}", root.fen)?;
    if let Some(opening) = &root.opening {
        writeln!(out, "{opening}")?;
    }
    writeln!(
        out,
        "\n{:<16} {:>9} {:>6} {:>6} {:>6} {:>6} {:>6} {:>5} {:>5}",
        format!("{} to move", position.turn()),
        "games",
        "white",
        "draws",
        "black",
        "score",
        "rating",
        "perf",
        "year"
    )?;
    let mut stack: Vec<(&Branch, usize)> = root.moves.iter().rev().map(|one| (one, 0)).collect();
    while let Some((branch, depth)) = stack.pop() {
        let name = format!("{}{}", "  ".repeat(depth), branch.san);
        line(out, &name, &branch.summary, branch.opening)?;
        stack.extend(branch.moves.iter().rev().map(|one| (one, depth + 1)));
    }
    line(out, "all", &root.summary, None)
}

fn line(out: &mut impl Write, name: &str, summary: &TallySummary, opening: Option<&str>) -> Result {
    let decided = summary.white + summary.draws + summary.black;
    let percent = |count: u64| {
        let share = (decided > 0).then(|| 100.0 * count as f64 / decided as f64);
        or_dash(share.map(|share| format!("{share:.1}")))
    };
    let text = format!(
        "{name:<16} {:>9} {:>6} {:>6} {:>6} {:>6} {:>6} {:>5} {:>5}  {}",
        summary.games,
        percent(summary.white),
        percent(summary.draws),
        percent(summary.black),
        or_dash(summary.score.map(|score| format!("{score:.1}"))),
        or_dash(summary.average_rating),
        or_dash(summary.performance),
        or_dash(summary.last_year),
        opening.unwrap_or_default(),
    );
    Ok(writeln!(out, "{}", text.trim_end())?)
}

const COLUMNS: [&str; 12] = [
    "line",
    "san",
    "uci",
    "games",
    "white",
    "draws",
    "black",
    "score",
    "average_rating",
    "performance",
    "last_year",
    "opening",
];

fn csv(root: &Root, out: &mut impl Write) -> Result {
    let failed = |error: csv::Error| Error::Message(error.to_string());
    let mut table = csv_writer(out);
    table.write_record(COLUMNS).map_err(failed)?;
    let mut stack: Vec<(&Branch, String)> = root
        .moves
        .iter()
        .rev()
        .map(|one| (one, String::new()))
        .collect();
    while let Some((branch, before)) = stack.pop() {
        let line = format!("{before} {}", branch.san);
        let line = line.trim_start();
        let text = |value: Option<String>| value.unwrap_or_default();
        let summary = &branch.summary;
        let record = [
            line.to_owned(),
            branch.san.clone(),
            branch.uci.clone(),
            summary.games.to_string(),
            summary.white.to_string(),
            summary.draws.to_string(),
            summary.black.to_string(),
            text(summary.score.map(|score| format!("{score:.1}"))),
            text(summary.average_rating.map(|rating| rating.to_string())),
            text(summary.performance.map(|rating| rating.to_string())),
            text(summary.last_year.map(|year| year.to_string())),
            branch.opening.unwrap_or_default().to_owned(),
        ];
        table.write_record(record).map_err(failed)?;
        let children = branch.moves.iter().rev();
        stack.extend(children.map(|one| (one, line.to_owned())));
    }
    Ok(table.flush()?)
}
