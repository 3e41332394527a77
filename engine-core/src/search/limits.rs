//! The limits and options of a search.

use crate::eval::Weights;
use crate::{ByColor, Move};
use std::sync::Arc;
use std::time::Duration;

/// The limits of a search: the first one reached ends it. The default has none: such a search
/// runs until it is stopped.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// The clocks, if the game has any.
    pub clocks: ByColor<Option<Clock>>,
    /// Moves to the next time control; `None` when the clock is for the whole game.
    pub moves_to_go: Option<u32>,
    /// The time for the move.
    pub move_time: Option<Duration>,
    /// Depth of the last iteration.
    pub depth: Option<u32>,
    /// Nodes of all threads together.
    pub nodes: Option<u64>,
    /// No new iteration after this many nodes, so that none is cut short as by a hard limit.
    pub soft_nodes: Option<u64>,
    /// Stop when a mate in at most this many moves is found.
    pub mate: Option<u32>,
    /// Search only these root moves; all if empty.
    pub search_moves: Vec<Move>,
    /// Report no best move before `stop`.
    pub infinite: bool,
    /// On the opponent's time: no best move is reported, and no clock runs, before `ponder_hit`.
    pub ponder: bool,
}

/// One side's clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clock {
    /// The time left; zero when a protocol sends a negative time.
    pub remaining: Duration,
    /// The time that each move adds.
    pub increment: Duration,
}

/// The options of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchOptions {
    /// What searches the root; `None` for what plays the variant best.
    pub driver: Option<Driver>,
    /// How many lines to report.
    pub multi_pv: usize,
    /// Time reserved for each move for communication.
    pub move_overhead: Duration,
    /// Nodes of all threads per millisecond if time is counted in nodes ("nodestime"), which makes
    /// games with a clock reproducible; `None` uses the wall clock.
    pub node_time: Option<u64>,
    /// Whether the search is selective: pruning, reductions and extensions. Without, it is plain
    /// fixed-depth alpha-beta with quiescence search, for tests of exactness.
    pub selective: bool,
    /// The largest number of pieces for tablebase probes.
    pub probe_limit: u32,
    /// The least depth of probes with the largest number of pieces.
    pub probe_depth: u32,
    /// Whether tablebase scores respect the fifty-move rule.
    pub fifty_moves: bool,
    /// The weights of the evaluation; `None`, or weights of another variant, for the built-in ones.
    pub weights: Option<Arc<Weights>>,
}

impl Default for SearchOptions {
    fn default() -> SearchOptions {
        SearchOptions {
            driver: None,
            multi_pv: 1,
            move_overhead: Duration::from_millis(30),
            node_time: None,
            selective: true,
            probe_limit: 7,
            probe_depth: 1,
            fifty_moves: true,
            weights: None,
        }
    }
}

/// The algorithm that searches the root at one depth.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Driver {
    /// Principal variation search with aspiration windows.
    Pvs,
    /// MTD(f): null-window probes that converge on the score (Plaat and others 1996).
    Mtdf,
}
