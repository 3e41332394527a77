//! The alpha-beta window.

use super::score::Score;

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

    /// The window limited to the range of scores.
    pub(super) fn clamped(self) -> Window {
        Window {
            alpha: self.alpha.max(-Score::INFINITE),
            beta: self.beta.min(Score::INFINITE),
        }
    }
}
