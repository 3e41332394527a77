//! Facts about a position that playing does not need: for tools that show and teach.

use crate::rules::Rules;
use crate::types::{Bitboard, Move};
use crate::{Position, Termination};

impl<R: Rules> Position<R> {
    /// The number of moves that the nature of the pieces allows, whatever becomes of the king.
    pub fn pseudo_legal_count(&self) -> usize {
        let legal = self.legal_moves();
        let castling = legal.iter().filter(|m| m.is_castle()).count();
        self.to_setup().steps().len() + castling
    }

    /// Whether the last move left its own king in check, which no legal move does.
    pub fn was_into_check(&self) -> bool {
        let mut passed = *self;
        passed.play_null();
        passed.in_check()
    }

    /// The pieces of both sides that are pinned to their king.
    pub fn pinned(&self) -> Bitboard {
        self.board().pinned(|color| self.board().king(color))
    }

    /// Whether no earlier position can stand again after a legal move: a capture, a pawn move, a
    /// loss of castling rights, or the last chance to take en passant.
    pub fn is_irreversible(&self, m: Move) -> bool {
        let mut after = *self;
        after.play(m);
        self.is_zeroing(m)
            || after.castling() != self.castling()
            || self.legal_en_passant().is_some()
    }

    /// Whether a pawn attacks the en passant square, though it may be pinned.
    pub fn has_pseudo_legal_en_passant(&self) -> bool {
        self.en_passant()
            .is_some_and(|passed| self.en_passant_takers(passed).any())
    }

    /// Whether the side to move has no move without being in check.
    pub fn is_stalemate(&self) -> bool {
        !self.in_check() && !self.has_legal_move() && R::variant_end(self).is_none()
    }

    /// Whether this many plies went by without a capture or pawn move, and the game goes on.
    pub fn is_quiet_for(&self, plies: u32) -> bool {
        self.halfmoves() >= plies && self.has_legal_move()
    }
}

impl Termination {
    /// The name as a constant: `CHECKMATE`, `THREEFOLD_REPETITION`.
    pub const fn constant(self) -> &'static str {
        match self {
            Termination::Checkmate => "CHECKMATE",
            Termination::Stalemate => "STALEMATE",
            Termination::InsufficientMaterial => "INSUFFICIENT_MATERIAL",
            Termination::SeventyFiveMoves => "SEVENTYFIVE_MOVES",
            Termination::FivefoldRepetition => "FIVEFOLD_REPETITION",
            Termination::FiftyMoves => "FIFTY_MOVES",
            Termination::ThreefoldRepetition => "THREEFOLD_REPETITION",
            Termination::VariantWin => "VARIANT_WIN",
            Termination::VariantLoss => "VARIANT_LOSS",
            Termination::VariantDraw => "VARIANT_DRAW",
        }
    }
}
