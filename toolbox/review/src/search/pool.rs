//! A pool of engines.

use super::result::{PvLine, SearchResult};
use arena::client::{self, Engine, EngineCommand, EngineRequest, SearchEvent};
use arena::expectation::comparable;
use common::error::Result;
use common::parallel::{self, Ended, Interrupt, Workers};
use common::signals::Signal;
use crossbeam_channel::Receiver;
use engine_core::Game;
use engine_core::search::{Bound, Limits};
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
    let mut lines = BTreeMap::new();
    let mut first = None;
    let mut settled = 0;
    while let SearchEvent::Info(info) = engine.next(None)? {
        // A bound is not the final score.
        let is_exact = matches!(info.bound, None | Some(Bound::Exact));
        let Some(score) = info.score.filter(|_| is_exact && !info.pv.is_empty()) else {
            continue;
        };
        let number = info.multipv.unwrap_or(1);
        let depth = info.depth.unwrap_or(0);
        if number == 1 && first != info.pv.first().copied() {
            first = info.pv.first().copied();
            settled = depth;
        }
        let eval = score.white().into();
        let mut moves = info.pv;
        moves.truncate(LONGEST_LINE);
        lines.insert(number, PvLine { eval, depth, moves });
    }
    Ok(SearchResult {
        lines: lines.into_values().collect(),
        settled,
    })
}
