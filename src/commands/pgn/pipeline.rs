//! Blocks of games through threads, in order.

use super::input::{Compat, Input, Stream};
use crate::error::{Error, Result};
use crossbeam_channel::{Receiver, Sender, bounded};
use engine_core::notation::{EnPassant, Language};
use engine_core::pgn::compat::{self, CompatGame, Export};
use engine_core::pgn::{
    Block, Blocks, Builder, Lines, Parser, Place, Problem, ProblemKind, Replay, Step, Tree, decode,
};
use std::io::{BufReader, Read, Write, stderr};
use std::sync::Arc;

/// Some games of one stream.
pub(super) struct Unit {
    name: Arc<str>,
    content: Content,
}

enum Content {
    Block(Block),
    Compat(Vec<(u64, CompatGame)>),
}

/// One game.
pub(super) struct Record<'a> {
    /// The game.
    pub(super) tree: &'a mut Tree,
    /// Its text, where that is known.
    pub(super) raw: &'a [u8],
    /// The stream that it comes from.
    pub(super) name: &'a str,
    /// Its offset in that stream.
    pub(super) offset: u64,
    /// The line where it begins; zero if that is not known.
    pub(super) line: u64,
}

/// A problem as people are told it.
struct Report {
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

/// What became of one unit.
struct Part<T> {
    value: T,
    games: u64,
    reports: Vec<Report>,
    /// Problems that are not among the reports.
    unreported: u64,
}

/// How much there was.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    pub(super) games: u64,
    /// Problems that cost nothing.
    pub(super) repaired: u64,
    /// Problems that cost moves.
    pub(super) lost: u64,
}

/// How many problems of one game are reported.
const MOST_REPORTS: usize = 20;

/// Takes the problems of a block together.
pub(super) struct Reports<'a> {
    name: &'a str,
    lines: Lines<'a>,
    /// The same for the beginnings of games: offsets must not go back in either.
    starts: Lines<'a>,
    games: u64,
    told: Vec<Report>,
    unreported: u64,
}

