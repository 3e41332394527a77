//! The root moves.

use super::event::Bound;
use super::probe::Ranking;
use super::score::Score;
use crate::rules::Rules;
use crate::{Move, Position};
use std::cmp::Reverse;

/// A move of the root, with the principal variation that starts with it.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub(super) m: Move,
    /// The last score that raised alpha.
    pub(super) score: Score,
    /// Whether the move failed high, so that the score is a lower bound.
    pub(super) failed_high: bool,
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
            failed_high: false,
            nodes: 0,
            pv: vec![m],
            depth: 0,
            seldepth: 0,
            rank: 0,
            table_score: None,
        }
    }

    /// Whether a search or tablebases have given it a score.
    pub(super) fn is_known(&self) -> bool {
        self.depth > 0 || self.table_score.is_some()
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

    /// Whether the score is exact: a mate whose line is incomplete counts as a bound, too.
    pub(super) fn bound(&self) -> Bound {
        let score = self.reported_score();
        if self.failed_high && score == self.score {
            return Bound::Lower;
        }
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
            None if !self.failed_high && self.bound() != Bound::Exact => self.depth = 0,
            _ => {}
        }
    }
}

/// The legal root moves, or those of them that the limits allow.
pub(super) fn list<R: Rules>(position: &Position<R>, allowed: &[Move]) -> Vec<RootMove> {
    let legal = position.legal_moves();
    let is_allowed = |m: &Move| allowed.is_empty() || allowed.contains(m);
    legal
        .into_iter()
        .filter(is_allowed)
        .map(RootMove::new)
        .collect()
}

/// Sorts the lines of an iteration, the best first.
pub(super) fn sort_by_score(lines: &mut [RootMove]) {
    lines.sort_by_key(|line| Reverse((line.rank, line.score)));
}

/// The rank of a win that the opponent can turn into a draw by repetition: better than a draw.
const REPEATABLE_WIN: i32 = 1;

/// Ranks moves as draws that occur for the third time, of which tablebases know nothing, given the keys
/// of earlier positions; and a win only a little better if the opponent's reply can lead to that.
pub(super) fn rank_repetitions<R: Rules>(
    position: &Position<R>,
    history: &[u64],
    ranking: &mut Ranking,
) {
    let root = position.key();
    let is_third = |next: &Position<R>| {
        let earlier = history.iter().chain([&root]);
        earlier.filter(|&&key| key == next.key()).count() >= 2
    };
    for ranked in &mut ranking.moves {
        let mut next = *position;
        next.play(ranked.m);
        if is_third(&next) {
            (ranked.rank, ranked.score) = (0, Score::DRAW);
        } else if ranked.score > Score::DRAW {
            let can_repeat = next.legal_moves().into_iter().any(|reply| {
                let mut after = next;
                after.play(reply);
                is_third(&after)
            });
            if can_repeat {
                (ranked.rank, ranked.score) = (REPEATABLE_WIN, Score::DRAW + 1);
            }
        }
    }
}

/// Sorts root moves by their tablebase rank; returns whether their ranks differ.
pub(super) fn sort_by_rank(moves: &mut [RootMove], ranking: &Ranking) -> bool {
    for root in &mut *moves {
        if let Some(ranked) = ranking.moves.iter().find(|ranked| ranked.m == root.m) {
            root.rank = ranked.rank;
            root.table_score = Some(ranked.score);
        }
    }
    moves.sort_by_key(|root| Reverse(root.rank));
    moves.windows(2).any(|pair| pair[0].rank != pair[1].rank)
}
