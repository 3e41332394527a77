//! The results of a match and its circumstances.

use super::history::MatchHistory;
use crate::tournament::{
    EngineFault, Estimate, GameEnding, MatchGame, Results, ScheduledGame, Sprt, Tally, Verdict,
};
use common::error::Error;
use serde::Serialize;
use std::collections::BTreeMap;

/// The results of a match and its circumstances.
#[derive(Debug, Default)]
pub(super) struct MatchSummary {
    pub(super) names: Vec<String>,
    /// The limits of the searches; empty for games that were only read from a file.
    pub(super) limits: String,
    pub(super) results: Results,
    pub(super) sprt: Option<Sprt>,
    /// How long this run has played.
    pub(super) seconds: f64,
    /// Whether an earlier run has played some of the games.
    pub(super) is_resumed: bool,
    /// Whether the match was stopped before its end.
    pub(super) interrupted: bool,
    /// Why it ended early, if not by a signal.
    pub(super) failure: Option<Error>,
    /// Details of the last crash or hang of each engine that had one.
    pub(super) last_words: BTreeMap<usize, String>,
    /// The history of the match, if it is plotted.
    pub(super) history: Option<MatchHistory>,
}

/// A sequential test with its state.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct SprtState {
    #[serde(flatten)]
    pub(super) sprt: Sprt,
    pub(super) llr: f64,
    pub(super) lower: f64,
    pub(super) upper: f64,
    pub(super) verdict: Option<Verdict>,
}

impl MatchSummary {
    /// Adds a game.
    pub(super) fn add(&mut self, game: &MatchGame) {
        self.add_result(game.scheduled, &game.played.ending);
        if let Some(history) = &mut self.history {
            history.add_times(game);
        }
        for (color, ..) in &game.played.bad_lines {
            self.results.add_bad_lines(game.scheduled.engine(*color), 1);
        }
    }

    /// Adds a game of which nothing but the end is known.
    pub(super) fn add_result(&mut self, scheduled: ScheduledGame, ending: &GameEnding) {
        self.results.add(scheduled, ending);
        let GameEnding { fault, detail, .. } = ending;
        if let Some((color, EngineFault::Crash | EngineFault::Hang)) = *fault {
            let words = detail.clone().unwrap_or_default();
            self.last_words.insert(scheduled.engine(color), words);
        }
        let llr = self.test().map(|test| test.llr);
        if let Some(history) = &mut self.history {
            history.record(scheduled, &self.results, llr);
        }
    }

    /// Says which engine has crashed or hung in all of its games, so that the match means nothing.
    pub(super) fn useless(&self) -> Option<String> {
        let is_useless = |engine: usize| {
            let faults = self.results.faults(engine);
            let of = |fault| faults.get(&fault).copied().unwrap_or(0);
            of(EngineFault::Crash) + of(EngineFault::Hang) == self.results.total(engine).games()
        };
        let mut all = self.last_words.iter();
        let (&engine, words) = all.find(|(engine, _)| is_useless(**engine))?;
        let name = self.names.get(engine).map_or("", String::as_str);
        let games = match self.results.total(engine).games() {
            1 => "its only game".to_owned(),
            games => format!("all of its {games} games"),
        };
        Some(format!("{name} failed in {games}: {words}"))
    }

    /// The results of the first engine.
    pub(super) fn tally(&self) -> Tally {
        self.results.total(0)
    }

    /// The sequential test of two engines.
    pub(super) fn test(&self) -> Option<SprtState> {
        let (sprt, tally) = (self.sprt?, self.tally());
        let (lower, upper) = sprt.bounds();
        Some(SprtState {
            sprt,
            llr: sprt.llr(&tally),
            lower,
            upper,
            verdict: sprt.verdict(&tally),
        })
    }

    /// Whether the sequential test has a verdict.
    pub(super) fn is_decided(&self) -> bool {
        self.test().is_some_and(|test| test.verdict.is_some())
    }

    /// The state in one line, from the first engine's view.
    pub(super) fn short(&self) -> String {
        let tally = self.tally();
        let mut parts = vec![score(&tally)];
        if let Some(estimate) = tally.estimate() {
            parts.push(format!("{:.1} %  {estimate}", 100.0 * estimate.score));
        }
        if let Some(test) = self.test() {
            let SprtState {
                llr, lower, upper, ..
            } = test;
            parts.push(format!("LLR {llr:.2} ({lower:.2}, {upper:.2})"));
        }
        parts.join("  ")
    }

    pub(super) fn is_duel(&self) -> bool {
        self.names.len() == 2
    }

    /// `, 300 nodes, 12 s, interrupted`, as far as there is such a thing.
    pub(super) fn circumstances(&self) -> String {
        let mut text = String::new();
        if !self.limits.is_empty() {
            text = format!(", {}, {:.0} s", self.limits, self.seconds);
            if self.is_resumed {
                text.push_str(" since it was resumed");
            }
        }
        if self.interrupted {
            text.push_str(", interrupted");
        }
        text
    }

    /// How the games ended, in words.
    pub(super) fn endings(&self) -> String {
        let endings = self.results.endings().iter();
        let endings: Vec<_> = endings.map(|(why, n)| format!("{n} {why}")).collect();
        endings.join(", ")
    }
}

/// `+3 =5 -2`.
pub(crate) fn score(tally: &Tally) -> String {
    format!("+{} ={} -{}", tally.wins, tally.draws, tally.losses)
}

/// `12.00 +- 3.40`, or why there is no such error.
pub(super) fn elo(estimate: &Estimate, tally: &Tally) -> String {
    let Estimate { elo, .. } = estimate;
    match (estimate.elo_error, estimate.score_error) {
        (Some(error), _) => format!("{elo:.2} +- {error:.2}"),
        (None, Some(error)) => {
            let percent = 100.0 * error;
            format!("{elo:.2}, error unbounded: the score has +- {percent:.2} %")
        }
        (None, None) if elo.is_finite() && tally.is_paired() => {
            format!("{elo:.2}, error unknown: all pairs have the same score")
        }
        (None, None) if elo.is_finite() => {
            format!("{elo:.2}, error unknown: all results are the same")
        }
        (None, None) => elo.to_string(),
    }
}
