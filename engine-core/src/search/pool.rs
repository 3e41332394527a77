//! The pool of search threads and the transposition table that they share.

use super::clock::Instant;
use super::event::{Bound, Convergence, Event, Info};
use super::job::{Job, Poll, Root, SearchResult};
use super::out_of_memory::OutOfMemory;
use super::shared::{PonderHit, Shared};
use super::threads::{self, Handle};
use super::tt::TranspositionTable;
use super::worker::Worker;
use super::{Limits, Probe, Score, SearchOptions};
use crate::{ByColor, dispatch};
use crossbeam_channel::{Receiver, Sender, unbounded};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The time limit of a search without limits that nothing could stop.
const DEFAULT_MOVE_TIME: Duration = Duration::from_secs(1);

enum PoolTask {
    Search(Box<Job>),
    Clear,
}

struct Thread {
    tasks: Sender<PoolTask>,
    handle: Handle,
}

/// The main search thread's worker, run in the thread of the pool's owner: where no thread can be
/// started, as in WebAssembly, or where that thread must not block.
#[derive(Clone)]
pub struct OwnerThread {
    worker: Arc<Mutex<Worker>>,
    tasks: Sender<PoolTask>,
    inbox: Receiver<PoolTask>,
}

impl OwnerThread {
    fn new(shared: &Arc<Shared>) -> OwnerThread {
        let (tasks, inbox) = unbounded();
        OwnerThread {
            worker: Arc::new(Mutex::new(Worker::new(0, Arc::clone(shared)))),
            tasks,
            inbox,
        }
    }

    /// Carries out all pending tasks, searches included, and returns when they are done. A call
    /// from within a search, by its [`Poll`], does nothing.
    pub fn work(&self) {
        if let Ok(mut worker) = self.worker.try_lock() {
            for task in self.inbox.try_iter() {
                worker.perform(task);
            }
        }
    }
}

/// The searcher: persistent threads and the transposition table that they share.
///
/// Methods return at once unless they say otherwise; a search reports by [`Event`]s.
///
/// ```
/// use engine_core::search::{Event, Limits, Pool, Root, SearchOptions, channel};
/// use engine_core::{AnyPosition, Variant};
///
/// let (events, inbox) = channel::unbounded();
/// let mut pool = Pool::new(16, events);
/// pool.set_threads(2)?;
/// let root = Root::from(AnyPosition::start(Variant::Standard));
/// let limits = Limits { infinite: true, ..Limits::default() };
/// pool.start(root, limits, SearchOptions::default());
/// for event in inbox {
///     match event {
///         Event::Info(info) if info.depth >= 5 => pool.stop(),
///         Event::BestMove(found) => {
///             assert!(found.best.is_some());
///             break;
///         }
///         _ => {}
///     }
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Pool {
    events: Sender<Event>,
    shared: Arc<Shared>,
    threads: Vec<Thread>,
    /// The main worker where no thread can be started, or none is wanted.
    owner_thread: Option<OwnerThread>,
    poll: Option<Poll>,
    table: Option<Arc<TranspositionTable>>,
    probe: Option<Arc<dyn Probe>>,
    hash_mb: usize,
    searches: u64,
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut pool = f.debug_struct("Pool");
        pool.field("hash_mb", &self.hash_mb).finish_non_exhaustive()
    }
}

impl Pool {
    /// A searcher with a table of this many MB that sends its events to the channel. The table takes
    /// memory only as it is used, and threads start with the first search.
    pub fn new(hash_mb: usize, events: Sender<Event>) -> Pool {
        let shared = Arc::new(Shared::new(0, events.clone()));
        Pool {
            events,
            shared,
            threads: Vec::new(),
            owner_thread: None,
            poll: None,
            table: None,
            probe: None,
            hash_mb,
            searches: 0,
        }
    }

    /// Searches in the thread of its owner from now on, whenever that calls [`OwnerThread::work`]
    /// or waits for a search. The poll may stop a search, but must not wait for its end.
    pub fn search_in_owner_thread(&mut self, poll: Poll) {
        self.join_threads();
        self.poll = Some(poll);
        self.use_owner_thread();
    }