impl<'a> Reports<'a> {
    fn new(name: &'a str, block: &'a Block) -> Reports<'a> {
        Reports {
            name,
            lines: Lines::new(&block.text, block.line),
            starts: Lines::new(&block.text, block.line),
            games: 0,
            told: Vec::new(),
            unreported: 0,
        }
    }

    /// The line where a game begins.
    pub(super) fn line(&mut self, at: usize) -> u64 {
        self.starts.place(at).line
    }

    /// All that came of a block.
    fn part<T>(mut self, block: &Block, value: T) -> Part<T> {
        if block.is_cut {
            self.games = self.games.saturating_sub(1);
            self.game(&mut vec![Problem {
                at: block.text.len(),
                ply: 0,
                kind: ProblemKind::TooLong,
            }]);
        }
        Part {
            value,
            games: self.games,
            reports: self.told,
            unreported: self.unreported,
        }
    }

    /// Notes the problems of the next game and leaves none.
    pub(super) fn game(&mut self, problems: &mut Vec<Problem>) {
        problems.sort_by_key(|problem| problem.at);
        self.unreported += problems.len().saturating_sub(MOST_REPORTS) as u64;
        for problem in problems.drain(..).take(MOST_REPORTS) {
            let Place { line, column } = self.lines.place(problem.at);
            let (text, at) = self.lines.excerpt(problem.at, 60);
            let before = decode(text.get(..at).unwrap_or_default()).chars().count();
            self.told.push(Report {
                game: self.games,
                is_repaired: problem.kind.is_repaired(),
                place: format!("{}:{line}:{column}", self.name),
                ply: problem.ply,
                text: problem.kind.to_string(),
                excerpt: Some((decode(text).trim_end().replace('\t', " "), before)),
            });
        }
        self.games += 1;
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
        fold: impl FnMut(T) -> Result<bool>,
    ) -> Result<Tally> {
        let work = |unit: &Unit| match &unit.content {
            Content::Block(block) => {
                let mut reports = Reports::new(&unit.name, block);
                let value = map(block, &mut reports);
                Some(reports.part(block, value))
            }
            Content::Compat(_) => None,
        };
        self.run(work, fold)
    }

    /// The same for every game.
    pub(super) fn each_game<T: Send>(
        &self,
        map: impl Fn(Record<'_>) -> T + Sync,
        mut fold: impl FnMut(T) -> Result<bool>,
    ) -> Result<Tally> {
        let work = |unit: &Unit| {
            Some(match &unit.content {
                Content::Block(block) => map_block(&unit.name, block, self.lang, &map),
                Content::Compat(games) => map_compat(&unit.name, games, &map),
            })
        };
        self.run(work, |values: Vec<T>| {
            for value in values {
                if !fold(value)? {
                    return Ok(false);
                }
            }
            Ok(true)
        })
    }

    fn run<T: Send>(
        &self,
        work: impl Fn(&Unit) -> Option<Part<T>> + Sync,
        mut fold: impl FnMut(T) -> Result<bool>,
    ) -> Result<Tally> {
        let (streams, bar) = self.open()?;
        let mut tally = Tally::default();
        let mut take = |part: Option<Part<T>>| {
            let Some(part) = part else { return Ok(true) };
            let told = bar.suspend(|| self.tell(&part, &mut tally));
            told?;
            fold(part.value)
        };
        let result = if self.threads == 1 || self.compat.is_some() {
            self.units(streams, |unit| take(work(&unit?)))
        } else {
            self.run_threads(streams, &work, take)
        };
        bar.finish_and_clear();
        result.map(|()| tally)
    }

    /// Every unit goes to whichever thread is free, with a place in the queue where its result
    /// will be; the queue's length bounds the memory.
    fn run_threads<T: Send>(
        &self,
        streams: Vec<Stream>,
        work: &(impl Fn(&Unit) -> Option<Part<T>> + Sync),
        mut take: impl FnMut(Option<Part<T>>) -> Result<bool>,
    ) -> Result {
        type Done<T> = Receiver<Result<Option<Part<T>>>>;
        let threads = usize::from(self.threads);
        let (jobs, work_queue) =
            bounded::<(Result<Unit>, Sender<Result<Option<Part<T>>>>)>(threads);
        let (places, results) = bounded::<Done<T>>(2 * threads);
        std::thread::scope(|scope| {
            for _ in 0..threads {
                let work_queue = work_queue.clone();
                scope.spawn(move || {
                    for (unit, done) in work_queue {
                        // Nobody waits any more after an early end.
                        let _ = done.send(unit.map(|unit| work(&unit)));
                    }
                });
            }
            drop(work_queue);
            scope.spawn(move || {
                // The reading stops when nobody takes its blocks.
                let _ = self.units(streams, |unit| {
                    let (done, place) = bounded(1);
                    Ok(places.send(place).is_ok() && jobs.send((unit, done)).is_ok())
                });
            });
            for place in results {
                let Ok(part) = place.recv() else { break };
                if !take(part?)? {
                    break;
                }
            }
            Ok(())
        })
    }

    /// Cuts the streams into units.
    fn units(
        &self,
        streams: Vec<Stream>,
        mut take: impl FnMut(Result<Unit>) -> Result<bool>,
    ) -> Result {
        for Stream { name, text } in streams {
            let unit = |content| Unit {
                name: Arc::clone(&name),
                content,
            };
            let failed = |error| Error::Message(format!("{name}: {error}"));
            if self.compat == Some(Compat::PythonChess) {
                let mut reader = compat::Reader::new(BufReader::new(text));
                loop {
                    let offset = reader.offset();
                    let game = reader.read_game().map_err(failed);
                    let Some(game) = game.transpose() else { break };
                    let next = game.map(|game| unit(Content::Compat(vec![(offset, game)])));
                    if !take(next)? {
                        return Ok(());
                    }
                }
                continue;
            }
            for block in Blocks::new(text as Box<dyn Read + Send>) {
                if !take(
                    block
                        .map(|block| unit(Content::Block(block)))
                        .map_err(failed),
                )? {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Reports what is wrong with the games of a part.
    fn tell<T>(&self, part: &Part<T>, tally: &mut Tally) -> Result {
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
            if report.is_repaired {
                tally.repaired += 1;
            } else {
                tally.lost += 1;
            }
            if !self.quiet {
                // Nobody is left to tell when stderr is closed.
                let _ = writeln!(stderr(), "{text}");
            }
        }
        tally.repaired += part.unreported;
        tally.games += part.games;
        Ok(())
    }
}

fn map_block<T>(
    name: &str,
    block: &Block,
    language: Language,
    map: impl Fn(Record<'_>) -> T,
) -> Part<Vec<T>> {
    let mut reports = Reports::new(name, block);
    let mut builder = Builder::new();
    let mut parser = Parser::new(&block.text);
    let mut value = Vec::new();
    let mut replay = Replay::new(&mut builder).in_language(language);
    while parser.read_game(&mut replay) == Step::Game {
        let mut tree = replay.visitor().take();
        let line = reports.line(tree.span.start);
        reports.game(&mut tree.problems);
        let raw = block.text.get(tree.span.clone()).unwrap_or_default();
        value.push(map(Record {
            offset: block.offset + tree.span.start as u64,
            tree: &mut tree,
            raw,
            name,
            line,
        }));
    }
    reports.part(block, value)
}

fn map_compat<T>(
    name: &str,
    games: &[(u64, CompatGame)],
    map: impl Fn(Record<'_>) -> T,
) -> Part<Vec<T>> {
    let mut reports = Vec::new();
    let mut value = Vec::new();
    for (index, (offset, game)) in games.iter().enumerate() {
        let report = |text: &String| Report {
            game: index as u64,
            is_repaired: false,
            place: format!("{name}:{offset}"),
            ply: 0,
            text: text.clone(),
            excerpt: None,
        };
        reports.extend(game.errors.iter().map(report));
        let mut tree = game.tree.clone();
        let raw = Export::default().write(&tree);
        value.push(map(Record {
            tree: &mut tree,
            raw: raw.as_bytes(),
            name,
            offset: *offset,
            line: 0,
        }));
    }
    Part {
        value,
        games: games.len() as u64,
        reports,
        unreported: 0,
    }
}

/// The FEN of a position as tables of games have it.
pub(super) const EN_PASSANT: EnPassant = EnPassant::Legal;
