//! Iterative deepening, and the drivers that search the root at one depth: MTD(f) and PVS.

use super::job::{Job, SearchResult};
use super::limits::Driver;
use super::node_type::{RootNonPv, RootPv};
use super::root_moves::{self, RootMove};
use super::rules::SearchRules;
use super::score::{MAX_PLY, Score, ScoreKind};
use super::search_position::SearchPosition;
use super::time::Iteration;
use super::tunables as tune;
use super::window::Window;
use super::worker::Worker;
use crate::Position;

/// A larger change of the score does not widen the steps of MTD(f) further.
const MAX_CHANGE: i32 = 100;

/// What the next iteration starts from, after a score and the guess before it.
fn next_guess(guess: Score, score: Score) -> Score {
    if guess.0.abs().max(score.0.abs()) >= Score::TB_BOUND.0 {
        return score;
    }
    let kept = tune::guess_kept();
    Score((score.0 * (100 - kept) + guess.0 * kept) / 100)
}

impl Worker {
    /// Searches until a limit is reached or a stop is requested.
    pub(super) fn search<R: SearchRules>(
        &mut self,
        job: &Job,
        position: &Position<R>,
    ) -> SearchResult {
        self.prepare(job, position);
        let state = SearchPosition::new(*position);
        if self.root_moves.is_empty() {
            return SearchResult::without_search(None, state.score_without_moves(0));
        }
        self.iterative_deepening(&state);
        let best = &self.root_moves[0];
        SearchResult {
            best: Some(best.m),
            ponder: best.pv.get(1).copied(),
            score: best.reported_score(),
            depth: best.depth,
            line: self.shared.has_listener().then(|| self.info(0)),
        }
    }

    /// Searches to depth 1, 2, 3 and so on, each iteration starting from the score before.
    fn iterative_deepening<R: SearchRules>(&mut self, state: &SearchPosition<R>) {
        let max_depth = self.limits.depth.unwrap_or(u32::MAX);
        let max_depth = max_depth.clamp(1, MAX_PLY as u32 - 10);
        let lines = self.options.multi_pv.clamp(1, self.root_moves.len());
        let value = self.evaluate(state, 0);
        let (mut guess, mut previous) = (value, value);
        let mut completed: Vec<RootMove> = Vec::new();
        // The lines that the last iteration has completed.
        let mut done = 0;
        for depth in 1..=max_depth {
            if depth < max_depth && self.skips_depth(depth as i32) {
                continue;
            }
            self.depth = depth;
            if depth > 1 && self.shared.must_stop() {
                self.stopped = true;
                break;
            }
            done = self.search_lines(state, guess, lines);
            if done < lines {
                break;
            }
            root_moves::sort_by_reported_score(&mut self.root_moves[..lines]);
            completed.clear();
            completed.extend_from_slice(&self.root_moves[..lines]);
            if self.is_main() {
                self.publish_counts();
                self.report_lines(lines);
                if self.is_done(previous) {
                    break;
                }
            }
            // The line of a mate took the rest of the time.
            if self.stopped {
                break;
            }
            previous = completed[0].score;
            self.score_change = (previous.0 - guess.0).abs().min(MAX_CHANGE);
            guess = next_guess(guess, previous);
        }
        let best = &mut self.root_moves[0];
        if best.depth == 0 {
            // The search has ended before it had a score.
            best.score = value;
        }
        // The last report also has what a stopped iteration improved.
        self.finish_lines(state, &completed, done, lines);
        self.publish_counts();
        if self.is_main() {
            self.report_lines(lines);
        }
    }

    /// Searches the root once for each line of `MultiPV`, without the best moves of better lines.
    /// Returns how many of them were completed.
    fn search_lines<R: SearchRules>(
        &mut self,
        state: &SearchPosition<R>,
        guess: Score,
        lines: usize,
    ) -> usize {
        root_moves::sort_by_score(&mut self.root_moves[..lines]);
        for line in 0..lines {
            self.pv_index = line;
            self.seldepth = 0;
            self.convergence.probes = 0;
            let last = if line == 0 {
                guess
            } else {
                self.root_moves[line].score
            };
            let start = if self.depth == 1 || last <= -Score::INFINITE {
                self.evaluate(state, 0)
            } else {
                last
            };
            let score = self.search_root(self.driver, state, start, self.depth as i32);
            let Some(score) = score else {
                self.pv_index = 0;
                return line;
            };
            self.complete_line(state, line, score);
        }
        self.pv_index = 0;
        lines
    }