    fn use_owner_thread(&mut self) {
        self.shared = Arc::new(Shared::new(1, self.events.clone()));
        self.owner_thread = Some(OwnerThread::new(&self.shared));
    }

    /// The main worker, if it runs in the owner's thread.
    pub fn owner_thread(&self) -> Option<&OwnerThread> {
        self.owner_thread.as_ref()
    }

    /// Changes the size of the table; its contents are lost. Waits for a running search to end.
    ///
    /// # Errors
    /// When there is no memory for this size, so that the table is smaller.
    pub fn set_hash(&mut self, mb: usize) -> Result<(), OutOfMemory> {
        self.wait();
        self.table = None;
        self.hash_mb = mb;
        self.table();
        match self.hash_mb {
            got if got == mb => Ok(()),
            got => Err(OutOfMemory::Hash { wanted: mb, got }),
        }
    }

    /// The size of the table in MB.
    pub fn hash(&self) -> usize {
        self.hash_mb
    }

    /// The table, allocated at first use; smaller if memory is short.
    fn table(&mut self) -> Arc<TranspositionTable> {
        if let Some(table) = &self.table {
            return Arc::clone(table);
        }
        loop {
            match TranspositionTable::new(self.hash_mb) {
                Ok(table) => return Arc::clone(self.table.insert(Arc::new(table))),
                Err(error) => {
                    log::warn!("cannot allocate a table of {} MB: {error}", self.hash_mb);
                    // A table of 0 MB is a single cluster.
                    self.hash_mb /= 2;
                }
            }
        }
    }

    /// The number of search threads, that of the owner included.
    fn len(&self) -> usize {
        self.threads.len() + usize::from(self.owner_thread.is_some())
    }

    /// The most threads.
    pub const MAX_THREADS: usize = 1024;

    /// Changes the number of threads, where the system can start any. Waits for a running search to end.
    ///
    /// # Errors
    /// When the system has no means for so many, or they are more than [`Pool::MAX_THREADS`], so that
    /// there are fewer.
    pub fn set_threads(&mut self, wanted: usize) -> Result<(), OutOfMemory> {
        let wanted = wanted.max(1);
        let threads = wanted.min(Pool::MAX_THREADS);
        if wanted == self.len() {
            return Ok(());
        }
        self.join_threads();
        self.shared = Arc::new(Shared::new(threads, self.events.clone()));
        self.owner_thread = self.poll.is_some().then(|| OwnerThread::new(&self.shared));
        for index in self.len()..threads {
            match self.spawn(index) {
                Ok(thread) => self.threads.push(thread),
                Err(error) => {
                    log::warn!("{index} search threads, no more: {error}");
                    break;
                }
            }
        }
        if self.len() == 0 {
            self.use_owner_thread();
        }
        match self.len() {
            got if got == wanted => Ok(()),
            got => Err(OutOfMemory::Threads { wanted, got }),
        }
    }

    /// Starts a search thread.
    ///
    /// # Errors
    /// When the system has no thread or no memory for it.
    fn spawn(&self, index: usize) -> std::io::Result<Thread> {
        if !threads::has_memory() {
            return Err(std::io::ErrorKind::OutOfMemory.into());
        }
        let (tasks, inbox) = unbounded();
        // Made here, so that the next thread sees how much memory is left.
        let worker = Worker::new(index, Arc::clone(&self.shared));
        let handle = threads::spawn(index, move || run(worker, &inbox))?;
        Ok(Thread { tasks, handle })
    }

    /// Sets the tablebases for the next searches, or none.
    pub fn set_probe(&mut self, probe: Option<Arc<dyn Probe>>) {
        self.probe = probe;
    }

    /// Clears the transposition table and histories. Waits for a running search to end.
    pub fn clear(&mut self) {
        self.wait();
        if self
            .table
            .as_deref()
            .is_some_and(TranspositionTable::is_slow_to_clear)
        {
            // A new table is zeroed by the system as it is used.
            self.table = None;
        }
        self.table().clear();
        self.send_all(|| PoolTask::Clear);
        self.wait();
    }

