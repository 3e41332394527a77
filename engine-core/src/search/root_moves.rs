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
    /// The last score that raised alpha; before the first, of the best move the static value.
    pub(super) score: Score,
    /// Whether the move failed high, so that the score is a lower bound.
    pub(super) failed_high: bool,
    /// Whether its score was lowered to that of a move that a later iteration found to be better: an upper
    /// bound.
    pub(super) failed_low: bool,
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
            failed_low: false,
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
        match self.table_score {
            Some(score) if self.score.0.abs() <= Score::MATE_BOUND.0 => score,
            _ => self.score,
        }
    }

    /// The result that tablebases give it, from a loss to a win; between them are draws, and wins and losses
    /// that the fifty-move rule spoils.
    fn table_result(&self) -> i32 {
        let score = self.table_score.unwrap_or_default();
        if score.0.abs() > Score::TB_BOUND.0 {
            score.0.signum() * 2
        } else {
            score.0.signum()
        }
    }

    /// Whether the score is exact: a mate whose line is incomplete counts as a bound, too.
    pub(super) fn bound(&self) -> Bound {
        let score = self.reported_score();
        if score == self.score && self.failed_high {
            return Bound::Lower;
        }
        if score == self.score && self.failed_low {
            return Bound::Upper;
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

    /// Whether it has become the best move since an iteration had `last` as the best.
    fn is_new_best(&self, last: Option<&RootMove>) -> bool {
        // That a side is not mated already says nothing.
        let is_empty_bound = self.failed_high && self.score <= -Score::MATE;
        let is_known = self.failed_high || self.bound() == Bound::Exact;
        !is_empty_bound
            && match last {
                Some(last) => last.m != self.m,
                None => self.depth > 0 && is_known,
            }
    }
}

/// After a stop within an iteration that has completed `done` lines: puts these first, or else a
/// move that has become the best since. All others have the results of the last completed iteration again, not what the
/// search of better lines has left; but none is better than the lines before it.
pub(super) fn restore_completed(moves: &mut [RootMove], completed: &[RootMove], done: usize) {
    let best = moves.first();
    let has_new_best = best.is_some_and(|best| best.is_new_best(completed.first()));
    let fresh = done.max(usize::from(has_new_best));
    let (fresh, others) = moves.split_at_mut_checked(fresh).unwrap_or_default();
    sort_by_score(fresh);
    for root in &mut *others {
        let nodes = root.nodes;
        match completed.iter().find(|last| last.m == root.m) {
            Some(last) => {
                *root = RootMove {
                    nodes,
                    ..last.clone()
                }
            }
            None => root.depth = 0,
        }
        if let Some(better) = fresh.last()
            && root.depth > 0
            && root.rank == better.rank
            && root.score > better.score
        {
            (root.score, root.depth) = (better.score, better.depth);
            root.failed_low = true;
        }
    }
    let place = |root: &RootMove| completed.iter().position(|last| last.m == root.m);
    others.sort_by_cached_key(|root| place(root).unwrap_or(usize::MAX));
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

/// Sorts the lines of an iteration for the search, the best first: moves of one rank, which compete
/// for a line, stand together.
pub(super) fn sort_by_score(lines: &mut [RootMove]) {
    lines.sort_by_key(|line| Reverse((line.rank, line.score)));
}

/// Sorts lines for the report, the best first. The ranks of tablebases decide which moves keep the
/// result, but not how fast they win: of moves with the same result the search may have found a
/// nearer mate after one of a lower rank.
pub(super) fn sort_by_reported_score(lines: &mut [RootMove]) {
    lines.sort_by_key(|line| {
        let told = (line.table_result(), line.reported_score());
        Reverse((line.is_known(), told, line.rank, line.score))
    });
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
    let root = position.repetition_key();
    let is_third = |next: &Position<R>| {
        let earlier = history.iter().chain([&root]);
        earlier.filter(|&&key| key == next.key()).count() >= 2
    };
    for ranked in &mut ranking.moves {
        let next = position.after(ranked.m);
        if is_third(&next) {
            (ranked.rank, ranked.score) = (0, Score::DRAW);
        } else if ranked.score > Score::DRAW {
            let can_repeat = next
                .legal_moves()
                .into_iter()
                .any(|reply| is_third(&next.after(reply)));
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
