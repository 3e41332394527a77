//! The root moves.

use super::event::Bound;
use super::rules::SearchRules;
use super::score::Score;
use super::worker::Worker;
use crate::{AnyPosition, Move, Position};
use std::cmp::Reverse;

/// A move of the root, with the principal variation that starts with it.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub(super) m: Move,
    /// The last score that raised alpha.
    pub(super) score: Score,
    /// Nodes spent on it.
    pub(super) nodes: u64,
    /// The principal variation, this move included.
    pub(super) pv: Vec<Move>,
    /// The depth of its score, and the deepest ply of that search.
    pub(super) depth: u32,
    pub(super) seldepth: usize,
    /// Its rank by tablebases: moves of a higher rank come first.
    pub(super) rank: i32,
    /// Its score by tablebases.
    pub(super) table_score: Option<Score>,
}

impl RootMove {
    fn new(m: Move) -> RootMove {
        RootMove {
            m,
            score: -Score::INFINITE,
            nodes: 0,
            pv: vec![m],
            depth: 0,
            seldepth: 0,
            rank: 0,
            table_score: None,
        }
    }

    /// The score to report: that of tablebases unless a mate was found.
    pub(super) fn reported_score(&self) -> Score {
        let found = if self.depth == 0 {
            Score::DRAW
        } else {
            self.score
        };
        match self.table_score {
            Some(score) if found.0.abs() <= Score::MATE_BOUND.0 => score,
            _ => found,
        }
    }

    /// Whether the score is exact: a mate whose line is incomplete counts as a bound.
    pub(super) fn bound(&self) -> Bound {
        let score = self.reported_score();
        match score.plies_to_mate() {
            Some(plies) if self.pv.len() < plies => {
                if score.0 > 0 {
                    Bound::Lower
                } else {
                    Bound::Upper
                }
            }
            _ => Bound::Exact,
        }
    }

    /// After a stop within an iteration: restores the result of the last completed iteration, unless
    /// another move has become the best of this line since.
    pub(super) fn restore_completed(&mut self, last: Option<&RootMove>) {
        match last {
            Some(last) if last.m == self.m => {
                let nodes = self.nodes;
                *self = RootMove {
                    nodes,
                    ..last.clone()
                };
            }
            None if self.bound() != Bound::Exact => self.depth = 0,
            _ => {}
        }
    }
}

impl Worker {
    /// Lists the legal root moves, or those that the limits allow.
    pub(super) fn list_root_moves<R: SearchRules>(&mut self, position: &Position<R>) {
        let legal = position.legal_moves();
        let allowed = &self.limits.search_moves;
        let is_allowed = |m: &Move| allowed.is_empty() || allowed.contains(m);
        self.root_moves = legal
            .into_iter()
            .filter(is_allowed)
            .map(RootMove::new)
            .collect();
        self.restricted = self.root_moves.len() < legal.len();
        self.pv_index = 0;
    }

    /// Sorts the root moves by their tablebase rank, if tablebases have the position.
    pub(super) fn rank_root_moves(&mut self, root: &AnyPosition) {
        let Some(ranking) = self.tablebases.rank(root) else {
            return;
        };
        self.tb_hits += ranking.moves.len() as u64;
        for root in &mut self.root_moves {
            if let Some(ranked) = ranking.moves.iter().find(|ranked| ranked.m == root.m) {
                root.rank = ranked.rank;
                root.table_score = Some(ranked.score);
            }
        }
        self.root_moves.sort_by_key(|root| Reverse(root.rank));
        // Only moves of the best rank are searched: their score is not that of the position.
        let mut pairs = self.root_moves.windows(2);
        self.restricted |= pairs.any(|pair| pair[0].rank != pair[1].rank);
        if ranking.leads_to_end {
            self.tablebases.disable();
        }
    }

    /// The root move to search after `count` others.
    #[inline]
    pub(super) fn root_move(&self, count: usize) -> Option<Move> {
        let root = self.root_moves.get(self.pv_index + count)?;
        // Only moves of the same rank compete for a line.
        (root.rank == self.root_moves[self.pv_index].rank).then_some(root.m)
    }

    /// Whether the root search leaves out moves, so that its score is not that of the position.
    pub(super) fn is_partial_root(&self) -> bool {
        self.restricted || self.pv_index > 0
    }

    /// Adds the nodes of a root move and, if it raised alpha, makes it the best. A root that fails
    /// low keeps its best move.
    pub(super) fn record_root_move(&mut self, m: Move, score: Score, nodes: u64, raised: bool) {
        let (depth, seldepth) = (self.depth, self.seldepth);
        let Some(at) = self.root_moves.iter().position(|root| root.m == m) else {
            return;
        };
        let root = &mut self.root_moves[at];
        root.nodes += nodes;
        if raised {
            root.score = score;
            root.depth = depth;
            root.seldepth = seldepth;
            root.pv.truncate(1);
            self.root_moves[self.pv_index..=at].rotate_right(1);
        }
    }
}
