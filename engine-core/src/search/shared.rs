//! What all threads of a searcher share.

use super::clock::Instant;
use super::event::{Event, Info};
use super::job::{Job, SearchResult};
use super::limits::Limits;
use super::tt::TranspositionTable;
use crossbeam_channel::Sender;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long the main thread waits for the results of the helper threads. One that the system does
/// not run must not delay the best move.
const HELPER_TIMEOUT: Duration = Duration::from_millis(1);

/// A counter on a cache line of its own, against false sharing.
#[repr(align(128))]
#[derive(Default)]
struct PaddedCounter(AtomicU64);

/// Locks, even after a thread has panicked: no statement under a lock can panic, so the data is
/// whole.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn sum(counters: &[PaddedCounter]) -> u64 {
    counters.iter().map(|counter| counter.0.load(Relaxed)).sum()
}

/// The state of the running search that all threads see.
pub(super) struct Shared {
    stop: AtomicBool,
    nodes: Vec<PaddedCounter>,
    tb_hits: Vec<PaddedCounter>,
    /// Where events are sent, if anybody listens.
    events: Option<Sender<Event>>,
    /// An empty table, which threads hold between searches so that the memory of the real one can
    /// be freed before a new one is allocated.
    pub(super) no_table: Arc<TranspositionTable>,
    start: Mutex<Instant>,
    state: Mutex<RunState>,
    changed: Condvar,
}

/// The opponent has played the expected move.
#[derive(Clone, Debug)]
pub(super) struct PonderHit {
    /// When the clock started.
    pub(super) at: Instant,
    /// The limits of time from now on, if they are not those with which the search began.
    pub(super) limits: Option<Limits>,
}

#[derive(Default)]
struct RunState {
    /// Threads that have not finished their task.
    busy: usize,
    /// No best move is sent while this is set: infinite analysis or pondering.
    hold: bool,
    ponder_hit: Option<PonderHit>,
    /// The results of the helper threads.
    found: Vec<SearchResult>,
    /// The result of the main thread, and the number of its search, while it is held back.
    held: Option<(u64, SearchResult)>,
}

