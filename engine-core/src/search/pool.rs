//! The threads of the searcher and the table they share.

use super::event::{Bound, Convergence, Event, Info};
use super::tt::Table;
use super::worker::{SearchResult, Worker};
use super::{Limits, Probe, Score, SearchOptions};
use crate::{AnyPosition, dispatch};
use crossbeam_channel::{Receiver, Sender, unbounded};
use parking_lot::{Condvar, Mutex};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Where a search starts.
#[derive(Clone, Debug)]
pub struct Root {
    /// The position to search.
    pub position: AnyPosition,
    /// The keys of the positions before it, oldest first, back to the last capture or pawn move
    /// at least: for repetitions.
    pub history: Vec<u64>,
}

/// One search, as every thread gets it.
#[derive(Clone)]
pub(super) struct Job {
    pub(super) search: u64,
    pub(super) root: Arc<Root>,
    pub(super) limits: Limits,
    pub(super) options: SearchOptions,
    pub(super) table: Arc<Table>,
    pub(super) probe: Option<Arc<dyn Probe>>,
    pub(super) start: Instant,
}

enum Task {
    Search(Box<Job>),
    Clear,
}

/// A counter on a cache line of its own, so that threads do not slow each other down.
#[repr(align(128))]
#[derive(Default)]
struct Counter(AtomicU64);

/// What all threads see of the running search.
pub(super) struct Shared {
    pub(super) stop: AtomicBool,
    nodes: Vec<Counter>,
    tb_hits: Vec<Counter>,
    /// Where events go; nowhere when nobody watches.
    events: Option<Sender<Event>>,
    /// What threads hold between searches, so that a new table needs no room beside the old one.
    pub(super) no_table: Arc<Table>,
    start: Mutex<Instant>,
    state: Mutex<RunState>,
    changed: Condvar,
}

#[derive(Default)]
struct RunState {
    /// Threads that have not finished their task.
    busy: usize,
    /// No best move before this is false: infinite analysis, or pondering.
    hold: bool,
    ponder_hit: Option<Instant>,
    found: Vec<(usize, SearchResult)>,
}

impl RunState {
    fn is_busy(&mut self) -> bool {
        self.busy > 0
    }
}

impl Shared {
    pub(super) fn new(threads: usize, events: Sender<Event>) -> Shared {
        Shared {
            events: Some(events),
            ..Shared::of_threads(threads)
        }
    }

    /// For one thread whose owner wants no events.
    pub(super) fn without_events() -> Shared {
        Shared::of_threads(1)
    }

    fn of_threads(threads: usize) -> Shared {
        Shared {
            stop: AtomicBool::new(false),
            nodes: (0..threads).map(|_| Counter::default()).collect(),
            tb_hits: (0..threads).map(|_| Counter::default()).collect(),
            events: None,
            no_table: Arc::new(Table::new(0).expect("64 bytes can be had")),
            start: Mutex::new(Instant::now()),
            state: Mutex::default(),
            changed: Condvar::new(),
        }
    }

    pub(super) fn nodes(&self) -> u64 {
        self.nodes
            .iter()
            .map(|counter| counter.0.load(Relaxed))
            .sum()
    }

    /// Positions that all threads found in endgame tables.
    pub(super) fn tb_hits(&self) -> u64 {
        let counters = self.tb_hits.iter();
        counters.map(|counter| counter.0.load(Relaxed)).sum()
    }

    pub(super) fn set_tb_hits(&self, thread: usize, hits: u64) {
        self.tb_hits[thread].0.store(hits, Relaxed);
    }

    pub(super) fn set_nodes(&self, thread: usize, nodes: u64) {
        self.nodes[thread].0.store(nodes, Relaxed);
    }

    pub(super) fn since_start(&self) -> Duration {
        self.start.lock().elapsed()
    }

    pub(super) fn ponder_hit(&self) -> Option<Instant> {
        self.state.lock().ponder_hit
    }

    /// Whether events are worth making.
    pub(super) fn has_listener(&self) -> bool {
        self.events.is_some()
    }

    /// Nobody listens any more when the owner is gone; then there is nothing to tell.
    pub(super) fn send(&self, event: Event) {
        if let Some(events) = &self.events {
            let _ = events.send(event);
        }
    }

