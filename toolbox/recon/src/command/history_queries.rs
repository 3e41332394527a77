//! Reading a history, and what several commands ask of one.

use crate::board::Board;
use crate::history::{GameHistory, Turn};
use common::error::Result;
use common::files;
use common::output::readable;
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
    readable(history.name(color).unwrap_or(color.name()))
}

/// Who has won: by colour if both sides have the same name.
pub(super) fn winner(history: &GameHistory) -> String {
    match history.winner() {
        None => "nobody".to_owned(),
        Some(color) if history.name(color) == history.name(!color) => color.name().to_owned(),
        Some(color) => name(history, color),
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
