//! One search: what every thread is given, and the result of a thread.

use super::clock::Instant;
use super::event::{BestMove, Info};
use super::limits::{Limits, SearchOptions};
use super::probe::Probe;
use super::score::Score;
use super::tt::TranspositionTable;
use crate::{AnyPosition, Game, Move};
use std::sync::Arc;

/// Called every few hundred nodes by a search that runs in the thread of its owner, so that the
/// owner can handle input meanwhile.
pub type Poll = Arc<dyn Fn() + Send + Sync>;

/// The root of a search.
#[derive(Clone, Debug)]
pub struct Root {
    /// The position to search, legal but for [`Faults::PLAYABLE`](crate::Faults::PLAYABLE): the search trusts that
    /// there are as many kings as its variant has, and that the side to move cannot take one.
    pub position: AnyPosition,
    /// The keys of the positions before it, oldest first, at least back to the last capture or
    /// pawn move: for repetitions.
    pub history: Vec<u64>,
}

/// The present position of a game, with those that it can repeat.
impl From<&Game> for Root {
    fn from(game: &Game) -> Root {
        Root {
            position: *game.position(),
            history: game.keys(),
        }
    }
}

/// A position without a game.
impl From<AnyPosition> for Root {
    fn from(position: AnyPosition) -> Root {
        Root {
            position,
            history: Vec::new(),
        }
    }
}

/// A search as every thread is given it.
#[derive(Clone)]
pub(super) struct Job {
    /// The number of the search.
    pub(super) search: u64,
    pub(super) root: Arc<Root>,
    pub(super) limits: Limits,
    pub(super) options: SearchOptions,
    pub(super) table: Arc<TranspositionTable>,
    pub(super) probe: Option<Arc<dyn Probe>>,
    pub(super) start: Instant,
    /// What a search in the thread of its owner calls while it runs.
    pub(super) poll: Option<Poll>,
}

/// The result of one thread.
#[derive(Clone, Debug)]
pub(super) struct SearchResult {
    pub(super) best: Option<Move>,
    pub(super) ponder: Option<Move>,
    pub(super) score: Score,
    pub(super) depth: u32,
    /// The principal variation for the report, if anybody listens.
    pub(super) line: Option<Info>,
}

impl SearchResult {
    /// The first move allowed, for a search that failed.
    pub(super) fn fallback(job: &Job) -> SearchResult {
        let allowed = &job.limits.search_moves;
        let mut moves = job.root.position.legal_moves().into_iter();
        let best = moves.find(|m| allowed.is_empty() || allowed.contains(m));
        SearchResult::without_search(best, Score::DRAW)
    }

    pub(super) fn without_search(best: Option<Move>, score: Score) -> SearchResult {
        SearchResult {
            best,
            ponder: None,
            score,
            depth: 0,
            line: None,
        }
    }

    /// Whether a helper thread's result is deeper and no worse, or better and no less deep. Any is
    /// better than none.
    pub(super) fn is_better_than(&self, other: &SearchResult) -> bool {
        if other.depth == 0 && self.depth > 0 {
            return self.best.is_some();
        }
        let deeper = self.depth > other.depth && self.score >= other.score;
        let better = self.depth >= other.depth && self.score > other.score;
        self.best.is_some() && (deeper || better)
    }

    pub(super) fn into_best_move(self, search: u64) -> BestMove {
        BestMove {
            search,
            best: self.best,
            ponder: self.ponder,
            score: self.score,
        }
    }
}
