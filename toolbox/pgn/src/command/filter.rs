//! `mola pgn filter` and `merge`: copies some or all games unchanged.

use super::input::Input;
use super::output::{OutputArgs, RawGames};
use super::pipeline::GameRecord;
use super::selection::Selection;
use super::tag_argument::tag_argument;
use crate::date::PartialDate;
use crate::query::{check_wanted, is_other_tag, order};
use crate::{Dialect, QUERY_HELP, Query, Tree, variant_argument, variant_of};
use common::count::count;
use common::error::Result;
use common::note;
use engine_core::{CastlingMode, Variant};
use std::cmp::Ordering;
use std::io::Write;

/// Write the games that match all conditions, unchanged.
#[derive(clap::Args, Debug)]
#[command(after_help = examples())]
pub struct Args {
    #[command(flatten)]
    selection: Selection,
    #[command(flatten)]
    wanted: GameConditions,
    /// Write the games that do not match all conditions instead
    #[arg(long)]
    invert: bool,
    /// Write at most this many games
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,
}

fn examples() -> String {
    format!(
        "{QUERY_HELP}

Examples:
  mola pgn filter games.pgn --player carlsen --min-elo 2700 -o carlsen.pgn
  mola pgn filter games.pgn --where 'winner ~ carlsen and eco ~ ^B9 and plies < 60'
  mola pgn filter games.pgn --where 'ends stalemate or has underpromotion'
  mola pgn filter games.pgn --where 'material \"RP+ v RP*\" for 10 plies and result = draw'"
    )
}

/// Conditions for games.
#[derive(clap::Args, Debug)]
pub(super) struct GameConditions {
    /// Either player's name contains this, ignoring case
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// White's name contains this
    #[arg(long, value_name = "NAME")]
    white: Option<String>,
    /// Black's name contains this
    #[arg(long, value_name = "NAME")]
    black: Option<String>,
    /// A tag that the game has: NAME=VALUE and NAME!=VALUE compare texts, NAME~TEXT is met if it
    /// contains the text, NAME<N, NAME<=N, NAME>N and NAME>=N compare numbers or dates. All but ~ also
    /// compare numbers or dates of two tags: `WhiteElo<BlackElo`, `Date!=EventDate`
    #[arg(long, value_name = "TEST", value_parser = test)]
    tag: Vec<Test>,
    /// The result: 1-0, 0-1, 1/2-1/2 or *
    #[arg(long, value_parser = ["1-0", "0-1", "1/2-1/2", "*"])]
    result: Option<String>,
    /// Both players' ratings are at least this
    #[arg(long, value_name = "N")]
    min_elo: Option<u32>,
    /// The main line has at least this many plies
    #[arg(long, value_name = "N")]
    min_plies: Option<usize>,
    /// The main line has at most this many plies
    #[arg(long, value_name = "N")]
    max_plies: Option<usize>,
    /// The date is or, where its day or month is unknown, can be this or later: 2024.01.31, 2024.01 or
    /// 2024. Games without a year are left out
    #[arg(long, value_name = "DATE")]
    since: Option<PartialDate>,
    /// The date is or can be this or earlier; as for --since, games need a year
    #[arg(long, value_name = "DATE")]
    until: Option<PartialDate>,
    /// The variant, by any of its names
    #[arg(long, value_parser = variant_argument)]
    variant: Option<(Variant, CastlingMode)>,
    /// The game has no error: nothing was lost, and the result is that of the board and the tag
    #[arg(long)]
    sound: bool,
    /// The game ends in checkmate
    #[arg(long)]
    mate: bool,
}

/// A condition on a tag.
#[derive(Debug, Clone)]
struct Test {
    name: String,
    operator: Operator,
    value: String,
}

#[derive(Debug, Clone, Copy)]
enum Operator {
    Equal,
    NotEqual,
    Contains,
    /// The order of the value and the one given.
    Order(fn(Ordering) -> bool),
}

fn test(text: &str) -> std::result::Result<Test, String> {
    // The longer ones first, as they begin like others.
    const OPERATORS: [(&str, Operator); 7] = [
        ("!=", Operator::NotEqual),
        ("<=", Operator::Order(Ordering::is_le)),
        (">=", Operator::Order(Ordering::is_ge)),
        ("=", Operator::Equal),
        ("~", Operator::Contains),
        ("<", Operator::Order(Ordering::is_lt)),
        (">", Operator::Order(Ordering::is_gt)),
    ];
    let is_sign = |c| "=~<>!".contains(c);
    let (name, test) = text.split_at(text.find(is_sign).unwrap_or(text.len()));
    let find = |&(sign, operator)| Some((operator, test.strip_prefix(sign)?));
    let found = OPERATORS.iter().find_map(find);
    let (operator, value) = found
        .filter(|(_, value)| !value.starts_with(is_sign))
        .ok_or("expected a tag's name, one of = != ~ < <= > >=, and a value")?;
    let name = &*tag_argument(name.trim())?;
    let value = value.trim();
    let operator = match operator {
        Operator::Equal if is_other_tag(name, value) => Operator::Order(Ordering::is_eq),
        Operator::NotEqual if is_other_tag(name, value) => Operator::Order(Ordering::is_ne),
        Operator::Order(_) => {
            check_wanted(name, value, true)?;
            operator
        }
        _ => operator,
    };
    Ok(Test {
        name: name.to_owned(),
        operator,
        value: value.to_owned(),
    })
}

