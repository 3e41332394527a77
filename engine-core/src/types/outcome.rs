//! How games end.

use super::Color;
use core::fmt;

/// The result of a game that is over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Outcome {
    /// Why it ended.
    pub termination: Termination,
    /// Who won; `None` for a draw.
    pub winner: Option<Color>,
}

/// Why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Termination {
    /// The side to move is in check and has no move.
    Checkmate,
    /// The side to move is not in check and has no move.
    Stalemate,
    /// Neither side can mate.
    InsufficientMaterial,
    /// 75 moves by each side without a capture or pawn move: a draw without a claim.
    SeventyFiveMoves,
    /// The position occurred five times: a draw without a claim.
    FivefoldRepetition,
    /// 50 moves by each side without a capture or pawn move: a draw by claim.
    FiftyMoves,
    /// The position occurred three times: a draw by claim.
    ThreefoldRepetition,
    /// An end by the rules of a variant, won by the side to move.
    VariantWin,
    /// An end by the rules of a variant, lost by the side to move.
    VariantLoss,
    /// An end by the rules of a variant, drawn.
    VariantDraw,
}

impl Termination {
    /// The reason in words, as `fivefold repetition`.
    pub const fn name(self) -> &'static str {
        match self {
            Termination::Checkmate => "checkmate",
            Termination::Stalemate => "stalemate",
            Termination::InsufficientMaterial => "insufficient material",
            Termination::SeventyFiveMoves => "seventy-five moves",
            Termination::FivefoldRepetition => "fivefold repetition",
            Termination::FiftyMoves => "fifty moves",
            Termination::ThreefoldRepetition => "threefold repetition",
            Termination::VariantWin => "variant win",
            Termination::VariantLoss => "variant loss",
            Termination::VariantDraw => "variant draw",
        }
    }
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The result and the reason, as in `1-0 (checkmate)`.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.result(), self.termination)
    }
}

impl Outcome {
    /// A draw.
    pub const fn draw(termination: Termination) -> Outcome {
        Outcome {
            termination,
            winner: None,
        }
    }

    /// `1-0`, `0-1` or `1/2-1/2`.
    pub const fn result(self) -> &'static str {
        match self.winner {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        }
    }
}
