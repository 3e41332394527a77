//! How games end.

use crate::rules::Rules;
use crate::{Color, Position};

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
    /// 75 moves of both sides without a capture or pawn move: a draw without a claim.
    SeventyFiveMoves,
    /// The position occurred five times: a draw without a claim.
    FivefoldRepetition,
    /// 50 moves of both sides without a capture or pawn move: a draw by claim.
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

impl<R: Rules> Position<R> {
    /// Whether the side to move is mated.
    pub fn is_checkmate(&self) -> bool {
        self.in_check() && !self.has_legal_move()
    }

    /// Whether the side to move has no move and is not in check, unless the variant has ended.
    pub fn is_stalemate(&self) -> bool {
        !self.in_check() && !R::is_variant_end(self) && !self.has_legal_move()
    }

    /// Whether neither side can ever win.
    pub fn is_insufficient_material(&self) -> bool {
        Color::ALL
            .into_iter()
            .all(|color| R::has_insufficient_material(self, color))
    }

    /// How the game has ended, as far as the position alone says; for repetitions and claims see
    /// [`Game::outcome`](crate::Game::outcome).
    pub fn outcome(&self) -> Option<Outcome> {
        R::outcome(self)
    }

    pub(crate) fn find_outcome(&self) -> Option<Outcome> {
        if let Some(end) = R::variant_end(self) {
            return Some(end);
        }
        let can_move = self.has_legal_move();
        if !can_move && self.in_check() {
            return Some(Outcome {
                termination: Termination::Checkmate,
                winner: Some(!self.turn()),
            });
        }
        let termination = if self.is_insufficient_material() {
            Termination::InsufficientMaterial
        } else if !can_move {
            Termination::Stalemate
        } else if R::FIFTY_MOVES && self.halfmoves() >= 150 {
            Termination::SeventyFiveMoves
        } else {
            return None;
        };
        Some(Outcome::draw(termination))
    }

    /// Whether both are the same position by the rule of repetitions: an en passant square counts
    /// only if a pawn can capture there.
    pub fn repeats(&self, other: &Position<R>) -> bool {
        self.board() == other.board()
            && self.turn() == other.turn()
            && self.castling() == other.castling()
            && R::extras_repeat(self, other)
            && self.legal_en_passant() == other.legal_en_passant()
    }
}
