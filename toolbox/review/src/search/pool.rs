//! A pool of engines.

use super::result::{PvLine, SearchResult};
use arena::client::{self, Engine, EngineCommand, EngineRequest, Info, SearchEvent};
use arena::expectation::comparable;
use common::error::Result;
use common::parallel::{self, Ended, Interrupt, Workers};
use common::signals::Signal;
use crossbeam_channel::Receiver;
use engine_core::search::{Bound, Limits};
use engine_core::{Game, Move};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// A position with its game, and how to search it.
pub(crate) struct SearchRequest {
    pub(crate) game: Game,
    pub(crate) limits: Limits,
    /// How many lines are wanted.
    pub(crate) lines: usize,
}

/// Engines, started when they are first needed.
pub(super) struct EnginePool {
    pub(super) command: EngineCommand,
    /// Whether that is Mola.
    pub(super) is_own: bool,
    pub(super) concurrency: usize,
    pub(super) idle: Mutex<Vec<Engine>>,
}

/// How long an engine may take to introduce itself.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(30);
/// Plies of a line that are kept.
const LONGEST_LINE: usize = 20;

impl EnginePool {
    /// Searches all, `concurrency` at a time; false if a signal came before the end.
    ///
    /// # Errors
    /// When an engine fails, and what `take` fails with.
    pub(super) fn run(
        &self,
        requests: impl Iterator<Item = SearchRequest> + Send,
        signals: &Receiver<Signal>,
        mut take: impl FnMut(&SearchRequest, SearchResult) -> Result + Send,
    ) -> Result<bool> {
        let workers = Workers {
            threads: self.concurrency,
            ahead: 4 * self.concurrency,
            signals: signals.clone(),
        };
        let worker = |interrupt: &Interrupt| {
            let interrupt = interrupt.channel().clone();
            Ok(move |request: SearchRequest| {
                let mut engine = self.engine(&interrupt)?;
                let mut result = search(&mut engine, &request)?;
                self.put_back(engine);
                if self.is_own {
                    let variant = request.game.position().variant();
                    for line in &mut result.lines {
                        line.eval = comparable(line.eval, variant);
                    }
                }
                Ok((request, result))
            })
        };
        let ended = parallel::in_order(&workers, requests, worker, |(request, result)| {
            take(&request, result)?;
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(ended != Ended::Interrupted)
    }

    /// An idle engine or a new one. When the channel closes, all its waits end.
    fn engine(&self, interrupt: &Receiver<()>) -> client::Result<Engine> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let engine = idle.pop();
        drop(idle);
        match engine {
            Some(mut engine) => {
                engine.set_interrupt(interrupt.clone());
                Ok(engine)
            }
            None => Engine::start_with(&self.command, HANDSHAKE_TIMEOUT, interrupt.clone()),
        }
    }

    fn put_back(&self, engine: Engine) {
        if !engine.is_reusable() {
            return;
        }
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.push(engine);
    }
}

/// Searches a position as of a new game, so that the result depends neither on the order nor on the
/// number of engines.
fn search(engine: &mut Engine, wanted: &SearchRequest) -> client::Result<SearchResult> {
    engine.new_game(None)?;
    let request = EngineRequest {
        multi_pv: Some(wanted.lines),
        ..EngineRequest::analysis(wanted.limits.clone())
    };
    engine.begin(&wanted.game, &request)?;
    let mut found = LinesOfSearch::new(wanted.lines);
    while let SearchEvent::Info(info) = engine.next(None)? {
        found.add(*info);
    }
    Ok(found.result())
}

/// The lines of a search that goes on.
struct LinesOfSearch {
    /// How many there may be, whatever the engine reports.
    wanted: usize,
    /// By their numbers.
    lines: BTreeMap<usize, PvLine>,
    first: Option<Move>,
    settled: u32,
}

impl LinesOfSearch {
    fn new(wanted: usize) -> LinesOfSearch {
        LinesOfSearch {
            wanted,
            lines: BTreeMap::new(),
            first: None,
            settled: 0,
        }
    }

    fn add(&mut self, info: Info) {
        // A bound is not the final score.
        let is_exact = matches!(info.bound, None | Some(Bound::Exact));
        let Some(score) = info.score.filter(|_| is_exact && !info.pv.is_empty()) else {
            return;
        };
        let number = info.multipv.unwrap_or(1);
        if !(1..=self.wanted).contains(&number) {
            return;
        }
        let depth = info.depth.unwrap_or(0);
        if number == 1 {
            // Another line of the iteration before may begin with this move.
            self.lines.retain(|_, line| line.depth >= depth);
            if self.first != info.pv.first().copied() {
                self.first = info.pv.first().copied();
                self.settled = depth;
            }
        }
        let eval = score.white().into();
        let mut moves = info.pv;
        moves.truncate(LONGEST_LINE);
        self.lines.insert(number, PvLine { eval, depth, moves });
    }

    fn result(self) -> SearchResult {
        SearchResult {
            lines: self.lines.into_values().collect(),
            settled: self.settled,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena::client::{PovScore, Score};
    use engine_core::{Color, Square};
    use pgn::Eval;

    fn info(depth: u32, number: usize, cp: i32, bound: Bound, to: Square) -> Info {
        Info {
            depth: Some(depth),
            multipv: Some(number),
            score: Some(PovScore {
                relative: Score::Cp(cp),
                turn: Color::White,
            }),
            bound: Some(bound),
            pv: vec![Move::normal(Square::E2, to)],
            ..Info::default()
        }
    }

    #[test]
    fn lines_are_those_of_the_last_iteration() {
        use Square::{E3, E4};
        let exact = |depth, number, cp, to| info(depth, number, cp, Bound::Exact, to);
        let bound = info(9, 2, 590, Bound::Lower, E3);
        let (first, second) = (exact(8, 1, 40, E4), exact(8, 2, -100, E3));
        let late = exact(8, 2, 30, E4);
        let (none, third) = (exact(8, 0, 90, E4), exact(8, 3, -200, E4));
        for (infos, evals) in [
            (vec![&first, &second], vec![40, -100]),
            (vec![&none, &first, &second, &third], vec![40, -100]),
            // The new first move was the second; another one is not known.
            (vec![&first, &second, &exact(9, 1, 600, E3)], vec![600]),
            (
                vec![&first, &second, &exact(9, 1, 600, E4), &bound],
                vec![600],
            ),
            // What comes after the first line belongs to it.
            (
                vec![&first, &second, &exact(9, 1, 600, E3), &late],
                vec![600, 30],
            ),
        ] {
            let mut found = LinesOfSearch::new(2);
            for info in infos {
                found.add(info.clone());
            }
            let found = found.result().lines.into_iter();
            let found: Vec<_> = found.map(|line| line.eval).collect();
            let evals: Vec<_> = evals.into_iter().map(Eval::Cp).collect();
            assert_eq!(found, evals);
        }
    }
}
