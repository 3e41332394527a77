//! A match while it runs.

use super::summary::MatchSummary;
use crate::progress;
use crate::tournament::MatchGame;
use common::note;
use indicatif::ProgressBar;

/// A status line on a terminal, and messages in separate lines.
pub(super) struct MatchProgress {
    bar: ProgressBar,
    verbose: bool,
}

impl MatchProgress {
    pub(super) fn new(games: u64, done: u64, verbose: bool) -> MatchProgress {
        let template = "{pos}/{len} {bar:20} {eta} left\n{wide_msg}";
        MatchProgress {
            bar: progress::bar(template, games, done),
            verbose,
        }
    }

    pub(super) fn update(&mut self, game: &MatchGame, summary: &MatchSummary) {
        let [white, black] = &game.names;
        let ending = &game.played.ending;
        let number = game.number + 1;
        if self.verbose || ending.fault.is_some() {
            let detail = ending.detail.as_deref();
            let detail = detail.map(|detail| format!(" ({detail})"));
            self.line(&format!(
                "{number}: {white} - {black} {} {}{}",
                ending.result(),
                ending.reason,
                detail.unwrap_or_default()
            ));
        }
        for (color, ply, why) in game.played.bad_lines.iter().filter(|_| self.verbose) {
            let name = if color.is_white() { white } else { black };
            self.line(&format!("{number}: {name}, ply {}: {why}", ply + 1));
        }
        self.bar.set_position(summary.results.games());
        self.bar.set_message(summary.short());
    }

    /// A line above the live one.
    fn line(&self, text: &str) {
        if self.bar.is_hidden() {
            note!("{text}");
        } else {
            self.bar.println(text);
        }
    }

    pub(super) fn end(&self) {
        self.bar.finish_and_clear();
    }
}
