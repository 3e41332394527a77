//! The events of a running search. The search itself never prints.

use super::score::Score;
use crate::Move;
use std::time::Duration;

/// What a search reports, in order, ending with exactly one [`Event::BestMove`].
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// A principal variation with its score.
    Info(Info),
    /// The root move being searched, reported once a search has taken some seconds.
    CurrentMove {
        /// The iteration's depth.
        depth: u32,
        /// The root move.
        m: Move,
        /// Its place among the root moves, from 1.
        number: usize,
    },
    /// The result of the search.
    BestMove(BestMove),
}

/// The result of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BestMove {
    /// The number of the search, as `start` returned it.
    pub search: u64,
    /// The move; `None` when the root has no legal (or no allowed) move.
    pub best: Option<Move>,
    /// The expected reply, legal after `best`.
    pub ponder: Option<Move>,
    /// The score of the move, for the side to move.
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
    /// The time since the start of the search.
    pub time: Duration,
    /// Permille of the transposition table filled by this search.
    pub hashfull: u32,
    /// Tablebase hits.
    pub tbhits: u64,
    /// The principal variation, legal from the root; empty only if the root has no move.
    pub pv: Vec<Move>,
    /// How the root search converged.
    pub convergence: Convergence,
}

/// How well the main thread's search converges.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Convergence {
    /// Root searches of the iteration: probes of MTD(f), aspiration windows of PVS.
    pub probes: u32,
    /// Stores to the transposition table since the start of the search.
    pub stores: u64,
    /// Stores whose bounds contradict the stored bounds of the same depth.
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
