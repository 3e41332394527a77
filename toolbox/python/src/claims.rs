//! The draws that may be claimed in a game, ply by ply.

use crate::names;
use engine_core::dispatch;
use engine_core::notation::EnPassant;
use notation::position::Replay;
use serde::Serialize;

/// The facts about repetitions and the fifty-move rule.
#[derive(Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(crate) struct Claims {
    fen: String,
    outcome: Option<[&'static str; 2]>,
    outcome_claim: Option<[&'static str; 2]>,
    /// Whether the position has occurred at least twice, three times and five times.
    rep2: bool,
    rep3: bool,
    fivefold: bool,
    /// Whether a draw by threefold repetition can be claimed, now or with a move.
    claim3: bool,
    /// Whether the halfmove clock has reached 100 and there is a legal move.
    fifty: bool,
    /// Whether a draw by the fifty-move rule can be claimed, now or with a move.
    claim50: bool,
    /// Whether the halfmove clock has reached 150 and there is a legal move.
    seventyfive: bool,
    /// Whether any draw can be claimed.
    claim: bool,
}

impl Claims {
    pub(crate) fn of(replay: &Replay) -> Claims {
        let game = &replay.game;
        let (claim3, claim50) = (game.can_claim_threefold(), game.can_claim_fifty());
        dispatch!(game.position(), |position| Claims {
            fen: position.fen(EnPassant::Legal),
            outcome: game.outcome(false).map(names::outcome),
            outcome_claim: game.outcome(true).map(names::outcome),
            rep2: game.is_repetition(2),
            rep3: game.is_repetition(3),
            fivefold: game.is_repetition(5),
            claim3,
            fifty: position.is_halfmove_draw(100),
            claim50,
            seventyfive: position.is_halfmove_draw(150),
            claim: claim3 || claim50,
        })
    }
}
