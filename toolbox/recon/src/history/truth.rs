//! The true board at some moment of a game.

use crate::board::{Board, BoardError};
use engine_core::Color;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;

/// A board as it was, or the text of one as a file has it. Boards become texts only when they are
/// asked for: that takes longer than all else in a turn of a game.
#[derive(Clone, Debug)]
pub(super) enum Truth {
    Board(Board),
    Text(String),
}

impl Truth {
    /// The FEN.
    pub(super) fn fen(&self) -> Cow<'_, str> {
        match self {
            Truth::Board(board) => board.fen().into(),
            Truth::Text(text) => text.into(),
        }
    }

    /// The board with this side to move.
    pub(super) fn board(&self, turn: Color) -> Result<Board, BoardError> {
        let board = match self {
            Truth::Board(board) => board.clone(),
            Truth::Text(text) => Board::record(text)?,
        };
        Ok(board.with_turn(turn))
    }
}

/// Two are equal if they are written alike.
impl PartialEq for Truth {
    fn eq(&self, other: &Truth) -> bool {
        self.fen() == other.fen()
    }
}

impl Serialize for Truth {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.fen())
    }
}

impl<'de> Deserialize<'de> for Truth {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Truth, D::Error> {
        String::deserialize(deserializer).map(Truth::Text)
    }
}
