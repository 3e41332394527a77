//! The searcher as a plain function call: one thread, no events.

use super::event::BestMove;
use super::pool::{Job, Root, Shared};
use super::tt::Table;
use super::worker::Worker;
use super::{Limits, SearchOptions};
use crate::dispatch;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

/// A searcher that runs in the caller's thread and answers when it is done: for programs that
/// search many positions by themselves. The limits must end the search.
pub struct Searcher {
    worker: Worker,
    shared: Arc<Shared>,
    table: Arc<Table>,
    searches: u64,
}

impl Searcher {
    /// A searcher with a table of this many MB.
    ///
    /// # Errors
    /// When the memory cannot be had.
    pub fn new(hash_mb: usize) -> std::io::Result<Searcher> {
        let shared = Arc::new(Shared::unwatched());
        Ok(Searcher {
            worker: Worker::new(0, Arc::clone(&shared)),
            shared,
            table: Arc::new(Table::new(hash_mb)?),
            searches: 0,
        })
    }

    /// Searches and gives what was found with the number of nodes it took. The same searches in
    /// the same order after [`Searcher::clear`] find the same, unless a clock limits them.
    pub fn search(
        &mut self,
        root: Root,
        limits: Limits,
        options: SearchOptions,
    ) -> (BestMove, u64) {
        self.shared.stop.store(false, Relaxed);
        self.table.age();
        self.searches += 1;
        let job = Job {
            search: self.searches,
            root: Arc::new(root),
            limits,
            options,
            table: Arc::clone(&self.table),
            probe: None,
            start: Instant::now(),
        };
        let found = dispatch!(&job.root.position, |position| self
            .worker
            .think(&job, position));
        (found.into_best_move(job.search), self.worker.nodes)
    }

    /// Forgets everything learned: table and histories.
    pub fn clear(&mut self) {
        self.table.clear(1);
        self.worker.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AnyPosition, Variant};

    #[test]
    fn searches_repeat_after_a_clear_and_keep_to_soft_nodes() {
        let mut searcher = Searcher::new(1).unwrap();
        let mut search = || {
            searcher.clear();
            let root = Root {
                position: AnyPosition::start(Variant::Standard),
                history: Vec::new(),
            };
            let limits = Limits {
                soft_nodes: Some(1000),
                nodes: Some(50_000),
                ..Limits::default()
            };
            searcher.search(root, limits, SearchOptions::default())
        };
        let (best, nodes) = search();
        assert!(best.best.is_some());
        assert!((1000..20_000).contains(&nodes), "{nodes} nodes");
        assert_eq!(search(), (BestMove { search: 2, ..best }, nodes));
    }
}
