//! The pool of search threads and the transposition table that they share.

use super::event::{Bound, Convergence, Event, Info};
use super::job::{Job, Root, SearchResult};
use super::shared::Shared;
use super::tt::Table;
use super::worker::Worker;
use super::{Limits, Probe, Score, SearchOptions};
use crate::{ByColor, dispatch};
use crossbeam_channel::{Receiver, Sender, unbounded};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How long a search takes that runs where nobody could stop it.
const UNSTOPPABLE: Duration = Duration::from_secs(1);

enum Task {
    Search(Box<Job>),
    Clear,
}

struct Thread {
    tasks: Sender<Task>,
    handle: JoinHandle<()>,
}

/// The searcher: persistent threads and the transposition table that they share.
///
/// Methods return at once unless they say otherwise; a search reports by [`Event`]s.
pub struct Pool {
    events: Sender<Event>,
    shared: Arc<Shared>,
    threads: Vec<Thread>,
    /// Searches in the caller's thread where no thread can be had, as in WebAssembly.
    caller: Option<Box<Worker>>,
    table: Option<Arc<Table>>,
    probe: Option<Arc<dyn Probe>>,
    hash_mb: usize,
    searches: u64,
}

impl Pool {
    /// A searcher of one thread with a table of this many MB that sends its events to the channel.
    /// The table takes memory only as it is used.
    pub fn new(hash_mb: usize, events: Sender<Event>) -> Pool {
        let shared = Arc::new(Shared::new(0, events.clone()));
        Pool {
            events,
            shared,
            threads: Vec::new(),
            caller: None,
            table: None,
            probe: None,
            hash_mb,
            searches: 0,
        }
    }

    /// Changes the size of the table; its contents are lost. Waits for a running search to end.
    ///
    /// # Errors
    /// The smaller size in MB that was allocated, when this one could not be.
    pub fn set_hash(&mut self, mb: usize) -> Result<(), usize> {
        self.wait();
        self.table = None;
        self.hash_mb = mb;
        self.table();
        if self.hash_mb == mb {
            Ok(())
        } else {
            Err(self.hash_mb)
        }
    }

    /// The table, allocated at first use; smaller if memory is short.
    fn table(&mut self) -> Arc<Table> {
        if let Some(table) = &self.table {
            return Arc::clone(table);
        }
        loop {
            match Table::new(self.hash_mb) {
                Ok(table) => return Arc::clone(self.table.insert(Arc::new(table))),
                Err(error) => {
                    log::warn!("no table of {} MB: {error}", self.hash_mb);
                    // A table of 0 MB is a single cluster.
                    self.hash_mb /= 2;
                }
            }
        }
    }

    /// Changes the number of threads. Waits for a running search to end.
    pub fn set_threads(&mut self, threads: usize) {
        let threads = threads.max(1);
        if threads == self.threads.len() {
            return;
        }
        self.retire();
        self.caller = None;
        self.shared = Arc::new(Shared::new(threads, self.events.clone()));
        for index in 0..threads {
            let (tasks, inbox) = unbounded();
            let shared = Arc::clone(&self.shared);
            let spawned = std::thread::Builder::new()
                .name(format!("search-{index}"))
                .stack_size(16 << 20)
                .spawn(move || run(index, &shared, &inbox));
            match spawned {
                Ok(handle) => self.threads.push(Thread { tasks, handle }),
                Err(error) => {
                    log::warn!("{index} search threads, no more: {error}");
                    break;
                }
            }
        }
        if self.threads.is_empty() {
            let worker = Worker::new(0, Arc::clone(&self.shared));
            self.caller = Some(Box::new(worker));
        }
    }

    /// Sets the tablebases for the next searches, or none.
    pub fn set_probe(&mut self, probe: Option<Arc<dyn Probe>>) {
        self.probe = probe;
    }

    /// Clears the transposition table and histories. Waits for a running search to end.
    pub fn clear(&mut self) {
        self.wait();
        if self.table.as_deref().is_some_and(Table::is_slow_to_clear) {
            // A new table is zeroed by the system as it is used.
            self.table = None;
        }
        self.table().clear();
        self.send_all(|| Task::Clear);
        self.wait();
    }

    /// Starts a search and gives its number, which its [`BestMove`](super::BestMove) repeats. A
    /// search that still runs is stopped first and ends with its own best move.
    ///
    /// Where no thread can be had it returns when the search has ended, and one that nothing else
    /// would end takes a second.
    pub fn start(&mut self, root: Root, mut limits: Limits, options: SearchOptions) -> u64 {
        let start = Instant::now();
        self.stop();
        self.wait();
        if self.threads.is_empty() && self.caller.is_none() {
            self.set_threads(1);
        }
        if self.caller.is_some() {
            end_by_itself(&mut limits);
        }
        let table = self.table();
        table.age();
        self.searches += 1;
        let job = Job {
            search: self.searches,
            root: Arc::new(root),
            limits,
            options,
            table,
            probe: self.probe.clone(),
            start,
        };
        self.shared.reset(&job);
        self.send_all(|| Task::Search(Box::new(job.clone())));
        self.searches
    }

