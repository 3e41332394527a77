//! The alpha-beta window, and the best score within it.

use super::score::Score;
use crate::Move;

/// The open interval of scores between alpha and beta.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Window {
    pub(super) alpha: Score,
    pub(super) beta: Score,
}

impl Window {
    pub(super) const FULL: Window = Window {
        alpha: Score(-Score::INFINITE.0),
        beta: Score::INFINITE,
    };

    /// The null window that asks whether the score is above this.
    #[inline(always)]
    pub(super) fn above(alpha: Score) -> Window {
        Window {
            alpha,
            beta: alpha + 1,
        }
    }

    /// The window as the opponent sees it.
    #[inline(always)]
    pub(super) fn flipped(self) -> Window {
        Window {
            alpha: -self.beta,
            beta: -self.alpha,
        }
    }

    /// Mate distance pruning: no score is worse than being mated now, or better than mating with the
    /// next move. Without royal kings a side can have won before it moves.
    ///
    /// See <https://www.chessprogramming.org/Mate_Distance_Pruning>.
    #[inline(always)]
    pub(super) fn within_mates(self, ply: usize, has_kings: bool) -> Window {
        Window {
            alpha: self.alpha.max(Score::mated_in(ply)),
            beta: self.beta.min(Score::mate_in(ply + usize::from(has_kings))),
        }
    }

    #[inline(always)]
    pub(super) fn is_empty(self) -> bool {
        self.alpha >= self.beta
    }

    /// The score within these bounds that is nearest to this one.
    #[inline(always)]
    pub(super) fn nearest(self, score: Score) -> Score {
        score.max(self.alpha).min(self.beta)
    }

    /// The window limited to the range of scores.
    pub(super) fn clamped(self) -> Window {
        Window {
            alpha: self.alpha.max(-Score::INFINITE),
            beta: self.beta.min(Score::INFINITE),
        }
    }
}

/// The best score of a node so far, fail-soft, with the move if it raised alpha.
#[derive(Clone, Copy)]
pub(super) struct Best {
    pub(super) score: Score,
    pub(super) m: Option<Move>,
}

impl Best {
    #[inline(always)]
    pub(super) fn new(score: Score) -> Best {
        Best { score, m: None }
    }

    /// Raises the score, not by a move that was searched.
    #[inline(always)]
    pub(super) fn raise(&mut self, score: Score) {
        self.score = self.score.max(score);
    }

    /// Takes in the score of a move, which may raise alpha; returns whether it fails high.
    #[inline(always)]
    pub(super) fn add(&mut self, m: Move, score: Score, window: &mut Window) -> bool {
        if score <= self.score {
            return false;
        }
        self.score = score;
        if score <= window.alpha {
            return false;
        }
        self.m = Some(m);
        window.alpha = score;
        score >= window.beta
    }
}
