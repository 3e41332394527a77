//! Moves as UCI writes them.

use engine_core::{AnyPosition, Move};

/// Reads a move of UCI, with capitals for promotions if need be.
pub(super) fn read_move(position: &AnyPosition, word: &str) -> Option<Move> {
    position
        .parse_uci(word)
        .or_else(|_| position.parse_uci(&word.to_ascii_lowercase()))
        .ok()
}