impl Test {
    fn holds(&self, tree: &Tree) -> bool {
        let Some(value) = tree.headers.get(&self.name) else {
            return false;
        };
        match self.operator {
            Operator::Equal => *value == self.value,
            Operator::NotEqual => *value != self.value,
            Operator::Contains => contains(&value, &self.value),
            Operator::Order(is_met) => {
                order(&tree.headers, &self.name, &value, &self.value).is_some_and(is_met)
            }
        }
    }
}

fn contains(text: &str, part: &str) -> bool {
    text.to_lowercase().contains(&part.to_lowercase())
}

impl GameConditions {
    fn holds(&self, tree: &Tree) -> bool {
        self.has_players(tree)
            && self.has_date(tree)
            && self.has_plies(tree)
            && self.tag.iter().all(|test| test.holds(tree))
            && self
                .result
                .as_ref()
                .is_none_or(|result| tree.known_result() == *result)
            && self
                .variant
                .is_none_or(|variant| variant_of(Some(&tree.headers.variant_name())) == Ok(variant))
            && (!self.sound || tree.problems.lost() == 0)
            && (!self.mate || ends_in_mate(tree))
    }

    fn has_players(&self, tree: &Tree) -> bool {
        let has = |color: &str, part: &String| {
            contains(&tree.headers.get(color).unwrap_or_default(), part)
        };
        let rating = |tag| {
            let rating = tree
                .headers
                .get(tag)
                .and_then(|text| text.trim().parse().ok());
            rating.unwrap_or(0_u32)
        };
        self.player
            .as_ref()
            .is_none_or(|name| has("White", name) || has("Black", name))
            && self.white.as_ref().is_none_or(|name| has("White", name))
            && self.black.as_ref().is_none_or(|name| has("Black", name))
            && self
                .min_elo
                .is_none_or(|least| rating("WhiteElo").min(rating("BlackElo")) >= least)
    }

    /// A game whose year is unknown is neither before nor after another.
    fn has_date(&self, tree: &Tree) -> bool {
        let date = || tree.headers.date();
        self.since
            .is_none_or(|since| date().is_some_and(|date| since.is_reached_by(date)))
            && self
                .until
                .is_none_or(|until| date().is_some_and(|date| until.reaches(date)))
    }

    fn has_plies(&self, tree: &Tree) -> bool {
        let plies = || tree.main_line(tree.root()).count();
        self.min_plies.is_none_or(|least| plies() >= least)
            && self.max_plies.is_none_or(|most| plies() <= most)
    }
}

fn ends_in_mate(tree: &Tree) -> bool {
    let end = tree.position(tree.end(tree.root()));
    end.is_some_and(|end| end.is_checkmate())
}

pub(super) fn run(args: &Args, dialect: Option<&dyn Dialect>) -> Result {
    let query = args.selection.query()?;
    let pick = |record: GameRecord<'_>| {
        let is_found = query
            .as_ref()
            .is_none_or(|query| query.matches(record.tree));
        let is_wanted = (is_found && args.wanted.holds(record.tree)) != args.invert;
        is_wanted.then(|| record.raw.to_vec())
    };
    let mut left = args.limit.unwrap_or(u64::MAX);
    let keys = query.as_ref().and_then(Query::needed_keys);
    let keys = keys.filter(|_| !args.invert);
    let Selection { input, target, .. } = &args.selection;
    let kept = copy((input, keys), dialect, target, pick, |_| {
        left = left.saturating_sub(1);
        left > 0
    })?;
    kept.report(input);
    Ok(())
}

/// How many games were written, of how many.
pub(super) struct Kept {
    written: u64,
    read: u64,
}

impl Kept {
    /// Says so on stderr.
    pub(super) fn report(&self, input: &Input) {
        if !input.quiet {
            let Kept { written, read } = self;
            note!("{written} of {} written", count(*read, "game"));
        }
    }
}

/// Writes the selected games unchanged, until the limit is reached.
///
/// With keys of positions of which they must have one, only the games that an index names are read.
pub(super) fn copy(
    (input, keys): (&Input, Option<Vec<u64>>),
    dialect: Option<&dyn Dialect>,
    target: &OutputArgs,
    pick: impl Fn(GameRecord<'_>) -> Option<Vec<u8>> + Sync,
    mut goes_on: impl FnMut(&[u8]) -> bool + Send,
) -> Result<Kept> {
    let mut out = target.open(input)?;
    let mut games = RawGames::default();
    let mut kept = Kept {
        written: 0,
        read: 0,
    };
    kept.read = input.each_candidate(dialect, keys, pick, |raw| {
        let Some(raw) = raw else { return Ok(true) };
        kept.written += 1;
        out.write_all(games.next(&raw))?;
        Ok(goes_on(&raw))
    })?;
    out.finish()?;
    Ok(kept)
}

/// Write all games of all files, unchanged, in order.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example:
  mola pgn merge 2024.pgn 2025.pgn.zst -o all.pgn")]
pub struct MergeArgs {
    #[command(flatten)]
    input: Input,
    #[command(flatten)]
    target: OutputArgs,
}

pub(super) fn merge(args: &MergeArgs, dialect: Option<&dyn Dialect>) -> Result {
    let all = |record: GameRecord<'_>| Some(record.raw.to_vec());
    copy((&args.input, None), dialect, &args.target, all, |_| true).map(|_| ())
}