    /// Whether the main thread ends the search after an iteration; `previous` is the score of the one
    /// before.
    fn is_done(&mut self, previous: Score) -> bool {
        let best = &self.root_moves[0];
        if self.has_found_mate(best.score) || self.has_spent_soft_nodes() {
            return true;
        }
        let rivals = self.root_moves.iter().filter(|root| root.rank >= best.rank);
        let iteration = Iteration {
            depth: self.depth,
            best: best.m,
            score: best.score,
            previous,
            effort: best.nodes as f64 / self.nodes.max(1) as f64,
            is_only_move: rivals.count() == 1,
            nodes: self.shared.nodes(),
        };
        self.is_pondering();
        self.time.is_enough(&iteration)
    }

    fn has_spent_soft_nodes(&self) -> bool {
        let limit = self.limits.soft_nodes;
        limit.is_some_and(|limit| self.shared.nodes() >= limit)
    }

    /// Whether the mate that was asked for is found.
    fn has_found_mate(&self, score: Score) -> bool {
        match (self.limits.mate, score.kind()) {
            (Some(moves), ScoreKind::Mate(found)) => found.unsigned_abs() <= moves,
            _ => false,
        }
    }

    /// Searches the root to a depth, given the score of the iteration before. `None` if the search
    /// was stopped; the root moves then hold what was found until then.
    pub(super) fn search_root<R: SearchRules>(
        &mut self,
        driver: Driver,
        state: &SearchPosition<R>,
        guess: Score,
        depth: i32,
    ) -> Option<Score> {
        match driver {
            Driver::Mtdf => self.mtdf(state, guess, depth),
            Driver::Pvs => self.aspiration(state, guess, depth),
        }
    }

    /// MTD(f): null-window searches that converge on the score from both sides. Each asks only "is
    /// it at least this?", which is cheap, as the transposition table keeps what the others found.
    ///
    /// Source: Plaat, Schaeffer, Pijls and de Bruin, "Best-first fixed-depth minimax algorithms",
    /// 1996. Steps that double and then bisection suit an evaluation of fine grain.
    fn mtdf<R: SearchRules>(
        &mut self,
        state: &SearchPosition<R>,
        guess: Score,
        depth: i32,
    ) -> Option<Score> {
        let (mut lower, mut upper) = (-Score::INFINITE, Score::INFINITE);
        let mut test = guess - tune::mtdf_first_probe();
        let mut step = tune::mtdf_first_step() + self.score_change * tune::mtdf_step_change() / 100;
        for _ in 0..tune::mtdf_max_probes() {
            self.convergence.probes += 1;
            let score = self.node::<R, RootNonPv>(state, Window::above(test - 1), depth, 0, true);
            if self.stopped || self.check_limits() {
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

    /// Whether the bounds are close enough. Mate scores must be exact, and so must a search without
    /// selectivity.
    fn is_close(&self, lower: Score, upper: Score) -> bool {
        self.selective
            && lower.0.abs() < Score::TB_BOUND.0
            && upper.0.abs() < Score::TB_BOUND.0
            && upper.0 - lower.0 <= tune::mtdf_tolerance()
    }

    /// Principal variation search in an aspiration window around the guess, widened when it fails.
    fn aspiration<R: SearchRules>(
        &mut self,
        state: &SearchPosition<R>,
        guess: Score,
        depth: i32,
    ) -> Option<Score> {
        let mut width = if depth >= tune::aspiration_depth() {
            tune::aspiration_width()
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
            if width > tune::aspiration_max() {
                window = Window::FULL;
            }
            window = window.clamped();
        }
    }

    fn open_window<R: SearchRules>(
        &mut self,
        state: &SearchPosition<R>,
        window: Window,
        depth: i32,
    ) -> Option<Score> {
        self.convergence.probes += 1;
        let score = self.node::<R, RootPv>(state, window.clamped(), depth, 0, false);
        (!self.stopped).then_some(score)
    }
}
