//! Blocks of games through threads, in order.

use super::input::Input;
use super::skimmer::Skimmer;
use super::units::{Content, Unit, Units};
use crate::{
    Block, Builder, Dialect, ForeignGame, LineIndex, Parsed, Parser, PgnLayout, Problem,
    ProblemKind, Problems, Replay, Tree, decode,
};
use common::control_characters::without_control_characters;
use common::error::{Error, Result};
use common::note;
use common::parallel::{self, Interrupt, Workers};
use crossbeam_channel::never;
use engine_core::notation::Language;
use std::ops::{AddAssign, ControlFlow};

/// A game with where it was read.
pub struct GameRecord<'a> {
    /// The game.
    pub tree: &'a mut Tree,
    /// Its text, where that is known.
    pub raw: &'a [u8],
    /// The stream that it comes from.
    pub name: &'a str,
    /// Its offset in that stream.
    pub offset: u64,
    /// The line where it begins; zero if that is not known.
    pub line: u64,
}

/// A problem as it is reported.
struct ProblemReport {
    /// The number of the game in its unit, from 0.
    game: u64,
    is_repaired: bool,
    /// `file:line:column`.
    place: String,
    ply: usize,
    text: String,
    /// The line in question, and where in it.
    excerpt: Option<(String, usize)>,
}

/// The result of one unit.
struct UnitResult<T> {
    value: T,
    tally: ReadCounts,
    reports: Vec<ProblemReport>,
}

/// The number of games and problems.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReadCounts {
    /// Games that were read.
    pub games: u64,
    /// Problems that were repaired.
    pub repaired: u64,
    /// Errors: something is lost, or a result contradicts the tag or the board.
    pub lost: u64,
}

/// How many problems of one game are reported.
const MAX_REPORTS: usize = 20;

impl AddAssign for ReadCounts {
    fn add_assign(&mut self, other: ReadCounts) {
        self.games += other.games;
        self.repaired += other.repaired;
        self.lost += other.lost;
    }
}

/// Takes the problems of a block together.
pub(super) struct Reports<'a> {
    name: &'a str,
    lines: LineIndex<'a>,
    /// The same for the beginnings of games: offsets must not go back in either.
    starts: LineIndex<'a>,
    tally: ReadCounts,
    list: Vec<ProblemReport>,
}

impl<'a> Reports<'a> {
    fn new(name: &'a str, block: &'a Block) -> Reports<'a> {
        Reports {
            name,
            lines: LineIndex::new(&block.text, block.line),
            starts: LineIndex::new(&block.text, block.line),
            tally: ReadCounts::default(),
            list: Vec::new(),
        }
    }

    /// The name of the stream.
    #[cfg(feature = "columns")]
    pub(super) fn name(&self) -> &str {
        self.name
    }

    /// The line where a game begins.
    pub(super) fn line(&mut self, at: usize) -> u64 {
        self.starts.location(at).line
    }

    /// The result of a block, with its reports.
    fn part<T>(mut self, block: &Block, value: T) -> UnitResult<T> {
        if block.is_cut {
            self.tally.games = self.tally.games.saturating_sub(1);
            let problem = Problem {
                at: block.text.len(),
                ply: 0,
                kind: ProblemKind::TooLong,
            };
            self.game(&problem.into());
        }
        UnitResult {
            value,
            tally: self.tally,
            reports: self.list,
        }
    }

    /// Notes the problems of the next game.
    pub(super) fn game(&mut self, problems: &Problems) {
        for problem in problems.worst(MAX_REPORTS) {
            let place = self.lines.location(problem.at);
            let (text, at) = self.lines.excerpt(problem.at, 60);
            let before = decode(text.get(..at).unwrap_or_default()).chars().count();
            self.list.push(ProblemReport {
                game: self.tally.games,
                is_repaired: problem.kind.is_repaired(),
                place: format!("{}:{place}", self.name),
                ply: problem.ply,
                text: problem.kind.to_string(),
                excerpt: Some((without_control_characters(decode(text).trim_end()), before)),
            });
        }
        self.tally += ReadCounts {
            games: 1,
            repaired: problems.repaired(),
            lost: problems.lost(),
        };
    }
}

