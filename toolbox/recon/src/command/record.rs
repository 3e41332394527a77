//! Histories of games that are read from files.

use crate::board::Board;
use crate::history::{GameHistory, Turn};
use crate::outcome::MoveResult;
use common::error::Result;
use common::files;
use common::output::readable;
use engine_core::{Board as Pieces, Color, Square};
use std::path::Path;

/// Reads a history, `-` from the standard input. Each board in it is one.
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

/// The action of a turn.
pub(super) enum Action {
    Sense(Option<Square>),
    Move(MoveResult),
}

/// A moment of a game.
pub(super) struct Moment {
    pub(super) turn: Turn,
    pub(super) action: Action,
    /// The pieces on the board then.
    pub(super) pieces: Pieces,
}

/// Each sense and each move of a game.
pub(super) fn moments(history: &GameHistory) -> Vec<Moment> {
    let mut pieces = *start(history).pieces();
    let mut moments = Vec::new();
    for turn in history.turns() {
        if let Some(board) = before(history, turn) {
            pieces = *board.pieces();
        }
        let mut push = |action, pieces| {
            moments.push(Moment {
                turn,
                action,
                pieces,
            });
        };
        if let Some(square) = history.sense(turn) {
            push(Action::Sense(square), pieces);
        }
        if let Some(result) = history.move_result(turn) {
            if let Ok(Some(board)) = history.truth_board_after_move(turn) {
                pieces = *board.pieces();
            }
            push(Action::Move(result), pieces);
        }
    }
    moments
}
