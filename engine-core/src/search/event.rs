//! What a search tells while it runs. It never prints.

use super::score::Score;
use crate::Move;
use std::time::Duration;

/// What a search tells its owner, in order, ending with exactly one [`Event::BestMove`].
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// A line at a depth.
    Info(Info),
    /// The root move being searched, told once a search has taken some seconds.
    CurrentMove {
        /// The iteration's depth.
        depth: u32,
        /// The root move.
        m: Move,
        /// Its place among the root moves, from 1.
        number: usize,
    },
    /// The end of the search.
    BestMove(BestMove),
}

/// The end of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BestMove {
    /// Which search this ends: the number that `start` gave.
    pub search: u64,
    /// The move; `None` when the root has no legal (or no allowed) move.
    pub best: Option<Move>,
    /// The reply that is expected, legal after `best`.
    pub ponder: Option<Move>,
    /// The score of the move.
    pub score: Score,
}

/// One line of analysis.
#[derive(Clone, PartialEq, Debug)]
pub struct Info {
    /// The iteration's depth in plies.
    pub depth: u32,
    /// The deepest ply reached.
    pub seldepth: u32,
    /// Which of the `multi_pv` lines, from 1.
    pub multipv: usize,
    /// The score for the side to move.
    pub score: Score,
    /// Whether the score is exact or a bound.
    pub bound: Bound,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Since the start of the search.
    pub time: Duration,
    /// Permille of the table filled by this search.
    pub hashfull: u32,
    /// Tablebase positions found.
    pub tbhits: u64,
    /// The line, legal from the root; never empty unless the root has no move.
    pub pv: Vec<Move>,
    /// How the search got there.
    pub convergence: Convergence,
}

/// How well the main thread's search converges.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Convergence {
    /// Searches of the root that the iteration took: probes of MTD(f), windows of PVS.
    pub probes: u32,
    /// What has been stored in the transposition table since the start of the search.
    pub stores: u64,
    /// Stores whose bounds contradict what the table knew of the same depth.
    pub contradictions: u64,
}

impl Info {
    /// Nodes per second.
    pub fn nps(&self) -> u64 {
        let micros = self.time.as_micros().max(1);
        (u128::from(self.nodes) * 1_000_000 / micros) as u64
    }
}

/// Whether a score is exact.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Bound {
    /// The score itself.
    Exact,
    /// The score is at least this.
    Lower,
    /// The score is at most this.
    Upper,
}