    /// Starts a search and returns its number, which its [`BestMove`](super::BestMove) repeats. A
    /// search that still runs is stopped first and ends with its own best move.
    ///
    /// Where no thread can be started, and there is no [`Poll`], it returns when the search has
    /// ended; a search without limits then takes a second.
    pub fn start(&mut self, root: Root, mut limits: Limits, options: SearchOptions) -> u64 {
        let start = Instant::now();
        self.stop();
        self.wait();
        if self.threads.is_empty() && self.owner_thread.is_none() {
            // Where no thread can be started, that of the owner searches.
            let _ = self.set_threads(1);
        }
        if self.owner_thread.is_some() && self.poll.is_none() {
            add_time_limit(&mut limits);
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
            poll: self.poll.clone(),
        };
        self.shared.reset(&job);
        self.send_all(|| PoolTask::Search(Box::new(job.clone())));
        self.searches
    }

    fn send_all(&self, task: impl Fn() -> PoolTask) {
        self.shared.set_busy(self.len());
        for thread in &self.threads {
            // A thread that is gone has panicked; the others go on without it.
            if thread.tasks.send(task()).is_err() {
                self.shared.finish(None);
            }
        }
        if let Some(owner_thread) = &self.owner_thread {
            // Both ends of the channel belong to `owner_thread`, so it is open.
            let _ = owner_thread.tasks.send(task());
            if self.poll.is_none() {
                owner_thread.work();
            }
        }
    }

    /// Asks a running search to end with its best move; does nothing when idle.
    pub fn stop(&self) {
        self.shared.stop();
    }

    /// The opponent played the expected move: the clock of a pondering search starts to count.
    /// Limits given now replace those of time; the others hold for the whole search.
    pub fn ponder_hit(&self, limits: Option<Limits>) {
        self.shared.set_ponder_hit(PonderHit {
            at: Instant::now(),
            limits,
        });
    }

    /// The nodes of the search so far.
    pub fn nodes(&self) -> u64 {
        self.shared.nodes()
    }

    /// Whether a search runs.
    pub fn is_searching(&self) -> bool {
        self.shared.is_busy()
    }

    /// Waits for a running search to end. An infinite one ends only when it is stopped: without
    /// threads nobody else can do that, so that it may still be held back when this returns.
    pub fn wait(&self) {
        match &self.owner_thread {
            Some(owner_thread) => {
                owner_thread.work();
                self.shared.wait_for_helpers();
            }
            None => self.shared.wait(),
        }
    }

    /// Waits at most so long for a running search to end, and returns whether none runs.
    ///
    /// The part of the owner's thread is done first, however long it takes.
    pub fn wait_for(&self, time: Duration) -> bool {
        if let Some(owner_thread) = &self.owner_thread {
            owner_thread.work();
        }
        self.shared.wait_for(time)
    }

    /// Ends all threads.
    fn join_threads(&mut self) {
        self.stop();
        self.wait();
        for thread in self.threads.drain(..) {
            drop(thread.tasks);
            thread.handle.join();
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.join_threads();
    }
}

/// Limits a search that nobody could stop.
fn add_time_limit(limits: &mut Limits) {
    (limits.infinite, limits.ponder) = (false, false);
    let is_counted = limits.nodes.or(limits.soft_nodes).is_some() || limits.depth.is_some();
    let is_timed = limits.move_time.is_some() || limits.clocks != ByColor::default();
    if !is_counted && !is_timed {
        limits.move_time = Some(DEFAULT_MOVE_TIME);
    }
}

/// The main loop of a search thread: one task after the other until the pool is dropped.
fn run(mut worker: Worker, tasks: &Receiver<PoolTask>) {
    for task in tasks {
        worker.perform(task);
    }
}

impl Worker {
    fn perform(&mut self, task: PoolTask) {
        match task {
            PoolTask::Clear => {
                self.clear();
                self.shared.finish(None);
            }
            PoolTask::Search(job) => self.run_search(&job),
        }
    }

