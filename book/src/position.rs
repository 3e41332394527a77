//! What can be looked up in a book.

use engine_core::notation::MoveError;
use engine_core::{AnyPosition, Move, Position, Rules};

/// A position that can be looked up in a book: one whose variant is known when the program is compiled,
/// or one of any variant.
pub trait BookPosition {
    /// The key in opening books; see [`Position::polyglot_key`].
    fn polyglot_key(&self) -> u64;

    /// Reads a legal move in UCI notation; see [`Position::parse_uci`].
    ///
    /// # Errors
    /// When the move is not legal.
    fn parse_uci(&self, text: &str) -> Result<Move, MoveError>;
}

impl<R: Rules> BookPosition for Position<R> {
    fn polyglot_key(&self) -> u64 {
        self.polyglot_key()
    }

    fn parse_uci(&self, text: &str) -> Result<Move, MoveError> {
        self.parse_uci(text)
    }
}

impl BookPosition for AnyPosition {
    fn polyglot_key(&self) -> u64 {
        self.polyglot_key()
    }

    fn parse_uci(&self, text: &str) -> Result<Move, MoveError> {
        self.parse_uci(text)
    }
}
