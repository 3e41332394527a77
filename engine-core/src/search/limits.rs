//! What bounds a search, and what it is asked to do.

use crate::{ByColor, Move};
use std::time::Duration;

/// What bounds a search; the first limit that is reached ends it. The default has none and
/// searches until it is stopped.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// The clocks, where the game has them.
    pub clocks: ByColor<Option<Clock>>,
    /// Moves to the next time control; `None` when the clock is for the whole game.
    pub moves_to_go: Option<u32>,
    /// Exactly this long for the move.
    pub move_time: Option<Duration>,
    /// Plies of the last iteration.
    pub depth: Option<u32>,
    /// Nodes of all threads together.
    pub nodes: Option<u64>,
    /// No new iteration after this many nodes: cheaper than a hard limit, as no iteration is wasted.
    pub soft_nodes: Option<u64>,
    /// Stop when a mate in this many moves or fewer is proved.
    pub mate: Option<u32>,
    /// Only these root moves; all when empty.
    pub search_moves: Vec<Move>,
    /// No best move is given before `stop`, whatever is found.
    pub infinite: bool,
    /// Like infinite until `ponder_hit`, from when on the other limits count.
    pub ponder: bool,
}

/// One side's clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clock {
    /// What is left; zero when a protocol sends a negative time.
    pub remaining: Duration,
    /// What each move adds.
    pub increment: Duration,
}

/// How to search, as the user's options say.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchOptions {
    /// Which driver turns node searches into a score.
    pub driver: Driver,
    /// How many lines to report.
    pub multi_pv: usize,
    /// Time kept back for each move for the way between engine and clock.
    pub move_overhead: Duration,
    /// Count time in nodes, this many to the millisecond, so that play with a clock repeats exactly
    /// on any machine; `None` counts it by the wall clock.
    pub node_time: Option<u64>,
    /// Whether unpromising moves are searched less deep or not at all. Off, the search is plain
    /// alpha-beta to a fixed depth with quiescence: for tests of exactness.
    pub selective: bool,
    /// The most pieces of positions that are looked up in tables.
    pub probe_limit: u32,
    /// Where tables have as many pieces as the position, it is looked up from this depth on.
    pub probe_depth: u32,
    /// Whether the fifty-move rule counts in what tables tell.
    pub fifty_moves: bool,
}

impl Default for SearchOptions {
    fn default() -> SearchOptions {
        SearchOptions {
            driver: Driver::Mtdf,
            multi_pv: 1,
            move_overhead: Duration::from_millis(30),
            node_time: None,
            selective: true,
            probe_limit: 7,
            probe_depth: 1,
            fifty_moves: true,
        }
    }
}

/// The function that turns null-window or full-window searches into the score of an iteration.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Driver {
    /// Null-window probes that close in on the score (Plaat and others 1996).
    #[default]
    Mtdf,
    /// Principal variation search in an aspiration window.
    Pvs,
}