    /// Searches and reports the result.
    fn run_search(&mut self, job: &Job) {
        // A search that panics still answers: the owner waits for its best move.
        let search = AssertUnwindSafe(|| {
            dispatch!(&job.root.position, |position| self.search(job, position))
        });
        let found = catch_unwind(search).unwrap_or_else(|_| {
            let index = self.index();
            log::error!("search thread {index} failed; any legal move is played");
            *self = Worker::new(index, Arc::clone(&self.shared));
            SearchResult::fallback(job)
        });
        self.release_table();
        if !self.is_main() {
            // Of several lines, those of the main thread belong together.
            let counts = job.options.multi_pv == 1;
            self.shared.finish(Some(found).filter(|_| counts));
            return;
        }
        if found.best.is_none() {
            report_no_move(&self.shared, found.score);
        }
        self.shared.finish_search(job, found);
    }
}

/// Reports the score of a root without legal moves.
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
    use crate::search::BestMove;
    use crate::{AnyPosition, CastlingMode, Variant};
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    fn position(fen: &str) -> AnyPosition {
        AnyPosition::from_fen(Variant::Standard, fen, CastlingMode::Standard).unwrap()
    }

    /// The best move among the events that have come.
    fn best_move(events: &Receiver<Event>) -> Option<BestMove> {
        events.try_iter().find_map(|event| match event {
            Event::BestMove(best) => Some(best),
            _ => None,
        })
    }

