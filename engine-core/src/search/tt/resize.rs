//! Resizing of the transposition table: it uses as much of its memory as the searches need.
//!
//! A small table stays in the processor's caches and its pages in the TLB: a search that writes a
//! few MB is slower by a tenth when they are spread over a large table. So an empty table uses
//! little of its memory, and doubles whenever the last two searches have filled most of what is in
//! use. Entries are moved to their new clusters, except in the last step of a large table, which
//! would take too long.

use super::entry::{Cluster, age};
use super::{MAX_MOVED_CLUSTERS, MAX_STEPPED_CLUSTERS, TranspositionTable};
use std::sync::atomic::Ordering::Relaxed;

/// The table grows when this permille of its entries is filled: beyond, many clusters are full.
const FULL: u32 = 700;
/// Only entries of this many generations count: older ones are seldom probed and get replaced.
const RECENT: u8 = 2;
/// Clusters in a sample.
const SAMPLE: usize = 250;

impl TranspositionTable {
    /// Permille of the entries written by this search, by a sample.
    pub(in super::super) fn hashfull(&self) -> u32 {
        let (used, all) = (self.used.load(Relaxed), self.clusters.get().len());
        let generation = self.generation.load(Relaxed);
        let written = self.sample(|data| age(data, generation) == 0);
        (u64::from(written) * used as u64 / all as u64) as u32
    }

    /// Whether the table has outgrown the doubling steps, so that clearing it takes long.
    pub(in super::super) fn is_slow_to_clear(&self) -> bool {
        self.used.load(Relaxed) > MAX_STEPPED_CLUSTERS
    }

    /// Grows the table if enough of it is filled with recent entries. Only one thread may call
    /// this; other threads may miss entries while they are moved.
    pub(in super::super) fn grow_if_full(&self) {
        let (used, all) = (self.used.load(Relaxed), self.clusters.get().len());
        let generation = self.generation.load(Relaxed);
        let is_recent = |data| age(data, generation) < RECENT;
        if used == all || self.sample(is_recent) < FULL {
            return;
        }
        if used <= MAX_MOVED_CLUSTERS || all <= 2 * used {
            self.grow(used, all.min(2 * used));
        } else {
            self.used.store(all, Relaxed);
            // What remains in the sample's clusters must not count as recent.
            self.age();
        }
    }

    /// Permille of the entries in use whose data meets a condition, by a sample.
    fn sample(&self, condition: impl Fn(u64) -> bool) -> u32 {
        let clusters = &self.clusters.get()[..self.used.load(Relaxed).min(SAMPLE)];
        let slots = clusters.iter().flat_map(|cluster| &cluster.0);
        let data = slots.map(|slot| slot.data.load(Relaxed));
        let counted = data.filter(|&data| data != 0 && condition(data)).count();
        (counted * 1000 / (clusters.len() * Cluster::SLOTS)) as u32
    }

    /// Uses more clusters and moves the entries to their new ones. A new index is never below the
    /// old one, so going from the last cluster to the first overwrites nothing.
    fn grow(&self, before: usize, after: usize) {
        self.used.store(after, Relaxed);
        let clusters = self.clusters.get();
        for (index, cluster) in clusters.iter().enumerate().take(before).rev() {
            for slot in &cluster.0 {
                let data = slot.data.load(Relaxed);
                let key = slot.check.load(Relaxed) ^ data;
                let home = self.cluster_index(key);
                if data == 0 || home == index {
                    continue;
                }
                slot.clear();
                let mut slots = clusters[home].0.iter();
                if let Some(free) = slots.find(|slot| slot.data.load(Relaxed) == 0) {
                    free.write(key, data);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Score;
    use crate::search::tt::INITIAL_CLUSTERS;
    use crate::search::tt::TtEntry;
    use crate::zobrist::splitmix64;

    fn entry(number: u64) -> TtEntry {
        TtEntry {
            best: None,
            lower: Score((number % 1000) as i32),
            upper: Score::INFINITE,
            depth: 3,
            pv: false,
        }
    }

    /// How many of the first `entries` entries the table holds.
    fn known(table: &TranspositionTable, entries: u64) -> usize {
        let knows = |&number: &u64| match table.probe(splitmix64(number), 0) {
            None => false,
            Some(found) => {
                assert_eq!(found, entry(number));
                true
            }
        };
        (0..entries).filter(knows).count()
    }

    #[test]
    fn grows_with_what_a_search_writes_and_keeps_it() {
        let table = TranspositionTable::new(3).unwrap();
        let used = |table: &TranspositionTable| table.used.load(Relaxed) / INITIAL_CLUSTERS;
        let mut written = 0;
        let mut steps = vec![used(&table)];
        while steps.last() < Some(&3) {
            for _ in 0..500 {
                table.store(splitmix64(written), 0, entry(written));
                written += 1;
            }
            let before = known(&table, written);
            table.grow_if_full();
            if steps.last() != Some(&used(&table)) {
                steps.push(used(&table));
                let after = known(&table, written);
                assert!(before - after <= before / 100, "{before} to {after}");
            }
        }
        assert_eq!(steps, [1, 2, 3]);
        // Seven tenths of 2 MB, give or take what a sample errs by.
        let slots = 2 * INITIAL_CLUSTERS as u64 * 4;
        assert!(
            (slots * 7 / 10..slots * 9 / 10).contains(&written),
            "{written}"
        );
        let hashfull = known(&table, written) as u64 * 1000 / (3 * INITIAL_CLUSTERS as u64 * 4);
        assert!(u64::from(table.hashfull()).abs_diff(hashfull) < 50);
        table.age();
        assert_eq!(table.hashfull(), 0);
        table.clear();
        assert_eq!((used(&table), known(&table, written)), (1, 0));
    }

    #[test]
    fn what_older_searches_wrote_makes_room() {
        let table = TranspositionTable::new(3).unwrap();
        let slots = INITIAL_CLUSTERS as u64 * 4;
        for number in 0..5 * slots {
            if number % (slots / 8) == 0 {
                table.grow_if_full();
                table.age();
            }
            table.store(splitmix64(number), 0, entry(number));
        }
        assert_eq!(table.used.load(Relaxed), INITIAL_CLUSTERS);
        assert!(known(&table, 5 * slots) as u64 > slots * 9 / 10);
    }

    #[test]
    fn a_large_table_begins_again_with_all_its_memory() {
        let table = TranspositionTable::new(300).unwrap();
        for number in 0..8 * MAX_MOVED_CLUSTERS as u64 {
            table.store(splitmix64(number), 0, entry(number));
            if number % 4096 == 0 {
                table.grow_if_full();
            }
        }
        assert!(table.is_slow_to_clear() && table.hashfull() < 400);
        table.store(splitmix64(0), 0, entry(0));
        assert_eq!(known(&table, 1), 1);
    }
}
