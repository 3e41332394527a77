//! How games end.

use crate::client::{self, ErrorKind};
use engine_core::{Color, Termination};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameEnding {
    /// Who has won; `None` for a draw.
    pub winner: Option<Color>,
    /// Why: a short text that is the same for all endings of a kind.
    pub reason: Cow<'static, str>,
    /// Whose fault it was, if anybody's.
    pub fault: Option<(Color, EngineFault)>,
    /// More about the fault.
    pub detail: Option<String>,
}

/// What a sound engine never does; each loses the game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EngineFault {
    /// It moves against the rules, or not at all.
    IllegalMove,
    /// It oversteps its time.
    TimeLoss,
    /// Its process ends.
    Crash,
    /// It does not answer at all.
    Hang,
    /// It claims a wrong result, or refuses a legal move.
    WrongClaim,
}

impl EngineFault {
    /// All of them.
    pub const ALL: [EngineFault; 5] = [
        EngineFault::IllegalMove,
        EngineFault::TimeLoss,
        EngineFault::Crash,
        EngineFault::Hang,
        EngineFault::WrongClaim,
    ];

    /// The text for reports and comments.
    pub fn name(self) -> &'static str {
        match self {
            EngineFault::IllegalMove => "illegal move",
            EngineFault::TimeLoss => "time loss",
            EngineFault::Crash => "crash",
            EngineFault::Hang => "hang",
            EngineFault::WrongClaim => "wrong claim",
        }
    }

    /// The value of the tag `Termination` in the PGN standard.
    pub(super) fn termination(self) -> &'static str {
        match self {
            EngineFault::TimeLoss => "time forfeit",
            EngineFault::Crash | EngineFault::Hang => "abandoned",
            EngineFault::IllegalMove | EngineFault::WrongClaim => "rules infraction",
        }
    }

    /// The fault that a value of the tag `Termination` tells of: those of the standard, and those that Cute Chess
    /// and fastchess add to them.
    pub(super) fn of_termination(value: &str) -> Option<EngineFault> {
        match value.to_ascii_lowercase().as_str() {
            "time forfeit" => Some(EngineFault::TimeLoss),
            "abandoned" => Some(EngineFault::Crash),
            "stalled connection" => Some(EngineFault::Hang),
            "rules infraction" | "illegal move" => Some(EngineFault::IllegalMove),
            _ => None,
        }
    }

    /// The fault behind an engine's error; `None` if it was not the engine's.
    pub(super) fn of(error: &client::Error) -> Option<EngineFault> {
        match error.kind {
            ErrorKind::Ended { .. } => Some(EngineFault::Crash),
            ErrorKind::TimedOut { .. } => Some(EngineFault::Hang),
            ErrorKind::IllegalMove { .. } => Some(EngineFault::IllegalMove),
            ErrorKind::Refused(_) => Some(EngineFault::WrongClaim),
            ErrorKind::Start(_)
            | ErrorKind::NoOption(_)
            | ErrorKind::Unsupported(_)
            | ErrorKind::Interrupted => None,
        }
    }
}

/// Why games end by what a side says instead of moving.
pub(super) const RESIGNATION: &str = "resignation";
pub(super) const AGREEMENT: &str = "agreement";
pub(super) const CLAIM: &str = "claim";
/// Why games end in which neither side has a say.
pub(super) const ADJUDICATION: &str = "adjudication";
/// Why a game of a file ended that does not tell it.
pub(super) const UNKNOWN: &str = "unknown";

/// Why a game is over by its rules, for reports and comments.
pub fn reason_of(termination: Termination) -> &'static str {
    match termination {
        Termination::Checkmate => "checkmate",
        Termination::Stalemate => "stalemate",
        Termination::InsufficientMaterial => "insufficient material",
        Termination::FiftyMoves | Termination::SeventyFiveMoves => "fifty moves",
        Termination::ThreefoldRepetition | Termination::FivefoldRepetition => "repetition",
        Termination::VariantWin | Termination::VariantLoss | Termination::VariantDraw => {
            "end of the variant"
        }
    }
}

impl GameEnding {
    pub(super) fn new(winner: Option<Color>, reason: impl Into<Cow<'static, str>>) -> GameEnding {
        GameEnding {
            winner,
            reason: reason.into(),
            fault: None,
            detail: None,
        }
    }

    pub(super) fn fault(color: Color, fault: EngineFault, detail: Option<String>) -> GameEnding {
        GameEnding {
            fault: Some((color, fault)),
            detail,
            ..GameEnding::new(Some(!color), fault.name())
        }
    }

    /// `1-0`, `0-1` or `1/2-1/2`.
    pub fn result(&self) -> &'static str {
        match self.winner {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        }
    }

    /// Half points of a side: 0, 1 or 2.
    pub fn half_points(&self, color: Color) -> u8 {
        match self.winner {
            None => 1,
            Some(winner) if winner == color => 2,
            Some(_) => 0,
        }
    }
}
