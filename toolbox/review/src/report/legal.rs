//! The legal moves of a position, for a page that lets its reader choose one.

use engine_core::{AnyPosition, Move};
use serde::Serialize;

/// A legal move, in UCI notation and in SAN.
#[derive(Serialize)]
pub(crate) struct Choice(String, String);

impl Choice {
    /// All legal moves.
    pub(crate) fn all(position: &AnyPosition) -> Vec<Choice> {
        let moves = position.legal_moves();
        let choice = |&m: &Move| {
            let (uci, san) = (position.to_uci(m), position.to_san(m));
            Choice(uci.to_string(), san.to_string())
        };
        moves.iter().map(choice).collect()
    }
}
