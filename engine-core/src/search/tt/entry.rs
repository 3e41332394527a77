//! What the transposition table holds: entries of 16 bytes, four in a cache line.

use super::super::score::Score;
use super::super::window::Window;
use crate::Move;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Entries that share a cache line (a "bucket").
#[derive(Default)]
#[repr(C, align(64))]
pub(super) struct Cluster(pub(super) [Slot; Cluster::SLOTS]);

impl Cluster {
    /// The number of its entries.
    pub(super) const SLOTS: usize = 4;
}

#[derive(Default)]
#[repr(C)]
pub(super) struct Slot {
    /// The position's key XOR the data.
    pub(super) check: AtomicU64,
    pub(super) data: AtomicU64,
}

impl Slot {
    pub(super) fn write(&self, key: u64, data: u64) {
        self.data.store(data, Relaxed);
        self.check.store(key ^ data, Relaxed);
    }

    pub(super) fn clear(&self) {
        self.write(0, 0);
    }
}

const _: () = assert!(size_of::<Slot>() == 16 && size_of::<Cluster>() == 64);

/// A transposition entry. Scores are from the view of the side to move, mates counted from this
/// position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) struct TtEntry {
    /// The best move, if one was found.
    pub(in super::super) best: Option<Move>,
    /// The value is at least this.
    pub(in super::super) lower: Score,
    /// The value is at most this.
    pub(in super::super) upper: Score,
    /// The depth of both bounds, in plies; 0 for quiescence.
    pub(in super::super) depth: u8,
    /// Whether the position was ever on a principal variation.
    pub(in super::super) pv: bool,
}

/// Generations wrap at this many searches.
pub(super) const GENERATIONS: u8 = 64;

impl TtEntry {
    pub(super) fn pack(self, generation: u8) -> u64 {
        let best = self.best.map_or(0, Move::to_bits);
        u64::from(best)
            | u64::from(self.lower.0 as i16 as u16) << 16
            | u64::from(self.upper.0 as i16 as u16) << 32
            | u64::from(self.depth) << 48
            | u64::from(generation << 2 | u8::from(self.pv) << 1 | 1) << 56
    }

    pub(super) fn unpack(data: u64) -> TtEntry {
        TtEntry {
            best: Move::from_bits(data as u16),
            lower: Score(i32::from((data >> 16) as i16)),
            upper: Score(i32::from((data >> 32) as i16)),
            depth: (data >> 48) as u8,
            pv: data >> 57 & 1 != 0,
        }
    }

    /// The entry of a search in this window.
    pub(in super::super) fn new(
        score: Score,
        window: Window,
        best: Option<Move>,
        depth: i32,
        pv: bool,
    ) -> TtEntry {
        let (lower, upper) = if score >= window.beta {
            (score, Score::INFINITE)
        } else if score > window.alpha {
            (score, score)
        } else {
            (-Score::INFINITE, score)
        };
        TtEntry {
            best,
            lower,
            upper,
            depth: depth.clamp(0, 255) as u8,
            pv,
        }
    }

    /// The bound that causes a cutoff in this window, if one does.
    #[inline(always)]
    pub(in super::super) fn cutoff(&self, alpha: Score, beta: Score) -> Option<Score> {
        if self.lower >= beta {
            Some(self.lower)
        } else if self.upper <= alpha {
            Some(self.upper)
        } else {
            None
        }
    }

    /// The static evaluation, adjusted to the bounds of the entry.
    #[inline(always)]
    pub(in super::super) fn refine(&self, eval: Score) -> Score {
        if self.lower > eval && self.lower < Score::TB_BOUND {
            self.lower
        } else if self.upper < eval && self.upper > -Score::TB_BOUND {
            self.upper
        } else {
            eval
        }
    }
}

/// How many generations ago data was written.
#[inline(always)]
pub(super) fn age(data: u64, generation: u8) -> u8 {
    (GENERATIONS + generation - (data >> 58) as u8) % GENERATIONS
}

/// A score with mates counted from the position instead of from the root, since transpositions reach it at
/// different plies.
pub(super) fn score_to_tt(score: Score, ply: usize) -> Score {
    shift_mate(score, ply as i32)
}

/// A stored score with mates counted from the root.
pub(super) fn score_from_tt(score: Score, ply: usize) -> Score {
    shift_mate(score, -(ply as i32))
}

/// A score with mates this many plies later. Infinite bounds stay.
fn shift_mate(score: Score, plies: i32) -> Score {
    if score.0.abs() >= Score::INFINITE.0 {
        score
    } else if score >= Score::TB_BOUND {
        score + plies
    } else if score <= -Score::TB_BOUND {
        score - plies
    } else {
        score
    }
}
