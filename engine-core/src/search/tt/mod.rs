//! The transposition table, shared by all threads without locks.
//!
//! An entry is two atomic words, the first being the key XOR the second, so that a torn write of
//! two threads fails the comparison and is a miss (Hyatt and Mann 2002). An entry keeps a lower
//! and an upper bound of the same depth, as MTD(f) needs both.

mod entry;
#[cfg(windows)]
mod large_pages;
mod memory;
mod resize;

pub(super) use entry::TtEntry;

use super::tunables as tune;
use entry::{Cluster, GENERATIONS, age, score_from_tt, score_to_tt};
use memory::ZeroedClusters;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering::Relaxed};

/// Clusters that an empty table uses: 1 MB, the size of a core's own cache.
const INITIAL_CLUSTERS: usize = (1 << 20) / size_of::<Cluster>();
/// Entries are moved in tables of up to 64 MB, which takes some milliseconds, or 128 MB if the
/// table has no more than twice that. Beyond, no cache helps any more and moving would stall the
/// search: it goes on with all the memory and an almost empty table.
const MAX_MOVED_CLUSTERS: usize = (64 << 20) / size_of::<Cluster>();
/// The size in clusters up to which a table grows by doubling; then it uses all its memory.
const MAX_STEPPED_CLUSTERS: usize = 2 * MAX_MOVED_CLUSTERS;

/// The transposition table.
pub(super) struct TranspositionTable {
    clusters: ZeroedClusters,
    /// The number of clusters in use.
    used: AtomicUsize,
    generation: AtomicU8,
}

impl TranspositionTable {
    /// A table of at most this many MB (at least one cluster), which starts small and grows as
    /// searches fill it.
    ///
    /// # Errors
    /// When the memory cannot be allocated.
    pub(super) fn new(mb: usize) -> std::io::Result<TranspositionTable> {
        let clusters = (mb.saturating_mul(1 << 20) / size_of::<Cluster>()).max(1);
        Ok(TranspositionTable {
            clusters: ZeroedClusters::new(clusters)?,
            used: AtomicUsize::new(initial_clusters(clusters)),
            generation: AtomicU8::new(0),
        })
    }

    #[inline(always)]
    fn cluster(&self, key: u64) -> &Cluster {
        &self.clusters.get()[self.cluster_index(key)]
    }

    /// The index of a key's cluster.
    #[inline(always)]
    fn cluster_index(&self, key: u64) -> usize {
        // The high part of the product maps the key evenly onto any number of clusters.
        ((u128::from(key) * self.used.load(Relaxed) as u128) >> 64) as usize
    }

    /// Prefetches the cluster of a key.
    #[inline(always)]
    pub(super) fn prefetch(&self, key: u64) {
        memory::prefetch(self.cluster(key));
    }

    /// The entry of the position with this key, mates counted from the root at distance `ply`.
    #[inline]
    pub(super) fn probe(&self, key: u64, ply: usize) -> Option<TtEntry> {
        // Branchless over all slots: an early exit would often be mispredicted, and the
        // misprediction would wait for memory. As in `store`, the first match counts.
        let mut found = 0;
        for slot in self.cluster(key).0.iter().rev() {
            let data = slot.data.load(Relaxed);
            let is_this = slot.check.load(Relaxed) ^ data == key;
            found = if is_this { data } else { found };
        }
        if found == 0 {
            return None;
        }
        let mut entry = TtEntry::unpack(found);
        entry.lower = score_from_tt(entry.lower, ply);
        entry.upper = score_from_tt(entry.upper, ply);
        Some(entry)
    }

    /// Stores an entry, mates counted from the root at distance `ply`. Bounds of the same depth are
    /// merged with the stored ones; without a best move the stored one is kept. Returns whether
    /// the bounds contradict the stored ones.
    #[inline]
    pub(super) fn store(&self, key: u64, ply: usize, mut new: TtEntry) -> bool {
        let mut contradicts = false;
        let generation = self.generation.load(Relaxed);
        new.lower = score_to_tt(new.lower, ply);
        new.upper = score_to_tt(new.upper, ply);
        let cluster = self.cluster(key);
        let mut victim = &cluster.0[0];
        let mut least = i32::MAX;
        for slot in &cluster.0 {
            let data = slot.data.load(Relaxed);
            if data == 0 {
                victim = slot;
                break;
            }
            if slot.check.load(Relaxed) ^ data == key {
                let old = TtEntry::unpack(data);
                new.best = new.best.or(old.best);
                if old.depth == new.depth {
                    contradicts = old.lower > new.upper || old.upper < new.lower;
                    // Contradicting bounds come from another path or window: the new ones replace them.
                    if old.upper >= new.lower && old.upper < new.upper {
                        new.upper = old.upper;
                    }
                    if old.lower <= new.upper && old.lower > new.lower {
                        new.lower = old.lower;
                    }
                } else if old.depth > new.depth.saturating_add(tune::tt_keep_depth() as u8)
                    && age(data, generation) == 0
                    && new.lower != new.upper
                {
                    return false;
                }
                victim = slot;
                break;
            }
            let depth = ((data >> 48) & 0xff) as i32;
            let worth = depth - tune::tt_age_weight() * i32::from(age(data, generation));
            if worth < least {
                least = worth;
                victim = slot;
            }
        }
        victim.write(key, new.pack(generation));
        contradicts
    }

    /// Starts a new generation; called once per search.
    pub(super) fn age(&self) {
        self.generation
            .store((self.generation.load(Relaxed) + 1) % GENERATIONS, Relaxed);
    }

    /// Empties the table. The memory that it grows into step by step is written to even if new, so
    /// that no search has to wait for page faults.
    pub(super) fn clear(&self) {
        let clusters = self.clusters.get();
        let emptied = self.used.load(Relaxed).max(MAX_STEPPED_CLUSTERS);
        for slot in clusters.iter().take(emptied).flat_map(|cluster| &cluster.0) {
            slot.clear();
        }
        self.used.store(initial_clusters(clusters.len()), Relaxed);
        self.generation.store(0, Relaxed);
    }
}

/// How many of its clusters an empty table uses.
fn initial_clusters(all: usize) -> usize {
    all.min(INITIAL_CLUSTERS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Move;
    use crate::search::Score;

    fn entry(lower: i32, upper: i32, depth: u8) -> TtEntry {
        TtEntry {
            best: Move::from_bits(0x123),
            lower: Score(lower),
            upper: Score(upper),
            depth,
            pv: true,
        }
    }

    #[test]
    fn remembers_and_joins_bounds_of_one_depth() {
        let table = TranspositionTable::new(1).unwrap();
        let infinite = Score::INFINITE.0;
        table.store(42, 0, entry(-7, infinite, 5));
        table.store(
            42,
            0,
            TtEntry {
                best: None,
                ..entry(-infinite, 30, 5)
            },
        );
        assert_eq!(table.probe(42, 0), Some(entry(-7, 30, 5)));
        table.store(42, 0, entry(50, infinite, 5));
        assert_eq!(
            table.probe(42, 0),
            Some(entry(50, infinite, 5)),
            "a contradiction is dropped"
        );
        assert_eq!(table.probe(43, 0), None);
        table.clear();
        assert_eq!(table.probe(42, 0), None);
    }

    #[test]
    fn mates_are_counted_from_the_position() {
        let table = TranspositionTable::new(1).unwrap();
        let mate = Score::mate_in(9).0;
        table.store(1, 4, entry(mate, mate, 3));
        assert_eq!(table.probe(1, 2).unwrap().lower, Score::mate_in(7));
    }
}