impl RunState {
    fn is_busy(&self) -> bool {
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

    /// For a single thread that sends no events.
    pub(super) fn without_events() -> Shared {
        Shared::of_threads(1)
    }

    fn of_threads(threads: usize) -> Shared {
        Shared {
            stop: AtomicBool::new(false),
            nodes: (0..threads).map(|_| PaddedCounter::default()).collect(),
            tb_hits: (0..threads).map(|_| PaddedCounter::default()).collect(),
            events: None,
            no_table: Arc::new(TranspositionTable::new(0).expect("64 bytes can be allocated")),
            start: Mutex::new(Instant::now()),
            state: Mutex::default(),
            changed: Condvar::new(),
        }
    }

    /// Resets everything for a search that starts now.
    pub(super) fn reset(&self, job: &Job) {
        self.stop.store(false, Relaxed);
        *lock(&self.start) = job.start;
        for counter in self.nodes.iter().chain(&self.tb_hits) {
            counter.0.store(0, Relaxed);
        }
        let mut state = lock(&self.state);
        state.hold = job.limits.infinite || job.limits.ponder;
        state.ponder_hit = None;
        state.found.clear();
        state.held = None;
    }

    /// Nodes of all threads.
    pub(super) fn nodes(&self) -> u64 {
        sum(&self.nodes)
    }

    #[cfg(test)]
    pub(super) fn nodes_of(&self, thread: usize) -> u64 {
        self.nodes[thread].0.load(Relaxed)
    }

    /// Tablebase hits of all threads.
    pub(super) fn tb_hits(&self) -> u64 {
        sum(&self.tb_hits)
    }

    /// Publishes the counts of a thread.
    pub(super) fn set_counts(&self, thread: usize, nodes: u64, tb_hits: u64) {
        self.nodes[thread].0.store(nodes, Relaxed);
        self.tb_hits[thread].0.store(tb_hits, Relaxed);
    }

    pub(super) fn since_start(&self) -> Duration {
        lock(&self.start).elapsed()
    }

    pub(super) fn ponder_hit(&self) -> Option<PonderHit> {
        lock(&self.state).ponder_hit.clone()
    }

    pub(super) fn set_ponder_hit(&self, hit: PonderHit) {
        let mut state = lock(&self.state);
        state.ponder_hit = Some(hit);
        state.hold = false;
        self.conclude(state);
    }

    /// Whether anybody listens to events.
    pub(super) fn has_listener(&self) -> bool {
        self.events.is_some()
    }

    /// Sends an event; lost if its receiver is gone.
    pub(super) fn send(&self, event: Event) {
        if let Some(events) = &self.events {
            let _ = events.send(event);
        }
    }

    #[inline]
    pub(super) fn must_stop(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Ends the search on all threads; an infinite one still holds its best move back.
    pub(super) fn end(&self) {
        self.stop.store(true, Relaxed);
    }

    /// Ends the search on all threads and lets an infinite one send its best move.
    pub(super) fn stop(&self) {
        let mut state = lock(&self.state);
        state.hold = false;
        self.end();
        self.conclude(state);
    }

    /// Sets how many threads are given a task.
    pub(super) fn set_busy(&self, threads: usize) {
        lock(&self.state).busy = threads;
    }

    /// A thread has finished its task, for a helper thread in a search with a result.
    pub(super) fn finish(&self, found: Option<SearchResult>) {
        let mut state = lock(&self.state);
        state.found.extend(found);
        state.busy -= 1;
        drop(state);
        self.changed.notify_all();
    }

    /// The end of a search on the main thread. The best move is sent once that is allowed.
    pub(super) fn finish_search(&self, job: &Job, main: SearchResult) {
        let mut state = lock(&self.state);
        state.held = Some((job.search, main));
        if !state.hold {
            self.conclude(state);
        }
    }

    /// If the main thread has finished its search, stops the helpers and sends the best that any
    /// thread has found.
    fn conclude(&self, mut state: MutexGuard<'_, RunState>) {
        let Some((search, mut best)) = state.held.take() else {
            return;
        };
        self.end();
        let deadline = Instant::now() + HELPER_TIMEOUT;
        state = self.wait_until(state, Some(deadline), |state| state.busy > 1);
        let mut other = None;
        for found in state.found.drain(..) {
            if found.is_better_than(&best) {
                other.clone_from(&found.line);
                best = found;
            }
        }
        // The last line reported must be that of the best move.
        if let Some(line) = other {
            self.send(Event::Info(Info {
                nodes: self.nodes(),
                time: self.since_start(),
                ..line
            }));
        }
        self.send(Event::BestMove(best.into_best_move(search)));
        state.busy -= 1;
        drop(state);
        self.changed.notify_all();
    }

    pub(super) fn is_busy(&self) -> bool {
        lock(&self.state).is_busy()
    }

    /// Waits while the condition holds, at most until the deadline.
    fn wait_until<'a>(
        &self,
        mut state: MutexGuard<'a, RunState>,
        deadline: Option<Instant>,
        condition: impl Fn(&RunState) -> bool,
    ) -> MutexGuard<'a, RunState> {
        while condition(&state) {
            state = match deadline.map(|deadline| deadline - Instant::now()) {
                None => {
                    let woken = self.changed.wait(state);
                    woken.unwrap_or_else(PoisonError::into_inner)
                }
                Some(Duration::ZERO) => break,
                // Not `wait_timeout_while`, which reads a clock that WebAssembly pages lack.
                Some(left) => {
                    let woken = self.changed.wait_timeout(state, left);
                    woken.unwrap_or_else(PoisonError::into_inner).0
                }
            }
        }
        state
    }

    /// Waits until all threads have finished their tasks.
    pub(super) fn wait(&self) {
        drop(self.wait_until(lock(&self.state), None, RunState::is_busy));
    }

    /// Waits until all threads have finished their tasks, but for a best move that is held back.
    pub(super) fn wait_for_helpers(&self) {
        let is_at_work = |state: &RunState| state.busy > usize::from(state.held.is_some());
        drop(self.wait_until(lock(&self.state), None, is_at_work));
    }

    /// Waits at most so long, and returns whether all threads have finished.
    pub(super) fn wait_for(&self, time: Duration) -> bool {
        // A time beyond the end of the clock is no limit.
        let deadline = Instant::now().checked_add(time);
        let state = self.wait_until(lock(&self.state), deadline, RunState::is_busy);
        !state.is_busy()
    }
}