    #[test]
    fn an_immediate_stop_is_answered_by_depth_1() {
        let position = position("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1");
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
            let best = best_move(&events).expect("every search has a best move");
            assert_eq!(best.score, Score::mate_in(1));
            assert_eq!(best.best.map(crate::Move::to), Some(crate::Square::A8));
        }
    }

    #[test]
    fn a_move_was_searched_though_other_threads_spend_all_nodes() {
        let position =
            position("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
        // No search of this position likes the move that is generated first, a step of the king.
        let unsearched = position.legal_moves()[0];
        let (sender, events) = unbounded();
        let mut pool = Pool::new(1, sender);
        pool.set_threads(4).unwrap();
        for _ in 0..50 {
            let root = Root {
                position,
                history: Vec::new(),
            };
            let limits = Limits {
                nodes: Some(1500),
                ..Limits::default()
            };
            pool.clear();
            pool.start(root, limits, SearchOptions::default());
            pool.wait();
            let best = best_move(&events).expect("every search has a best move");
            assert_ne!(best.best, Some(unsearched));
        }
    }

    /// The lines of the last report of a search with several.
    fn last_lines(position: AnyPosition, lines: usize, limits: Limits) -> (Vec<Info>, BestMove) {
        let (sender, events) = unbounded();
        let mut pool = Pool::new(1, sender);
        let options = SearchOptions {
            multi_pv: lines,
            ..SearchOptions::default()
        };
        pool.start(Root::from(position), limits, options);
        pool.wait();
        let mut last: Vec<Info> = Vec::new();
        for event in events {
            match event {
                Event::Info(info) => {
                    last.truncate(info.multipv - 1);
                    last.push(info);
                }
                Event::BestMove(best) => return (last, best),
                Event::CurrentMove { .. } => {}
            }
        }
        panic!("every search has a best move")
    }

    #[test]
    fn lines_that_were_not_searched_are_not_told() {
        let count = |limits| {
            last_lines(AnyPosition::start(Variant::Standard), 99, limits)
                .0
                .len()
        };
        let few = Limits {
            nodes: Some(60),
            ..Limits::default()
        };
        assert!((1..20).contains(&count(few)));
        let all = Limits {
            depth: Some(1),
            ..Limits::default()
        };
        assert_eq!(count(all), 20);
    }

    #[test]
    fn lines_are_sorted_also_after_a_stop() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        ] {
            for nodes in (1000..20_000).step_by(700) {
                let limits = Limits {
                    nodes: Some(nodes),
                    ..Limits::default()
                };
                let (lines, best) = last_lines(position(fen), 5, limits);
                assert_eq!(best.best, lines[0].pv.first().copied());
                for pair in lines.windows(2) {
                    let is_sorted =
                        pair[0].depth != pair[1].depth || pair[0].score >= pair[1].score;
                    assert!(is_sorted, "{fen} {nodes} {lines:?}");
                }
            }
        }
    }

    #[test]
    fn without_threads_the_owner_works_and_the_poll_stops() {
        let (sender, events) = unbounded();
        let mut pool = Pool::new(1, sender);
        let beats = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&beats);
        let stopped: Arc<Mutex<Option<Arc<Shared>>>> = Arc::default();
        let to_stop = Arc::clone(&stopped);
        pool.search_in_owner_thread(Arc::new(move || {
            if counted.fetch_add(1, Relaxed) == 50 {
                to_stop.lock().unwrap().as_ref().unwrap().stop();
            }
        }));
        *stopped.lock().unwrap() = Some(Arc::clone(&pool.shared));
        let best = || best_move(&events);
        let start = |fen: &str, pool: &mut Pool| {
            let root = Root {
                position: position(fen),
                history: Vec::new(),
            };
            let limits = Limits {
                infinite: true,
                ..Limits::default()
            };
            pool.start(root, limits, SearchOptions::default());
            assert!(
                pool.is_searching() && best().is_none(),
                "it waits to be done"
            );
            pool.owner_thread().unwrap().work();
        };
        start(
            "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
            &mut pool,
        );
        assert_eq!(beats.load(Relaxed), 51);
        assert!(!pool.is_searching() && best().is_some());
        // A search that has seen everything is held back until it is stopped.
        start("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", &mut pool);
        assert!(pool.is_searching() && best().is_none());
        pool.stop();
        assert!(!pool.is_searching() && best().is_some());
    }

    #[test]
    fn the_owner_searches_beside_other_threads() {
        let (sender, events) = unbounded();
        let mut pool = Pool::new(1, sender);
        let owner = std::thread::current().id();
        let elsewhere = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&elsewhere);
        pool.search_in_owner_thread(Arc::new(move || {
            count.fetch_add(usize::from(std::thread::current().id() != owner), Relaxed);
        }));
        for threads in [3, 2, 1] {
            pool.set_threads(threads).unwrap();
            pool.clear();
            let root = Root {
                position: AnyPosition::start(Variant::Standard),
                history: Vec::new(),
            };
            let limits = Limits {
                depth: Some(8),
                infinite: true,
                ..Limits::default()
            };
            pool.start(root, limits, SearchOptions::default());
            pool.wait();
            assert!(pool.is_searching(), "it is held back");
            pool.stop();
            assert!(pool.wait_for(Duration::MAX));
            let heard = |event| match event {
                Event::BestMove(best) => best.best,
                _ => None,
            };
            assert_eq!(events.try_iter().filter_map(heard).count(), 1);
            // Each has searched, and is counted.
            let counts = (0..threads).map(|thread| pool.shared.nodes_of(thread));
            assert!(counts.into_iter().all(|nodes| nodes > 0));
        }
        assert_eq!(elsewhere.load(Relaxed), 0, "the poll is for the owner");
    }

    #[test]
    fn a_search_that_ends_before_its_first_score_reports_the_static_value() {
        let (sender, events) = unbounded();
        let mut pool = Pool::new(1, sender);
        let fen = "4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1";
        let mode = crate::CastlingMode::Standard;
        let root = Root {
            position: AnyPosition::from_fen(Variant::Standard, fen, mode).unwrap(),
            history: Vec::new(),
        };
        let limits = Limits {
            nodes: Some(1),
            ..Limits::default()
        };
        pool.start(root, limits, SearchOptions::default());
        pool.wait();
        let reported = events.try_iter().filter_map(|event| match event {
            Event::Info(info) => Some(info.score),
            _ => None,
        });
        let reported: Vec<Score> = reported.collect();
        assert!(!reported.is_empty());
        assert!(
            reported.iter().all(|&score| score > Score(1000)),
            "{reported:?}"
        );
    }

    #[test]
    fn without_threads_and_poll_every_search_ends_at_once() {
        let (sender, events) = unbounded();
        let mut pool = Pool::new(1, sender);
        pool.use_owner_thread();
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
