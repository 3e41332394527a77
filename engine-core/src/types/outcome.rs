//! How games end.

use super::Color;

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
