//! Moves as XBoard and its engines write them.

use engine_core::{AnyPosition, Move};

/// A move as XBoard writes it.
pub(super) fn write_move(position: &AnyPosition, m: Move) -> String {
    position.to_xboard(m).to_string()
}

/// Reads a move in coordinates or SAN.
pub(super) fn read_move(position: &AnyPosition, word: &str) -> Option<Move> {
    position
        .parse_uci(word)
        .or_else(|_| position.parse_san(word))
        .or_else(|_| position.parse_uci(&word.to_ascii_lowercase()))
        .ok()
}

/// The move of a line of the form `NUMBER ... MOVE`, in which GNU Chess says its moves: what the
/// protocol calls an idiom of old engines.
pub(super) fn old_move<'l>(number: &str, rest: &'l str) -> Option<&'l str> {
    let number = number.strip_suffix('.').unwrap_or(number);
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    rest.trim().strip_prefix("... ").filter(|_| is_number)
}
