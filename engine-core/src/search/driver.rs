//! From node searches to the score of an iteration.

use super::limits::Driver;
use super::node::{Root, RootProbe};
use super::score::Score;
use super::worker::{State, Window, Worker};
use crate::rules::Rules;

/// After this many probes MTD(f) gives up closing in and searches what is left open.
const MAX_PROBES: usize = 12;
/// The first step away from the guess, in centipawns; it doubles.
const FIRST_STEP: i32 = 8;
/// Bounds this close, in centipawns, are as good as a score: what is left of it decides no move,
/// and the last probes would cost as much as the first.
const TOLERANCE: i32 = 4;

impl Worker {
    /// The score of the root at a depth, given the score of the iteration before. `None` when the
    /// search was stopped; the root moves then hold what was found until then.
    pub(super) fn search_root<R: Rules>(
        &mut self,
        driver: Driver,
        state: &State<R>,
        guess: Score,
        depth: i32,
    ) -> Option<Score> {
        match driver {
            Driver::Mtdf => self.mtdf(state, guess, depth),
            Driver::Pvs => self.aspiration(state, guess, depth),
        }
    }

    /// MTD(f): null-window probes that close in on the score from both sides. Each asks only "is
    /// it at least this?", which is cheap, and the table remembers what the others found.
    ///
    /// Source: Plaat, Schaeffer, Pijls and de Bruin, "Best-first fixed-depth minimax algorithms",
    /// 1996; stepping and bisecting as usual for evaluations of fine grain.
    fn mtdf<R: Rules>(&mut self, state: &State<R>, guess: Score, depth: i32) -> Option<Score> {
        let (mut lower, mut upper) = (-Score::INFINITE, Score::INFINITE);
        let mut test = guess;
        let mut step = FIRST_STEP;
        for _ in 0..MAX_PROBES {
            self.convergence.probes += 1;
            let score = self.node::<R, RootProbe>(state, Window::above(test - 1), depth, 0, true);
            if self.stopped || self.should_stop_between_probes() {
                return None;
            }
            if score >= test {
                lower = score;
            } else {
                upper = score;
            }
            if lower >= upper {
                return Some(score);
            }
            if self.is_close(lower, upper) {
                return Some(lower);
            }
            test = if upper == Score::INFINITE {
                step *= 2;
                lower + step / 2
            } else if lower == -Score::INFINITE {
                step *= 2;
                upper - step / 2 + 1
            } else {
                Score(lower.0 + (upper.0 - lower.0 + 1) / 2)
            };
            test = test.clamp(-Score::MATE, Score::MATE);
        }
        self.open_window(
            state,
            Window {
                alpha: lower - 1,
                beta: upper + 1,
            },
            depth,
        )
    }

    /// Whether bounds tell the score well enough. Mates are counted to the ply, and a search
    /// without selectivity is exact.
    fn is_close(&self, lower: Score, upper: Score) -> bool {
        self.selective
            && lower.0.abs() < Score::TABLE_BOUND.0
            && upper.0.abs() < Score::TABLE_BOUND.0
            && upper.0 - lower.0 <= TOLERANCE
    }

    /// Principal variation search in a window around the guess that widens where it fails.
    fn aspiration<R: Rules>(
        &mut self,
        state: &State<R>,
        guess: Score,
        depth: i32,
    ) -> Option<Score> {
        let mut width = if depth >= 4 {
            14
        } else {
            2 * Score::INFINITE.0
        };
        let mut window = Window {
            alpha: guess - width,
            beta: guess + width,
        }
        .clamped();
        loop {
            let score = self.open_window(state, window, depth)?;
            if score <= window.alpha && window.alpha > -Score::INFINITE {
                window.beta = Score(i32::midpoint(window.alpha.0, window.beta.0));
                window.alpha = score - width;
            } else if score >= window.beta && window.beta < Score::INFINITE {
                window.beta = score + width;
            } else {
                return Some(score);
            }
            width *= 2;
            if width > 600 {
                window = Window::FULL;
            }
            window = window.clamped();
        }
    }

    fn open_window<R: Rules>(
        &mut self,
        state: &State<R>,
        window: Window,
        depth: i32,
    ) -> Option<Score> {
        self.convergence.probes += 1;
        let score = self.node::<R, Root>(state, window.clamped(), depth, 0, false);
        (!self.stopped).then_some(score)
    }
}
