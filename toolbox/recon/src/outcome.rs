//! The results of moves and games.

use crate::moves::UciMove;
use engine_core::Square;

/// The result of a request to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MoveResult {
    /// The move requested; `None` passes.
    pub requested: Option<UciMove>,
    /// The move taken; `None` if none was.
    pub taken: Option<UciMove>,
    /// Where a piece was captured.
    pub capture: Option<Square>,
}

/// Why a game ended. Draws have a reason, too.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum WinReason {
    /// A king was captured.
    KingCapture,
    /// A player ran out of time.
    Timeout,
    /// A player resigned.
    Resign,
    /// The limit of turns was exceeded; a draw.
    TurnLimit,
    /// The limit of turns without capture or pawn move was reached; a draw.
    MoveLimit,
}

impl WinReason {
    const NAMES: [(WinReason, &'static str); 5] = [
        (WinReason::KingCapture, "KING_CAPTURE"),
        (WinReason::Timeout, "TIMEOUT"),
        (WinReason::Resign, "RESIGN"),
        (WinReason::TurnLimit, "TURN_LIMIT"),
        (WinReason::MoveLimit, "MOVE_LIMIT"),
    ];

    /// The name in reconchess, such as `KING_CAPTURE`.
    pub fn name(self) -> &'static str {
        let found = WinReason::NAMES
            .into_iter()
            .find(|&(reason, _)| reason == self);
        found.map_or("", |(_, name)| name)
    }

    /// The reason of this name.
    pub fn from_name(name: &str) -> Option<WinReason> {
        let found = WinReason::NAMES
            .into_iter()
            .find(|&(_, known)| known == name);
        found.map(|(reason, _)| reason)
    }
}
