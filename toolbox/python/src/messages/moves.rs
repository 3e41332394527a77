//! Messages about moves.

use super::quote;
use crate::coordinates::Coordinates;
use engine_core::notation::MoveError;
use engine_core::{AnyPosition, Square, Variant};

/// The message about a text that is no legal move in SAN.
pub fn san(text: &str, error: &MoveError, position: &AnyPosition) -> String {
    let fen = position.fen();
    san_in(text, error, position, &fen)
}

/// The same with the FEN of the board, which may show rights that the position has dropped.
pub fn san_in(text: &str, error: &MoveError, position: &AnyPosition, fen: &str) -> String {
    let quoted = quote(text);
    let is_drop = position.variant() == Variant::Crazyhouse && text.contains('@');
    match error {
        MoveError::Syntax if is_drop => {
            let bare = text.trim_end_matches(['+', '#']);
            let pawn = if bare.starts_with('@') { "P" } else { "" };
            not_uci(&format!("{pawn}{bare}"))
        }
        _ if is_drop => format!("illegal drop san: {quoted} in {fen}"),
        MoveError::Syntax if text.contains(',') => {
            format!("unsupported multi-leg move: {quoted}")
        }
        MoveError::Syntax => format!("invalid san: {quoted}"),
        MoveError::Ambiguous(_) => format!("ambiguous san: {quoted} in {fen}"),
        error => match Coordinates::read(text) {
            Some(_) if *error == MoveError::NoPromotion => {
                format!("missing promotion piece type: {quoted} in {fen}")
            }
            Some(coordinates) => {
                let uci = coordinates.uci(position);
                let Coordinates { from, to, .. } = coordinates;
                format!("no matching legal move for {uci} ({from} -> {to}) in {fen}")
            }
            None => format!("illegal san: {quoted} in {fen}"),
        },
    }
}

/// The message about a text that is no legal move in UCI notation.
pub fn uci(text: &str, error: &MoveError, position: &AnyPosition) -> String {
    if *error == MoveError::Syntax {
        return not_uci(text);
    }
    let fen = position.fen();
    format!("illegal uci: {} in {fen}", quote(text))
}

/// The message about a text that is no move in UCI notation at all.
pub fn not_uci(text: &str) -> String {
    let square = |at: usize| text.get(at..at + 2)?.parse::<Square>().ok();
    // The piece that a pawn becomes is read before the squares are compared.
    let promotes = |text: &str| matches!(text, "" | "p" | "n" | "b" | "r" | "q" | "k");
    let is_read = text.get(4..).is_some_and(promotes);
    let problem = match (text.chars().count(), square(0), square(2)) {
        (4 | 5, Some(from), Some(to)) if from == to && is_read => {
            "invalid uci (use 0000 for null moves)"
        }
        (4 | 5, _, _) => "invalid uci",
        _ => "expected uci string to be of length 4 or 5",
    };
    format!("{problem}: {}", quote(text))
}
