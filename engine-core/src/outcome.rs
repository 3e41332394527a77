//! How games end.

use crate::Color;

/// The result of a game that is over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Outcome {
    /// Why it ended.
    pub termination: Termination,
    /// Who won; `None` for a draw.
    pub winner: Option<Color>,
}

/// Why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Termination {
    /// The side to move is in check and has no move.
    Checkmate,
    /// The side to move is not in check and has no move.
    Stalemate,
    /// Neither side can mate.
    InsufficientMaterial,
    /// 75 moves of both sides without a capture or pawn move: a draw without a claim.
    SeventyFiveMoves,
    /// The position stood five times: a draw without a claim.
    FivefoldRepetition,
    /// 50 moves of both sides without a capture or pawn move: a draw by claim.
    FiftyMoves,
    /// The position stood three times: a draw by claim.
    ThreefoldRepetition,
    /// An end that only the variant knows, with a winner.
    VariantWin,
    /// An end that only the variant knows, lost by the side to move.
    VariantLoss,
    /// An end that only the variant knows, drawn.
    VariantDraw,
}

impl Outcome {
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub const fn result(self) -> &'static str {
        match self.winner {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        }
    }
}