    fn set_stop(&self) {
        let mut state = self.state.lock();
        state.hold = false;
        self.stop.store(true, Relaxed);
        drop(state);
        self.changed.notify_all();
    }

    /// The end of a search on the main thread: stops the others, waits until an answer is wanted,
    /// and gives the best that any thread has found.
    fn finish_search(&self, job: &Job, main: SearchResult) {
        let mut state = self.state.lock();
        while state.hold {
            self.changed.wait(&mut state);
        }
        self.stop.store(true, Relaxed);
        // A thread that the system lets wait shall not make this one late.
        let deadline = Instant::now() + HELPER_TIMEOUT;
        while state.busy > 1 && !self.changed.wait_until(&mut state, deadline).timed_out() {}
        let mut best = main;
        let mut other = None;
        for (_, found) in state.found.drain(..) {
            let deeper = found.depth > best.depth && found.score >= best.score;
            if found.best.is_some()
                && (deeper || found.depth >= best.depth && found.score > best.score)
            {
                other.clone_from(&found.line);
                best = found;
            }
        }
        // The best move is that of the line told last.
        if let Some(line) = other {
            self.send(Event::Info(Info {
                nodes: self.nodes(),
                time: self.since_start(),
                ..line
            }));
        }
        self.send(Event::BestMove(best.into_best_move(job.search)));
        state.busy -= 1;
        drop(state);
        self.changed.notify_all();
    }
}

/// How long the answer waits for what the other threads have found.
const HELPER_TIMEOUT: Duration = Duration::from_millis(1);

struct Thread {
    tasks: Sender<Task>,
    handle: JoinHandle<()>,
}

/// The searcher: persistent threads and the transposition table that they share.
///
/// Every method returns at once unless it says otherwise; what a search finds arrives as
/// [`Event`]s.
pub struct Pool {
    events: Sender<Event>,
    shared: Arc<Shared>,
    threads: Vec<Thread>,
    table: Option<Arc<Table>>,
    probe: Option<Arc<dyn Probe>>,
    hash_mb: usize,
    searches: u64,
}

impl Pool {
    /// A searcher of one thread with a table of this many MB, telling its events to the channel.
    /// The table takes memory only as it is used.
    pub fn new(hash_mb: usize, events: Sender<Event>) -> Pool {
        let shared = Arc::new(Shared::new(0, events.clone()));
        Pool {
            events,
            shared,
            threads: Vec::new(),
            table: None,
            probe: None,
            hash_mb,
            searches: 0,
        }
    }

    /// Changes the size of the table; its contents are lost. Waits for a running search to end.
    ///
    /// # Errors
    /// The size in MB that could be had, when this one could not.
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

