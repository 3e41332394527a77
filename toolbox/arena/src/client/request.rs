//! Requests to an engine to search, and the events and result of a search.

use super::info::Info;
use engine_core::Move;
use engine_core::search::Limits;
use std::time::Duration;

/// A request to search: limits, and what else the search needs.
#[derive(Clone, Debug, Default)]
pub struct EngineRequest {
    /// The limits of the search, `search_moves`, `infinite` and `ponder` included.
    pub limits: Limits,
    /// How many lines are wanted; one where nothing is said.
    pub multi_pv: Option<usize>,
    /// Analysis rather than play: the engine may drop strength limits, and an XBoard engine
    /// analyses. A best move is then the first of its best line.
    pub analyse: bool,
    /// Whether the engine may think on the opponent's time afterwards.
    pub may_ponder: bool,
    /// The opponent offers a draw with the move that led here.
    pub draw_offered: bool,
    /// Options for this search alone; the next one has the previous values again.
    pub options: Vec<(String, String)>,
    /// How long the answer may take beyond the clock or the time for the move; without such a
    /// limit, how long it may take at all.
    pub time_margin: Option<Duration>,
}

impl EngineRequest {
    /// A search for a move to play.
    pub fn new(limits: Limits) -> EngineRequest {
        EngineRequest {
            limits,
            ..EngineRequest::default()
        }
    }

    /// An analysis.
    pub fn analysis(limits: Limits) -> EngineRequest {
        EngineRequest {
            limits,
            analyse: true,
            ..EngineRequest::default()
        }
    }
}

/// An event of a search.
#[derive(Clone, Debug)]
pub enum SearchEvent {
    /// A line about the search.
    Info(Box<Info>),
    /// The end of the search.
    Done(Box<PlayResult>),
}

/// The end of a search.
#[derive(Clone, Debug, Default)]
pub struct PlayResult {
    /// The move; `None` where there is none, or the engine ended the game instead.
    pub best: Option<Move>,
    /// The reply that the engine expects; legal after the move.
    pub ponder: Option<Move>,
    /// The latest information of each kind about the best line.
    pub info: Info,
    /// The engine offers a draw, or accepts the one that is offered: then without a move.
    pub draw_offered: bool,
    /// The engine resigns, or claims its own loss.
    pub resigned: bool,
    /// The result of the game according to the engine: `1-0`, `0-1` or `1/2-1/2`.
    pub claim: Option<&'static str>,
    /// From the command to search until the answer was read.
    pub elapsed: Duration,
}

/// Who plays against the engine.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Opponent {
    /// The name.
    pub name: String,
    /// Such as GM or BOT.
    pub title: Option<String>,
    /// The rating.
    pub rating: Option<u32>,
    /// Whether it is a program.
    pub is_engine: bool,
}
