//! Progress bars.

use common::bars;
use common::error::Result;
use indicatif::ProgressBar;
use pgn::command::input::Input;
use std::io::{IsTerminal, stderr};

/// A bar on a terminal, nothing elsewhere: by a template of indicatif, with this much done.
pub fn bar(template: &str, all: u64, done: u64) -> ProgressBar {
    bars::styled(ProgressBar::new(all).with_position(done), template)
}

/// How many games are done of how many, and how long the others may take, where a person looks.
///
/// # Errors
/// When the games cannot be counted, since their file cannot be read.
pub fn of_games(input: &Input, done: u64) -> Result<ProgressBar> {
    if !stderr().is_terminal() {
        return Ok(ProgressBar::hidden());
    }
    Ok(match input.count_games()? {
        Some(all) => bar(
            "{pos} of {len} games {bar:30} {eta} left  game {msg}",
            all,
            done,
        ),
        None => bar("{spinner} {pos} games done, {elapsed}  game {msg}", 0, done),
    })
}
