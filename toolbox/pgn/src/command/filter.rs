//! `mola pgn filter` and `merge`: games as they are, some of them or all.

use super::input::Input;
use super::output::{Target, write_raw};
use super::pipeline::Record;
use crate::{Dialect, Tree, variant_of};
use common::error::{Error, Result};
use std::io::Write;

/// Write the games that fulfil all conditions, as they are.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    input: Input,
    #[command(flatten)]
    target: Target,
    #[command(flatten)]
    wanted: Wanted,
    /// Write the games that fulfil not all conditions instead
    #[arg(long)]
    invert: bool,
    /// Write so many games at most
    #[arg(long, value_name = "N")]
    limit: Option<u64>,
}

/// Conditions for games.
#[derive(clap::Args, Debug)]
pub(super) struct Wanted {
    /// Either player's name contains this, in any case
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// White's name contains this
    #[arg(long, value_name = "NAME")]
    white: Option<String>,
    /// Black's name contains this
    #[arg(long, value_name = "NAME")]
    black: Option<String>,
    /// A tag: NAME=VALUE is that, NAME~TEXT contains it, NAME<N, NAME>N compare numbers or dates
    #[arg(long, value_name = "TEST", value_parser = test)]
    tag: Vec<Test>,
    /// The result: 1-0, 0-1, 1/2-1/2 or *
    #[arg(long)]
    result: Option<String>,
    /// Both ratings are at least this
    #[arg(long, value_name = "N")]
    min_elo: Option<u32>,
    /// The main line has at least so many plies
    #[arg(long, value_name = "N")]
    min_plies: Option<usize>,
    /// The main line has at most so many plies
    #[arg(long, value_name = "N")]
    max_plies: Option<usize>,
    /// The date is this or later, as 2024.01.31 or part of it
    #[arg(long, value_name = "DATE")]
    since: Option<String>,
    /// The date is this or earlier
    #[arg(long, value_name = "DATE")]
    until: Option<String>,
    /// The variant, by any of its names
    #[arg(long)]
    variant: Option<String>,
    /// Nothing of the game was lost in reading
    #[arg(long)]
    sound: bool,
    /// The game ends in mate
    #[arg(long)]
    mate: bool,
}

/// A condition on a tag.
#[derive(Debug, Clone)]
struct Test {
    name: String,
    operator: char,
    value: String,
}

fn test(text: &str) -> std::result::Result<Test, String> {
    let found = text.char_indices().find(|(_, c)| "=~<>".contains(*c));
    let (at, operator) = found.ok_or("expected NAME=VALUE, NAME~TEXT, NAME<N or NAME>N")?;
    let (name, value) = text.split_at(at);
    Ok(Test {
        name: name.to_owned(),
        operator,
        value: value.get(1..).unwrap_or_default().to_owned(),
    })
}

impl Test {
    fn holds(&self, tree: &Tree) -> bool {
        let Some(value) = tree.headers.get(&self.name) else {
            return false;
        };
        let order = match (value.parse::<f64>(), self.value.parse::<f64>()) {
            (Ok(value), Ok(wanted)) => value.partial_cmp(&wanted),
            _ => Some((*value).cmp(&self.value)),
        };
        match self.operator {
            '=' => *value == self.value,
            '~' => contains(&value, &self.value),
            '<' => order == Some(std::cmp::Ordering::Less),
            _ => order == Some(std::cmp::Ordering::Greater),
        }
    }
}

fn contains(text: &str, part: &str) -> bool {
    text.to_lowercase().contains(&part.to_lowercase())
}

impl Wanted {
    fn holds(&self, tree: &Tree) -> bool {
        let get = |name| tree.headers.get(name).unwrap_or_default();
        let has = |name: &'static str, part: &Option<String>| {
            part.as_ref().is_none_or(|part| contains(&get(name), part))
        };
        let player = self.player.as_ref();
        let rating = |name| get(name).parse::<u32>().unwrap_or(0);
        let plies = || tree.main_line(tree.root()).count();
        let date = get("Date");
        player.is_none_or(|name| contains(&get("White"), name) || contains(&get("Black"), name))
            && has("White", &self.white)
            && has("Black", &self.black)
            && self.tag.iter().all(|test| test.holds(tree))
            && self
                .result
                .as_ref()
                .is_none_or(|result| super::convert::result(tree) == *result)
            && self
                .min_elo
                .is_none_or(|least| rating("WhiteElo").min(rating("BlackElo")) >= least)
            && self.min_plies.is_none_or(|least| plies() >= least)
            && self.max_plies.is_none_or(|most| plies() <= most)
            && self.since.as_ref().is_none_or(|since| *date >= **since)
            && self
                .until
                .as_ref()
                .is_none_or(|until| date.get(..until.len()).unwrap_or(&date) <= until.as_str())
            && self
                .variant
                .as_ref()
                .is_none_or(|name| is_variant(tree, name))
            && (!self.sound
                || tree
                    .problems
                    .iter()
                    .all(|problem| problem.kind.is_repaired()))
            && (!self.mate || ends_in_mate(tree))
    }
}

fn is_variant(tree: &Tree, name: &str) -> bool {
    variant_of(Some(name)).is_ok() && {
        let tag = tree.headers.get("Variant");
        variant_of(tag.as_deref()) == variant_of(Some(name))
    }
}

fn ends_in_mate(tree: &Tree) -> bool {
    let end = tree.position(tree.end(tree.root()));
    end.is_some_and(|end| end.is_checkmate())
}

pub(super) fn run(args: &Args, dialect: Option<&dyn Dialect>) -> Result {
    if let Some(name) = &args.wanted.variant {
        variant_of(Some(name)).map_err(Error::Message)?;
    }
    let pick = |record: Record<'_>| {
        let is_wanted = args.wanted.holds(record.tree) != args.invert;
        is_wanted.then(|| record.raw.to_vec())
    };
    let mut left = args.limit.unwrap_or(u64::MAX);
    copy(&args.input, dialect, &args.target, pick, |_| {
        left = left.saturating_sub(1);
        left > 0
    })
}

/// Writes the games that are picked as they are, until the last one is enough.
pub(super) fn copy(
    input: &Input,
    dialect: Option<&dyn Dialect>,
    target: &Target,
    pick: impl Fn(Record<'_>) -> Option<Vec<u8>> + Sync,
    mut goes_on: impl FnMut(&[u8]) -> bool,
) -> Result {
    let mut out = target.open(input)?;
    let mut text = Vec::new();
    input.each_game(dialect, pick, |raw| {
        let Some(raw) = raw else { return Ok(true) };
        text.clear();
        write_raw(&raw, &mut text);
        out.write_all(&text)?;
        Ok(goes_on(&raw))
    })?;
    out.finish()
}

/// Write all games of all files as they are, one after the other.
#[derive(clap::Args, Debug)]
pub struct MergeArgs {
    #[command(flatten)]
    input: Input,
    #[command(flatten)]
    target: Target,
}

pub(super) fn merge(args: &MergeArgs, dialect: Option<&dyn Dialect>) -> Result {
    let all = |record: Record<'_>| Some(record.raw.to_vec());
    copy(&args.input, dialect, &args.target, all, |_| true)
}
