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
use engine_core::{AnyPosition, Move};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{Write, stdout};

/// Count games, moves, results and more.
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
    stats: Stats,
    problems: Problems,
    depth: u32,
    plies: u64,
    /// The tags that are counted.
    headers: Headers,
    /// After the moves.
    result: Option<String>,
    opening: Option<Opening>,
}

fn tally(map: &mut BTreeMap<String, u64>, key: String) {
    // Broken files can hold any number of values; a table has room for some.
    const MAX_VALUES: usize = 1000;
    if map.len() < MAX_VALUES || map.contains_key(&key) {
        *map.entry(key).or_default() += 1;
    }
}

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
        if let b"Variant" | b"Result" | b"Date" | b"WhiteElo" | b"BlackElo" = name {
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
        tally(&mut stats.results, result.unwrap_or("none").into());
        tally(
            &mut stats.variants,
            self.headers.variant_name().into_owned(),
        );
        if self.headers.get("Date").is_some() {
            let date = self.headers.date().map(PartialDate::parts);
            let year = date.map_or("????".into(), |(year, ..)| format!("{year:04}"));
            tally(&mut stats.years, year);
        }
        if let Some(opening) = self.opening {
            tally(&mut stats.openings, opening.family().to_owned());
        }
    }
}

impl Stats {
    fn add(&mut self, other: Stats) {
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
        for (mine, theirs) in [
            (&mut self.results, other.results),
            (&mut self.variants, other.variants),
            (&mut self.years, other.years),
            (&mut self.openings, other.openings),
        ] {
            for (key, value) in theirs {
                *mine.entry(key).or_default() += value;
            }
        }
    }
}

pub(super) fn run(args: &Args, dialect: Option<&dyn Dialect>) -> Result {
    let mut total = Stats::default();
    if dialect.is_some() {
        let count = |record: super::pipeline::GameRecord<'_>| {
            let mut counter = BlockCounts::default();
            record.tree.visit(&mut counter);
            counter.stats
        };
        let tally = args.input.each_game(dialect, count, |stats| {
            total.add(stats);
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
            counter.stats
        };
        args.input.each_block(count, |stats| {
            total.add(stats);
            Ok(true)
        })?;
    }
    if args.json {
        let text = serde_json::to_string(&total).map_err(|error| error.to_string())?;
        writeln!(stdout(), "{text}")?;
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
