//! The threads of the searcher and the table they share.

use super::{BestMove, Event, Limits, Score, SearchOptions};
use crate::AnyPosition;
use crossbeam_channel::Sender;

/// Where a search starts.
#[derive(Clone, Debug)]
pub struct Root {
    /// The position to search.
    pub position: AnyPosition,
    /// The keys of the positions before it, oldest first, back to the last capture or pawn move
    /// at least: for repetitions.
    pub history: Vec<u64>,
}

/// The searcher: persistent threads and the transposition table that they share.
///
/// Every method returns at once unless it says otherwise; what a search finds arrives as
/// [`Event`]s.
pub struct Pool {
    events: Sender<Event>,
    searches: u64,
}

impl Pool {
    /// A searcher of one thread with a table of this many MB, telling its events to the channel.
    pub fn new(hash_mb: usize, events: Sender<Event>) -> Pool {
        let _ = hash_mb;
        Pool {
            events,
            searches: 0,
        }
    }

    /// Changes the size of the table; its contents are lost. Waits for a running search to end.
    ///
    /// # Errors
    /// The size in MB that could be had, when this one could not.
    pub fn set_hash(&mut self, mb: usize) -> Result<(), usize> {
        let _ = mb;
        Ok(())
    }

    /// Changes the number of threads. Waits for a running search to end.
    pub fn set_threads(&mut self, threads: usize) {
        let _ = threads;
    }

    /// Forgets everything learned: table and histories. Waits for a running search to end.
    pub fn clear(&mut self) {}

    /// Starts a search and gives its number, which its [`BestMove`] repeats. A search that still
    /// runs is stopped first and ends with its own best move.
    pub fn start(&mut self, root: Root, limits: Limits, options: SearchOptions) -> u64 {
        let _ = (limits, options);
        self.searches += 1;
        let best = crate::dispatch!(root.position, |p| p.legal_moves().first().copied());
        let _ = self.events.send(Event::BestMove(BestMove {
            search: self.searches,
            best,
            ponder: None,
            score: Score::DRAW,
        }));
        self.searches
    }

    /// Asks a running search to end with its best move; does nothing when idle.
    pub fn stop(&self) {}

    /// The opponent played the expected move: the clock of a pondering search starts to count.
    pub fn ponder_hit(&self) {}

    /// Whether a search runs.
    pub fn is_searching(&self) -> bool {
        false
    }

    /// Waits for a running search to end.
    pub fn wait(&self) {}
}