    fn send_all(&mut self, task: impl Fn() -> Task) {
        if let Some(worker) = &mut self.caller {
            self.shared.set_busy(1);
            perform(worker, 0, &self.shared, task());
            return;
        }
        self.shared.set_busy(self.threads.len());
        for thread in &self.threads {
            // A thread that is gone has panicked; the others go on without it.
            if thread.tasks.send(task()).is_err() {
                self.shared.finish(None);
            }
        }
    }

    /// Asks a running search to end with its best move; does nothing when idle.
    pub fn stop(&self) {
        self.shared.stop();
    }

    /// The opponent played the expected move: the clock of a pondering search starts to count.
    pub fn ponder_hit(&self) {
        self.shared.set_ponder_hit();
    }

    /// Whether a search runs.
    pub fn is_searching(&self) -> bool {
        self.shared.is_busy()
    }

    /// Waits for a running search to end. An infinite one ends only when it is stopped.
    pub fn wait(&self) {
        self.shared.wait();
    }

    /// Waits at most so long for a running search to end, and returns whether none runs.
    pub fn wait_for(&self, time: Duration) -> bool {
        self.shared.wait_for(time)
    }

    /// Ends all threads.
    fn retire(&mut self) {
        self.stop();
        self.wait();
        for thread in self.threads.drain(..) {
            drop(thread.tasks);
            let _ = thread.handle.join();
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.retire();
    }
}

/// Limits a search that nobody could stop.
fn end_by_itself(limits: &mut Limits) {
    (limits.infinite, limits.ponder) = (false, false);
    let is_counted = limits.nodes.or(limits.soft_nodes).is_some() || limits.depth.is_some();
    let is_timed = limits.move_time.is_some() || limits.clocks != ByColor::default();
    if !is_counted && !is_timed {
        limits.move_time = Some(UNSTOPPABLE);
    }
}

/// The main loop of a search thread: one task after the other until the pool is dropped.
fn run(index: usize, shared: &Arc<Shared>, tasks: &Receiver<Task>) {
    let mut worker = Worker::new(index, Arc::clone(shared));
    for task in tasks {
        perform(&mut worker, index, shared, task);
    }
}

fn perform(worker: &mut Worker, index: usize, shared: &Arc<Shared>, task: Task) {
    let job = match task {
        Task::Clear => {
            worker.clear();
            return shared.finish(None);
        }
        Task::Search(job) => job,
    };
    // A search that panics still answers: the owner waits for its best move.
    let search = AssertUnwindSafe(|| {
        dispatch!(&job.root.position, |position| worker.search(&job, position))
    });
    let found = catch_unwind(search).unwrap_or_else(|_| {
        log::error!("search thread {index} failed; any legal move is played");
        *worker = Worker::new(index, Arc::clone(shared));
        SearchResult::fallback(&job)
    });
    worker.release_table();
    if index > 0 {
        return shared.finish(Some(found));
    }
    if found.best.is_none() {
        report_no_move(shared, found.score);
    }
    shared.finish_search(&job, found);
}

/// Reports the score of a root that is mate or stalemate.
fn report_no_move(shared: &Shared, score: Score) {
    shared.send(Event::Info(Info {
        depth: 0,
        seldepth: 0,
        multipv: 1,
        score,
        bound: Bound::Exact,
        nodes: 0,
        time: shared.since_start(),
        hashfull: 0,
        tbhits: 0,
        pv: Vec::new(),
        convergence: Convergence::default(),
    }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AnyPosition, Setup, Variant};

    #[test]
    fn an_immediate_stop_is_answered_by_depth_1() {
        let fen = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";
        let setup = Setup::from_variant_fen(Variant::Standard, fen).unwrap();
        let mode = setup.castling_mode();
        let position = AnyPosition::from_setup(Variant::Standard, &setup, mode).unwrap();
        let (sender, events) = unbounded();
        let mut pool = Pool::new(1, sender);
        for _ in 0..50 {
            let root = Root {
                position,
                history: Vec::new(),
            };
            let limits = Limits {
                infinite: true,
                ..Limits::default()
            };
            pool.clear();
            pool.start(root, limits, SearchOptions::default());
            pool.stop();
            pool.wait();
            let best = events.try_iter().find_map(|event| match event {
                Event::BestMove(best) => Some(best),
                _ => None,
            });
            let best = best.expect("every search has a best move");
            assert_eq!(best.score, Score::mate_in(1));
            assert_eq!(best.best.map(crate::Move::to), Some(crate::Square::A8));
        }
    }

    #[test]
    fn without_threads_the_caller_searches_and_every_search_ends() {
        let (sender, events) = unbounded();
        let mut pool = Pool::new(1, sender);
        pool.shared = Arc::new(Shared::new(1, pool.events.clone()));
        pool.caller = Some(Box::new(Worker::new(0, Arc::clone(&pool.shared))));
        pool.clear();
        for infinite in [false, true] {
            let root = Root {
                position: AnyPosition::start(Variant::Standard),
                history: Vec::new(),
            };
            let limits = Limits {
                infinite,
                depth: (!infinite).then_some(3),
                ..Limits::default()
            };
            pool.start(root, limits, SearchOptions::default());
            assert!(!pool.is_searching());
            let is_best =
                |event: &Event| matches!(event, Event::BestMove(best) if best.best.is_some());
            assert_eq!(events.try_iter().filter(is_best).count(), 1);
        }
    }
}
