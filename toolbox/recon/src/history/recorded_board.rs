//! The true board at some moment of a game.

use crate::board::{Board, BoardError};
use engine_core::Color;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;

/// A board as it was, or the text of one as a file has it. Boards become texts only when they are
/// asked for: that takes longer than all else in a turn of a game.
#[derive(Clone, Debug)]
pub(super) enum RecordedBoard {
    Board(Board),
    Text(String),
}

impl RecordedBoard {
    /// The FEN.
    pub(super) fn fen(&self) -> Cow<'_, str> {
        match self {
            RecordedBoard::Board(board) => board.fen().into(),
            RecordedBoard::Text(text) => text.into(),
        }
    }

    /// The board with this side to move.
    pub(super) fn board(&self, turn: Color) -> Result<Board, BoardError> {
        let board = match self {
            RecordedBoard::Board(board) => board.clone(),
            RecordedBoard::Text(text) => Board::record(text)?,
        };
        Ok(board.with_turn(turn))
    }
}

/// Two are equal if they are written alike.
impl PartialEq for RecordedBoard {
    fn eq(&self, other: &RecordedBoard) -> bool {
        self.fen() == other.fen()
    }
}

impl Serialize for RecordedBoard {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.fen())
    }
}

impl<'de> Deserialize<'de> for RecordedBoard {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<RecordedBoard, D::Error> {
        String::deserialize(deserializer).map(RecordedBoard::Text)
    }
}
