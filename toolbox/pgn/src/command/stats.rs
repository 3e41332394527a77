//! `mola pgn stats`: what is in a collection?

use super::input::Input;
use crate::date::PartialDate;
use crate::explorer::GameSummary;
use crate::result::result_of_game;
use crate::{
    Block, Dialect, Flow, GameVisitor, Headers, Opening, Parsed, Parser, Problem, Problems, Remark,
    Replay,
};
use common::control_characters::without_control_characters;
use common::count::count;
use common::error::Result;
use common::json;
use engine_core::{AnyPosition, Move};
use serde::Serialize;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::io::{Write, stdout};

/// Count games, moves, results and more.
///
/// A table of variants, years or openings lists the first 1000 values that occur; all others are counted
/// together as `others`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  mola pgn stats games.pgn
  mola pgn stats --json 2025-*.pgn.gz")]
pub struct Args {
    #[command(flatten)]
    input: Input,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

#[derive(Default, Serialize)]
struct Stats {
    games: u64,
    tags: u64,
    plies: u64,
    plies_in_variations: u64,
    variations: u64,
    comments: u64,
    glyphs: u64,
    longest: u64,
    results: BTreeMap<String, u64>,
    variants: BTreeMap<String, u64>,
    years: BTreeMap<String, u64>,
    /// By the moves, without variations.
    openings: BTreeMap<String, u64>,
    rated_players: u64,
    rating_sum: u64,
    problems_repaired: u64,
    errors: u64,
}

/// Counts one block.
#[derive(Default)]
struct BlockCounts {
    /// All but the tables.
    stats: Stats,
    /// In the order of [`Stats::tables`].
    tables: [BlockTable; 4],
    problems: Problems,
    depth: u32,
    plies: u64,
    /// The tags that are counted.
    headers: Headers,
    /// After the moves.
    result: Option<String>,
    opening: Option<Opening>,
}

/// How often each value occurs in a block, and which value it is in the order of the games.
#[derive(Default)]
struct BlockTable(HashMap<Cow<'static, str>, (usize, u64)>);

impl BlockTable {
    fn count(&mut self, value: impl Into<Cow<'static, str>>) {
        let BlockTable(values) = self;
        let next = values.len();
        let (_, times) = values.entry(value.into()).or_insert((next, 0));
        *times += 1;
    }

    /// Adds the values to a table of all games. Broken files can hold any number of them: those that the
    /// table has no room for are counted together. Where blocks end makes no difference to that.
    fn add_to(self, table: &mut BTreeMap<String, u64>) {
        let BlockTable(values) = self;
        let mut values: Vec<_> = values.into_iter().collect();
        values.sort_unstable_by_key(|&(_, (number, _))| number);
        for (value, (_, times)) in values {
            let has_room = table.len() < MAX_VALUES || table.contains_key(&*value);
            let value = if has_room { &*value } else { OTHERS };
            *table.entry(value.to_owned()).or_default() += times;
        }
    }
}

/// How many values a table has room for.
const MAX_VALUES: usize = 1000;
/// What the values beyond these are counted as.
const OTHERS: &str = "others";

impl GameVisitor for BlockCounts {
    fn begin_game(&mut self, _at: usize) -> Flow {
        (self.depth, self.plies) = (0, 0);
        (self.result, self.opening) = (None, None);
        self.headers.clear();
        self.stats.games += 1;
        Flow::Go
    }

    fn header(&mut self, name: &[u8], value: &[u8]) {
        self.stats.tags += 1;
        if name == b"Variant" || GameSummary::reads(name) {
            self.headers.push(name, value);
        }
    }

    fn play(&mut self, _before: &AnyPosition, _m: Option<Move>, after: &AnyPosition) {
        if self.depth == 0 {
            self.plies += 1;
            self.opening = Opening::of(after).or(self.opening);
        } else {
            self.stats.plies_in_variations += 1;
        }
    }

    fn nag(&mut self, _nag: u32) {
        self.stats.glyphs += 1;
    }

    fn remark(&mut self, remark: Remark, _text: &[u8]) {
        self.stats.comments += u64::from(remark != Remark::Raw);
    }

    fn begin_variation(&mut self) -> Flow {
        self.depth += 1;
        self.stats.variations += 1;
        Flow::Go
    }

    fn end_variation(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    fn result(&mut self, result: &str) {
        self.result = Some(result.into());
    }

    fn problem(&mut self, problem: Problem) -> Flow {
        if problem.kind.is_repaired() {
            self.stats.problems_repaired += 1;
        } else {
            self.stats.errors += 1;
        }
        self.problems.add(problem);
        Flow::Go
    }

    fn end_game(&mut self, _at: usize) {
        let stats = &mut self.stats;
        stats.plies += self.plies;
        stats.longest = stats.longest.max(self.plies);
        // A tag may be there twice; the last one counts.
        let tag = self.headers.get("Result");
        let marker = self.result.take();
        let result = result_of_game(tag.as_deref(), marker.as_deref());
        for rating in GameSummary::new(&self.headers, marker.as_deref())
            .ratings
            .into_iter()
            .flatten()
        {
            stats.rated_players += 1;
            stats.rating_sum += u64::from(rating);
        }
        let [results, variants, years, openings] = &mut self.tables;
        results.count(result.unwrap_or("none").to_owned());
        variants.count(self.headers.variant_name().into_owned());
        if self.headers.get("Date").is_some() {
            let date = self.headers.date().map(PartialDate::parts);
            years.count(date.map_or("????".into(), |(year, ..)| format!("{year:04}")));
        }
        if let Some(opening) = self.opening {
            openings.count(opening.family());
        }
    }
}

impl Stats {
    fn tables(&mut self) -> [&mut BTreeMap<String, u64>; 4] {
        [
            &mut self.results,
            &mut self.variants,
            &mut self.years,
            &mut self.openings,
        ]
    }

    /// Adds the next block.
    fn add(&mut self, block: BlockCounts) {
        let other = block.stats;
        self.games += other.games;
        self.tags += other.tags;
        self.plies += other.plies;
        self.plies_in_variations += other.plies_in_variations;
        self.variations += other.variations;
        self.comments += other.comments;
        self.glyphs += other.glyphs;
        self.longest = self.longest.max(other.longest);
        self.rated_players += other.rated_players;
        self.rating_sum += other.rating_sum;
        self.problems_repaired += other.problems_repaired;
        self.errors += other.errors;
        for (table, of_block) in self.tables().into_iter().zip(block.tables) {
            of_block.add_to(table);
        }
    }
}

pub(super) fn run(args: &Args, dialect: Option<&dyn Dialect>) -> Result {
    let mut total = Stats::default();
    if dialect.is_some() {
        let count = |record: super::pipeline::GameRecord<'_>| {
            let mut counter = BlockCounts::default();
            record.tree.visit(&mut counter);
            counter
        };
        let tally = args.input.each_game(dialect, count, |game| {
            total.add(game);
            Ok(true)
        })?;
        total.errors = tally.lost;
    } else {
        let count = |block: &Block, reports: &mut super::pipeline::Reports<'_>| {
            let mut counter = BlockCounts::default();
            let mut parser = Parser::new(&block.text);
            let mut replay = Replay::new(&mut counter).in_language(args.input.lang);
            while parser.read_game(&mut replay) == Parsed::Game {
                reports.game(&std::mem::take(&mut replay.visitor().problems));
            }
            counter
        };
        args.input.each_block(count, |block| {
            total.add(block);
            Ok(true)
        })?;
    }
    if args.json {
        json::write_line(&mut stdout(), &total)?;
    } else {
        show(&total)?;
    }
    Ok(())
}

/// The keys that count most.
fn most_frequent(map: &BTreeMap<String, u64>) -> String {
    const SHOWN: usize = 8;
    let mut all: Vec<_> = map.iter().collect();
    all.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    let more = all.len().saturating_sub(SHOWN);
    let shown = all.iter().take(SHOWN);
    let mut parts: Vec<_> = shown
        .map(|(key, count)| format!("{key}: {count}"))
        .collect();
    if more > 0 {
        parts.push(format!("{more} more"));
    }
    parts.join(", ")
}

fn show(stats: &Stats) -> Result {
    let mut out = stdout().lock();
    let list = |map: &BTreeMap<String, u64>| {
        let parts: Vec<_> = map
            .iter()
            .map(|(key, count)| format!("{key}: {count}"))
            .collect();
        parts.join(", ")
    };
    let mean = |sum: u64, count: u64| sum as f64 / count.max(1) as f64;
    writeln!(out, "games        {}", stats.games)?;
    writeln!(out, "results      {}", list(&stats.results))?;
    let variants = without_control_characters(&list(&stats.variants));
    writeln!(out, "variants     {variants}")?;
    writeln!(out, "years        {}", list(&stats.years))?;
    writeln!(out, "openings     {}", most_frequent(&stats.openings))?;
    writeln!(out, "tags         {}", stats.tags)?;
    let average = mean(stats.plies, stats.games);
    writeln!(
        out,
        "moves        {}, {average:.1} a game, {} in the longest",
        count(stats.plies, "ply"),
        stats.longest
    )?;
    writeln!(
        out,
        "variations   {}, {}",
        stats.variations,
        count(stats.plies_in_variations, "ply")
    )?;
    writeln!(out, "comments     {}", stats.comments)?;
    writeln!(out, "glyphs       {}", stats.glyphs)?;
    let rating = mean(stats.rating_sum, stats.rated_players);
    writeln!(
        out,
        "ratings      {} with {rating:.0} on average",
        stats.rated_players
    )?;
    writeln!(
        out,
        "problems     {}, {} repaired",
        count(stats.errors, "error"),
        stats.problems_repaired
    )?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The statistics of games that are read in blocks of so many.
    fn stats(games: &[String], of_block: usize) -> Stats {
        let mut stats = Stats::default();
        for block in games.chunks(of_block) {
            let text = block.concat();
            let mut counter = BlockCounts::default();
            let mut parser = Parser::new(text.as_bytes());
            let mut replay = Replay::new(&mut counter);
            while parser.read_game(&mut replay) == Parsed::Game {}
            stats.add(counter);
        }
        stats
    }

    #[test]
    fn values_beyond_the_room_of_a_table_are_counted_together() {
        let mut games: Vec<String> = (1000..4000)
            .rev()
            .map(|n| format!("[Date \"{n}.??.??\"]\n[Variant \"game {n}\"]\n\n*\n\n"))
            .collect();
        // Some that have a place, and some that have none.
        games.push(games[999].clone());
        games.push(games[1000].clone());
        let whole = stats(&games, games.len());
        assert_eq!(whole.years.len(), MAX_VALUES + 1);
        assert_eq!(whole.years[OTHERS], 2001);
        assert_eq!((whole.years["3000"], whole.years["3999"]), (2, 1));
        assert_eq!(whole.years.values().sum::<u64>(), 3002);
        assert_eq!(whole.variants[OTHERS], 2001);
        assert_eq!(whole.variants["game 3000"], 2);
        for of_block in [1, 7, 999, 1000, 1001, 3001] {
            let blocks = stats(&games, of_block);
            assert_eq!(blocks.years, whole.years, "blocks of {of_block}");
            assert_eq!(blocks.variants, whole.variants, "blocks of {of_block}");
        }
    }
}
