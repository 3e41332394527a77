//! Engines at work on positions.

use super::analysis::Analysis;
use super::task::AnalysisTask;
use crate::client::{Engine, EngineCommand, EngineRequest, ErrorKind};
use crate::start;
use crate::tournament::TimeControl;
use common::error::Result;
use common::parallel::{self, Ended, Interrupt, Workers};
use common::signals::Signal;
use crossbeam_channel::Receiver;
use engine_core::search::{Clock, Limits};
use engine_core::{ByColor, Color};
use std::ops::ControlFlow;

/// What is done with each position.
#[derive(Clone)]
pub(super) struct Work {
    pub(super) command: EngineCommand,
    pub(super) limits: Limits,
    /// White's clock and Black's.
    pub(super) clocks: Option<ByColor<TimeControl>>,
    pub(super) multi_pv: usize,
    pub(super) analyse: bool,
}

/// A position may need long, and many easy ones be done before it is.
const AHEAD: usize = 256;

impl Work {
    /// Analyses from the task of this number on, and passes on what was found in order. Where an
    /// engine fails the next position has a new one.
    pub(super) fn run(
        &self,
        tasks: &[AnalysisTask],
        first: usize,
        concurrency: usize,
        signals: &Receiver<Signal>,
        take: impl FnMut(Analysis) -> Result<ControlFlow<()>> + Send,
    ) -> Result<Ended> {
        let workers = Workers {
            threads: concurrency.min(tasks.len().saturating_sub(first)),
            ahead: AHEAD.max(concurrency),
            signals: signals.clone(),
        };
        let work = |interrupt: &Interrupt| {
            let interrupt = interrupt.channel().clone();
            let mut engine = None;
            Ok(move |(number, task)| self.analyse_one(&mut engine, number, task, &interrupt))
        };
        let tasks = tasks.iter().enumerate().skip(first);
        parallel::in_order(&workers, tasks, work, take)
    }

    fn analyse_one(
        &self,
        slot: &mut Option<Engine>,
        number: usize,
        task: &AnalysisTask,
        interrupt: &Receiver<()>,
    ) -> Result<Analysis> {
        let engine = match slot.take().filter(Engine::is_reusable) {
            Some(engine) => engine,
            None => start::start(&self.command, interrupt)?,
        };
        let engine = slot.insert(engine);
        // Nothing is remembered from one position to the next, so that the order does not count.
        let analysed = engine
            .new_game(None)
            .and_then(|()| engine.analyse(&task.game(), &self.request(task)));
        match analysed {
            Ok((lines, end)) => Ok(Analysis::found(number, task, &lines, &end)),
            Err(error)
                if matches!(
                    error.kind,
                    ErrorKind::NoOption(_) | ErrorKind::Unsupported(_) | ErrorKind::Interrupted
                ) =>
            {
                Err(error.into())
            }
            Err(error) => {
                *slot = None;
                Ok(Analysis::failed(number, task, error.to_string()))
            }
        }
    }

    /// What an engine is asked for a position.
    pub(super) fn request(&self, task: &AnalysisTask) -> EngineRequest {
        let turn = task.position.turn();
        let mut limits = self.limits.clone();
        limits.search_moves.clone_from(&task.moves);
        if let Some(clocks) = &self.clocks {
            limits.moves_to_go = clocks[turn].moves;
            limits.clocks = ByColor(Color::ALL.map(|color| {
                Some(Clock {
                    remaining: clocks[color].at_start(),
                    increment: clocks[color].increment,
                })
            }));
        }
        EngineRequest {
            limits,
            multi_pv: Some(self.multi_pv),
            analyse: self.analyse,
            ..EngineRequest::default()
        }
    }
}
