//! The senses and moves of a game one by one, each with the board.

use super::history_queries::{before, start};
use crate::history::{GameHistory, Turn};
use crate::outcome::MoveResult;
use engine_core::{Board as Pieces, Square};

/// The action of a turn.
pub(super) enum TurnAction {
    Sense(Option<Square>),
    Move(MoveResult),
}

/// A moment of a game.
pub(super) struct Moment {
    pub(super) turn: Turn,
    pub(super) action: TurnAction,
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
            push(TurnAction::Sense(square), pieces);
        }
        if let Some(result) = history.move_result(turn) {
            if let Ok(Some(board)) = history.truth_board_after_move(turn) {
                pieces = *board.pieces();
            }
            push(TurnAction::Move(result), pieces);
        }
    }
    moments
}
