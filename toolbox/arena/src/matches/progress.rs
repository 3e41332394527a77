//! A match while it runs.

use super::summary::Summary;
use crate::tournament::Report;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{Write, stderr};

/// A live line on a terminal, and what is worth a line of its own.
pub(super) struct Progress {
    bar: ProgressBar,
    verbose: bool,
}

impl Progress {
    pub(super) fn new(games: u64, verbose: bool) -> Progress {
        let bar = ProgressBar::new(games);
        let style = ProgressStyle::with_template("{pos}/{len} {bar:20} {eta} left\n{wide_msg}");
        if let Ok(style) = style {
            bar.set_style(style);
        }
        Progress { bar, verbose }
    }

    pub(super) fn tell(&mut self, report: &Report, summary: &Summary) {
        let [white, black] = &report.names;
        let ending = &report.played.ending;
        if self.verbose || ending.fault.is_some() {
            let detail = ending
                .detail
                .as_deref()
                .map(|detail| format!(" ({detail})"));
            self.line(&format!(
                "{}: {white} - {black} {} {}{}",
                report.number + 1,
                ending.result(),
                ending.reason,
                detail.unwrap_or_default()
            ));
        }
        for (color, ply, why) in &report.played.bad_lines {
            let name = if color.is_white() { white } else { black };
            let number = report.number + 1;
            if self.verbose {
                self.line(&format!("{number}: {name}, ply {}: {why}", ply + 1));
            }
        }
        self.bar.set_position(summary.tally.games());
        self.bar.set_message(summary.short());
    }

    /// A line above the live one.
    fn line(&self, text: &str) {
        if self.bar.is_hidden() {
            // Nobody is left to tell when stderr is closed.
            let _ = writeln!(stderr(), "{text}");
        } else {
            self.bar.println(text);
        }
    }

    pub(super) fn end(&self) {
        self.bar.finish_and_clear();
    }
}