    /// The table, made when it is first wanted; smaller when memory is short.
    fn table(&mut self) -> Arc<Table> {
        if let Some(table) = &self.table {
            return Arc::clone(table);
        }
        loop {
            match Table::new(self.hash_mb) {
                Ok(table) => return Arc::clone(self.table.insert(Arc::new(table))),
                Err(error) => {
                    log::warn!("no table of {} MB: {error}", self.hash_mb);
                    // A table of no MB is one cluster, which every machine has.
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
        self.shared = Arc::new(Shared::new(threads, self.events.clone()));
        for index in 0..threads {
            let (tasks, inbox) = unbounded();
            let shared = Arc::clone(&self.shared);
            let spawned = std::thread::Builder::new()
                .name(format!("search-{index}"))
                .stack_size(16 << 20)
                .spawn(move || serve(index, &shared, &inbox));
            match spawned {
                Ok(handle) => self.threads.push(Thread { tasks, handle }),
                Err(error) => {
                    log::warn!("{index} search threads, no more: {error}");
                    break;
                }
            }
        }
    }

    /// Looks positions up in these endgame tables from the next search on, or in none.
    pub fn set_probe(&mut self, probe: Option<Arc<dyn Probe>>) {
        self.probe = probe;
    }

    /// Forgets everything learned: table and histories. Waits for a running search to end.
    pub fn clear(&mut self) {
        self.wait();
        if self.table.as_deref().is_some_and(Table::is_slow_to_clear) {
            // A new table is zeroed as it is used, so that a huge one costs little here.
            self.table = None;
        }
        self.table().clear();
        self.give_all(|| Task::Clear);
        self.wait();
    }

    /// Starts a search and gives its number, which its [`BestMove`](super::BestMove) repeats. A
    /// search that still runs is stopped first and ends with its own best move.
    pub fn start(&mut self, root: Root, limits: Limits, options: SearchOptions) -> u64 {
        let start = Instant::now();
        self.stop();
        self.wait();
        if self.threads.is_empty() {
            self.set_threads(1);
        }
        let table = self.table();
        table.age();
        self.searches += 1;
        self.shared.stop.store(false, Relaxed);
        *self.shared.start.lock() = start;
        for counter in self.shared.nodes.iter().chain(&self.shared.tb_hits) {
            counter.0.store(0, Relaxed);
        }
        {
            let mut state = self.shared.state.lock();
            state.hold = limits.infinite || limits.ponder;
            state.ponder_hit = None;
            state.found.clear();
        }
        let search = self.searches;
        let root = Arc::new(root);
        let job = Job {
            search,
            root,
            limits,
            options,
            table,
            probe: self.probe.clone(),
            start,
        };
        self.give_all(|| Task::Search(Box::new(job.clone())));
        search
    }

    fn give_all(&self, task: impl Fn() -> Task) {
        self.shared.state.lock().busy = self.threads.len();
        for thread in &self.threads {
            // A thread that is gone has panicked; the others go on without it.
            if thread.tasks.send(task()).is_err() {
                self.shared.state.lock().busy -= 1;
            }
        }
    }

    /// Asks a running search to end with its best move; does nothing when idle.
    pub fn stop(&self) {
        self.shared.set_stop();
    }

    /// The opponent played the expected move: the clock of a pondering search starts to count.
    pub fn ponder_hit(&self) {
        let mut state = self.shared.state.lock();
        state.ponder_hit = Some(Instant::now());
        state.hold = false;
        drop(state);
        self.shared.changed.notify_all();
    }

    /// Whether a search runs.
    pub fn is_searching(&self) -> bool {
        self.shared.state.lock().busy > 0
    }

    /// Waits for a running search to end. An infinite one ends only when it is stopped.
    pub fn wait(&self) {
        let mut state = self.shared.state.lock();
        self.shared
            .changed
            .wait_while(&mut state, RunState::is_busy);
    }

    /// Waits for at most so long for a running search to end, and tells whether none runs.
    pub fn wait_for(&self, time: Duration) -> bool {
        let mut state = self.shared.state.lock();
        let changed = &self.shared.changed;
        let waited = changed.wait_while_for(&mut state, RunState::is_busy, time);
        !waited.timed_out()
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

/// The life of a search thread: one task after the other until the pool is gone.
fn serve(index: usize, shared: &Arc<Shared>, inbox: &Receiver<Task>) {
    let mut worker = Worker::new(index, Arc::clone(shared));
    for task in inbox {
        match task {
            Task::Clear => {
                worker.clear();
                finish(shared, None);
            }
            Task::Search(job) => {
                // A best move is owed whatever happens: the owner waits for it.
                let thinking = AssertUnwindSafe(|| {
                    dispatch!(&job.root.position, |position| worker.search(&job, position))
                });
                let found = catch_unwind(thinking).unwrap_or_else(|_| {
                    log::error!("search thread {index} failed; any legal move is played");
                    worker = Worker::new(index, Arc::clone(shared));
                    any_move(&job)
                });
                worker.release_table();
                if index > 0 {
                    finish(shared, Some((index, found)));
                } else {
                    if found.best.is_none() {
                        report_no_move(shared, found.score);
                    }
                    shared.finish_search(&job, found);
                }
            }
        }
    }
}

/// What can be said without a search.
fn any_move(job: &Job) -> SearchResult {
    let allowed = &job.limits.search_moves;
    let best = dispatch!(&job.root.position, |position| {
        let moves = position.legal_moves();
        moves
            .iter()
            .copied()
            .find(|m| allowed.is_empty() || allowed.contains(m))
    });
    SearchResult {
        best,
        ponder: None,
        score: Score::DRAW,
        depth: 0,
        line: None,
    }
}

fn finish(shared: &Shared, found: Option<(usize, SearchResult)>) {
    let mut state = shared.state.lock();
    state.found.extend(found);
    state.busy -= 1;
    drop(state);
    shared.changed.notify_all();
}

/// Mate and stalemate have a score too.
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
