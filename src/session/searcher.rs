//! The search threads and their settings.

use super::memory;
use crate::allocator;
use crossbeam_channel::Sender;
use engine_core::search::{Event, OutOfMemory, Poll, Pool};
use std::sync::Arc;

/// The least size of a table, in MB.
const MIN_HASH: usize = 1;

/// The search threads, started on first use, and their settings.
pub(super) struct Searcher {
    pub(super) pool: Pool,
    /// The size of the table in MB as set by the option; the pool has less if memory is short.
    hash: usize,
    threads: usize,
}

impl Searcher {
    /// One thread and the smallest table. With a poll, the owner's thread searches and calls it.
    pub(super) fn new(sender: Sender<Event>, poll: Option<&Poll>) -> Searcher {
        let mut pool = Pool::new(MIN_HASH, sender);
        if let Some(poll) = poll {
            pool.search_in_owner_thread(Arc::clone(poll));
        }
        Searcher {
            pool,
            hash: MIN_HASH,
            threads: 1,
        }
    }

    /// The size of the table in MB that was asked for.
    pub(super) fn hash(&self) -> usize {
        self.hash
    }

    /// Starts or ends threads, so that there are this many.
    pub(super) fn set_threads(&mut self, threads: usize) -> Result<(), OutOfMemory> {
        if self.threads == threads {
            return Ok(());
        }
        let outcome = self.pool.set_threads(threads);
        self.threads = threads;
        allocator::trim();
        outcome
    }

    /// Gives the table this size in MB, or as much of it as there is memory for.
    pub(super) fn set_hash(&mut self, hash: usize) -> Result<(), OutOfMemory> {
        if self.hash == hash {
            return Ok(());
        }
        let most = memory::largest_table(self.pool.hash());
        // If there is no memory for that, the table is smaller still.
        let _ = self.pool.set_hash(hash.min(most));
        self.hash = hash;
        match self.pool.hash() {
            got if got == hash => Ok(()),
            got => Err(OutOfMemory::Hash { wanted: hash, got }),
        }
    }
}