impl Input {
    /// Sends all blocks through `map` on threads and what comes of them through `fold`, in order,
    /// until that has enough. Reports problems.
    ///
    /// # Errors
    /// When the input cannot be read, when `fold` fails, and on the first problem if the input is
    /// to be strict.
    pub(super) fn each_block<T: Send>(
        &self,
        map: impl Fn(&Block, &mut Reports<'_>) -> T + Sync,
        fold: impl FnMut(T) -> Result<bool> + Send,
    ) -> Result<ReadCounts> {
        let work = |unit: &Unit| match &unit.content {
            Content::Block(block) => {
                let mut reports = Reports::new(&unit.name, block);
                let value = map(block, &mut reports);
                Some(reports.part(block, value))
            }
            Content::Foreign(_) => None,
        };
        self.run(None, work, fold)
    }

    /// The same for every game, which another program may read.
    ///
    /// # Errors
    /// When a file cannot be read, and what `fold` fails with.
    pub fn each_game<T: Send>(
        &self,
        dialect: Option<&dyn Dialect>,
        map: impl Fn(GameRecord<'_>) -> T + Sync,
        mut fold: impl FnMut(T) -> Result<bool> + Send,
    ) -> Result<ReadCounts> {
        let work = |unit: &Unit| {
            Some(match &unit.content {
                Content::Block(block) => map_block(&unit.name, block, self.lang, &map),
                Content::Foreign(game) => map_foreign(&unit.name, dialect, game, &map),
            })
        };
        self.run(dialect, work, |values: Vec<T>| {
            for value in values {
                if !fold(value)? {
                    return Ok(false);
                }
            }
            Ok(true)
        })
    }

    /// The same for the games of one block alone, which so many come before.
    ///
    /// # Errors
    /// On the first problem if the input is to be strict.
    pub(super) fn map_alone<T>(
        &self,
        name: &str,
        block: &Block,
        games: u64,
        map: impl Fn(GameRecord<'_>) -> T,
    ) -> Result<Vec<T>> {
        let part = map_block(name, block, self.lang, map);
        let mut tally = ReadCounts {
            games,
            ..ReadCounts::default()
        };
        self.report(&part, &mut tally)?;
        Ok(part.value)
    }

    /// How many games there are; `None` if they cannot be read twice.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn count_games(&self) -> Result<Option<u64>> {
        if !self.paths().iter().all(|path| path.is_file()) {
            return Ok(None);
        }
        let mut games = 0;
        let count = |block: &Block, _: &mut Reports<'_>| {
            let mut skimmer = Skimmer::default();
            let mut parser = Parser::new(&block.text);
            std::iter::repeat_with(|| parser.read_game(&mut skimmer))
                .take_while(|step| *step == Parsed::Game)
                .count() as u64
        };
        // Problems are reported when the games are processed.
        let silent = Input {
            quiet: true,
            strict: false,
            has_bar: true,
            ..self.clone()
        };
        silent.each_block(count, |of_block| {
            games += of_block;
            Ok(true)
        })?;
        Ok(Some(games))
    }

    fn run<T: Send>(
        &self,
        dialect: Option<&dyn Dialect>,
        work: impl Fn(&Unit) -> Option<UnitResult<T>> + Sync,
        mut fold: impl FnMut(T) -> Result<bool> + Send,
    ) -> Result<ReadCounts> {
        let (streams, bar) = self.open()?;
        let mut tally = ReadCounts {
            games: self.next.games,
            ..ReadCounts::default()
        };
        let take = |part: Option<UnitResult<T>>| {
            let Some(part) = part else { return Ok(true) };
            let reported = bar.suspend(|| self.report(&part, &mut tally));
            reported?;
            fold(part.value)
        };
        let units = Units::new(streams, dialect);
        let result = if self.threads == 1 || dialect.is_some() {
            run_alone(units, work, take)
        } else {
            run_threads(self.threads.into(), units, work, take)
        };
        bar.finish_and_clear();
        result.map(|()| tally)
    }

    /// Reports the problems of the games of a part.
    fn report<T>(&self, part: &UnitResult<T>, tally: &mut ReadCounts) -> Result {
        for report in &part.reports {
            let kind = if report.is_repaired {
                "repaired"
            } else {
                "error"
            };
            let game = tally.games + report.game + 1;
            let mut text = format!(
                "{}: game {game}, ply {}: {kind}: {}",
                report.place, report.ply, report.text
            );
            if let Some((line, at)) = &report.excerpt {
                text.extend(["\n  ", line, "\n  ", &" ".repeat(*at), "^"]);
            }
            if self.strict {
                return Err(Error::Message(text));
            }
            if !self.quiet {
                note!("{text}");
            }
        }
        *tally += part.tally;
        Ok(())
    }
}

fn run_alone<T>(
    mut units: Units<'_>,
    work: impl Fn(&Unit) -> Option<UnitResult<T>>,
    mut take: impl FnMut(Option<UnitResult<T>>) -> Result<bool>,
) -> Result {
    while let Some(unit) = units.next().transpose()? {
        if !take(work(&unit))? {
            break;
        }
        units.recycle(unit);
    }
    Ok(())
}

/// Every thread reads a unit whenever it is free, and works on it while its text is still near.
fn run_threads<T: Send>(
    threads: usize,
    units: Units<'_>,
    work: impl Fn(&Unit) -> Option<UnitResult<T>> + Sync,
    mut take: impl FnMut(Option<UnitResult<T>>) -> Result<bool> + Send,
) -> Result {
    let workers = Workers {
        threads,
        ahead: 2 * threads,
        signals: never(),
    };
    let work = &work;
    let worker = |_: &Interrupt| Ok(|unit: Result<Unit>| unit.map(|unit| work(&unit)));
    let take = |part| {
        Ok(if take(part)? {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        })
    };
    parallel::in_order(&workers, units, worker, take).map(drop)
}

fn map_block<T>(
    name: &str,
    block: &Block,
    language: Language,
    map: impl Fn(GameRecord<'_>) -> T,
) -> UnitResult<Vec<T>> {
    let mut reports = Reports::new(name, block);
    let mut builder = Builder::new();
    let mut parser = Parser::new(&block.text);
    let mut value = Vec::new();
    let mut replay = Replay::new(&mut builder).in_language(language);
    while parser.read_game(&mut replay) == Parsed::Game {
        let mut tree = replay.visitor().take();
        let line = reports.line(tree.span.start);
        reports.game(&tree.problems);
        let raw = block.text.get(tree.span.clone()).unwrap_or_default();
        value.push(map(GameRecord {
            offset: block.offset + tree.span.start as u64,
            tree: &mut tree,
            raw,
            name,
            line,
        }));
    }
    reports.part(block, value)
}

fn map_foreign<T>(
    name: &str,
    dialect: Option<&dyn Dialect>,
    game: &ForeignGame,
    map: impl Fn(GameRecord<'_>) -> T,
) -> UnitResult<Vec<T>> {
    let report = |text: &String| ProblemReport {
        game: 0,
        is_repaired: false,
        place: format!("{name}:{}", game.offset),
        ply: 0,
        text: text.clone(),
        excerpt: None,
    };
    let mut tree = game.tree.clone();
    let raw = dialect.map(|dialect| dialect.write(&tree, PgnLayout::default()));
    let value = map(GameRecord {
        tree: &mut tree,
        raw: raw.unwrap_or_default().as_bytes(),
        name,
        offset: game.offset,
        line: 0,
    });
    UnitResult {
        value: vec![value],
        tally: ReadCounts {
            games: 1,
            repaired: 0,
            lost: game.errors.len() as u64,
        },
        reports: game.errors.iter().map(report).collect(),
    }
}
