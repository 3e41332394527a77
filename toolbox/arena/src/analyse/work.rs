//! Engines at work, several at a time.

use super::record::Record;
use super::task::Task;
use crate::client::{Command, Engine, ErrorKind, Request, Result};
use crossbeam_channel::{Receiver, Sender, bounded};
use engine_core::search::Limits;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// What is done with each position.
#[derive(Clone)]
pub(super) struct Work {
    pub(super) command: Command,
    pub(super) limits: Limits,
    pub(super) multi_pv: usize,
    pub(super) analyse: bool,
}

/// Engines that work. Dropping this ends them.
pub(super) struct Running {
    records: Receiver<Result<Record>>,
    interrupt: Option<Sender<()>>,
    workers: Vec<JoinHandle<()>>,
}

/// How long an engine may take to introduce itself.
const START: Duration = Duration::from_secs(30);

impl Work {
    /// Begins with the task of this number.
    pub(super) fn start(self, tasks: &[Task], first: usize, concurrency: usize) -> Running {
        let tasks: Arc<[Task]> = tasks.into();
        let next = Arc::new(AtomicUsize::new(first));
        let (sender, records) = bounded(256);
        let (interrupt, interrupted) = bounded(0);
        let count = concurrency.min(tasks.len().saturating_sub(first)).max(1);
        let workers = (0..count).map(|_| {
            let (work, tasks, next) = (self.clone(), Arc::clone(&tasks), Arc::clone(&next));
            let (sender, interrupted) = (sender.clone(), interrupted.clone());
            thread::spawn(move || work.run(&tasks, &next, &sender, &interrupted))
        });
        Running {
            workers: workers.collect(),
            records,
            interrupt: Some(interrupt),
        }
    }

    fn run(
        &self,
        tasks: &[Task],
        next: &AtomicUsize,
        sender: &Sender<Result<Record>>,
        interrupt: &Receiver<()>,
    ) {
        let mut engine = None;
        loop {
            let number = next.fetch_add(1, Relaxed);
            let Some(task) = tasks.get(number) else {
                return;
            };
            let record = match self.analyse(&mut engine, number, task, interrupt) {
                Err(error) if matches!(error.kind, ErrorKind::Interrupted) => return,
                Err(error)
                    if !matches!(error.kind, ErrorKind::Start(_) | ErrorKind::Unsupported(_)) =>
                {
                    // The next position has a new engine.
                    engine = None;
                    Ok(Record::failed(number, task, Some(error.to_string())))
                }
                record => record,
            };
            let is_over = record.is_err();
            if sender.send(record).is_err() || is_over {
                return;
            }
        }
    }

    fn analyse(
        &self,
        engine: &mut Option<Engine>,
        number: usize,
        task: &Task,
        interrupt: &Receiver<()>,
    ) -> Result<Record> {
        let engine = match engine {
            Some(engine) => engine,
            None => engine.insert(Engine::start_with(&self.command, START, interrupt.clone())?),
        };
        // Nothing is remembered from one position to the next, so that the order does not count.
        engine.new_game(None)?;
        let request = Request {
            limits: self.limits.clone(),
            multi_pv: Some(self.multi_pv),
            analyse: self.analyse,
            ..Request::default()
        };
        let (lines, played) = engine.analyse(&task.game, &request)?;
        Ok(Record::found(number, task, &lines, &played))
    }
}

impl Running {
    pub(super) fn records(&self) -> &Receiver<Result<Record>> {
        &self.records
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.interrupt = None;
        // Workers that wait to hand over a record must not wait for ever.
        while self.records.recv().is_ok() {}
        for worker in self.workers.drain(..) {
            // One that has panicked has told so.
            let _ = worker.join();
        }
    }
}
