//! Reading a history, and what several commands ask of one.

use crate::board::Board;
use crate::history::{GameHistory, Turn};
use crate::outcome::WinReason;
use common::control_characters::without_control_characters;
use common::error::Result;
use common::files;
use engine_core::Color;
use std::path::Path;

/// Reads a history, `-` from the standard input, and checks that each of its boards can be read.
pub(super) fn read(path: &Path) -> Result<GameHistory> {
    let name = files::input_name(path);
    let text = files::read_input_text(path)?;
    let history = GameHistory::from_json(&text).map_err(|error| error.in_file(path))?;
    for turn in history.turns() {
        for board in [
            history.truth_board_before_move(turn),
            history.truth_board_after_move(turn),
        ] {
            board.map_err(|error| format!("{name}: {turn}: {error}"))?;
        }
    }
    Ok(history)
}

/// The name of a side, fit for the terminal: its colour if it has none.
pub(super) fn name(history: &GameHistory, color: Color) -> String {
    without_control_characters(history.name(color).unwrap_or(color.name()))
}

/// How a game ended, in a few words. The winner is named by colour if both sides have the same
/// name.
pub(super) fn result(history: &GameHistory) -> String {
    with_reason(&ending(history), history)
}

/// The same for the player of a side, who is spoken to.
pub(super) fn result_for(history: &GameHistory, player: Color) -> String {
    if history.winner() == Some(player) {
        with_reason("you have won", history)
    } else {
        result(history)
    }
}

fn ending(history: &GameHistory) -> String {
    match history.winner() {
        Some(color) if history.name(color) == history.name(!color) => {
            format!("{} has won", color.name())
        }
        Some(color) => format!("{} has won", name(history, color)),
        None if history.win_reason().is_some() => "draw".to_owned(),
        None => "unfinished".to_owned(),
    }
}

fn with_reason(ending: &str, history: &GameHistory) -> String {
    match history.win_reason().map(WinReason::name) {
        Some(reason) => format!("{ending}: {reason}"),
        None => ending.to_owned(),
    }
}

/// The true board before the move of a turn, if there was one.
pub(super) fn before(history: &GameHistory, turn: Turn) -> Option<Board> {
    history.truth_board_before_move(turn).ok().flatten()
}

/// Where a game started.
pub(super) fn start(history: &GameHistory) -> Board {
    let first = history.first_turn().and_then(|turn| before(history, turn));
    first.unwrap_or_else(Board::start)
}
