//! How games end.

use crate::client::{self, ErrorKind};
use engine_core::Color;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ending {
    /// Who has won; `None` for a draw.
    pub winner: Option<Color>,
    /// Why: a short text that is the same for all endings of a kind.
    pub reason: Cow<'static, str>,
    /// Whose fault it was, if anybody's.
    pub fault: Option<(Color, Fault)>,
    /// More about the fault.
    pub detail: Option<String>,
}

/// What a sound engine never does; each loses the game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
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

impl Fault {
    /// All of them.
    pub const ALL: [Fault; 5] = [
        Fault::IllegalMove,
        Fault::TimeLoss,
        Fault::Crash,
        Fault::Hang,
        Fault::WrongClaim,
    ];

    /// The text for reports and comments.
    pub fn name(self) -> &'static str {
        match self {
            Fault::IllegalMove => "illegal move",
            Fault::TimeLoss => "time loss",
            Fault::Crash => "crash",
            Fault::Hang => "hang",
            Fault::WrongClaim => "wrong claim",
        }
    }

    /// The value of the tag `Termination` in the PGN standard.
    pub(super) fn termination(self) -> &'static str {
        match self {
            Fault::TimeLoss => "time forfeit",
            Fault::Crash | Fault::Hang => "abandoned",
            Fault::IllegalMove | Fault::WrongClaim => "rules infraction",
        }
    }

    /// The fault behind an engine's error; `None` if it was not the engine's.
    pub(super) fn of(error: &client::Error) -> Option<Fault> {
        match error.kind {
            ErrorKind::Ended { .. } => Some(Fault::Crash),
            ErrorKind::TimedOut { .. } => Some(Fault::Hang),
            ErrorKind::IllegalMove { .. } => Some(Fault::IllegalMove),
            ErrorKind::Refused(_) => Some(Fault::WrongClaim),
            ErrorKind::Start(_) | ErrorKind::Unsupported(_) | ErrorKind::Interrupted => None,
        }
    }
}

impl Ending {
    pub(super) fn new(winner: Option<Color>, reason: impl Into<Cow<'static, str>>) -> Ending {
        Ending {
            winner,
            reason: reason.into(),
            fault: None,
            detail: None,
        }
    }

    pub(super) fn fault(color: Color, fault: Fault, detail: Option<String>) -> Ending {
        Ending {
            fault: Some((color, fault)),
            detail,
            ..Ending::new(Some(!color), fault.name())
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
