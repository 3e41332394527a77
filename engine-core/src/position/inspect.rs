//! Inspection of a position: queries for tools that show or teach, which playing does not need.

use crate::Position;
use crate::rules::Rules;
use crate::types::{Bitboard, Move, Role};

impl<R: Rules> Position<R> {
    /// The number of pseudo-legal moves, without drops.
    pub fn pseudo_legal_count(&self) -> usize {
        let setup = self.to_setup();
        let moves = setup.non_castling_moves();
        let castling = if R::ROYAL {
            let legal = self.legal_moves();
            legal.iter().filter(|m| m.is_castle()).count()
        } else if R::is_variant_end(self) {
            0
        } else {
            setup.castling_moves(self.mode(), |_, _| true).count()
        };
        // Where kings are not royal, a pawn may become one.
        let to_queen = |m: &&Move| !R::ROYAL && m.promoted() == Some(Role::Queen);
        moves.len() + moves.iter().filter(to_queen).count() + castling
    }

    /// Whether the last move left its own king in check, which no legal move does.
    pub fn was_into_check(&self) -> bool {
        self.to_setup().checkers::<R>(!self.turn()).any()
    }

    /// The pieces of both sides that are pinned to their king.
    pub fn pinned(&self) -> Bitboard {
        let board = self.board();
        let king = |color| board.pieces(color, Role::King).single();
        board.pinned(|color| king(color).filter(|_| R::ROYAL))
    }

    /// Whether no earlier position can repeat after a legal move: it is a capture or pawn move
    /// (unless captured pieces come back as drops), loses castling rights or the right to capture
    /// en passant, or gives a check where checks are counted.
    pub fn is_irreversible(&self, m: Move) -> bool {
        let after = self.after(m);
        let loses_rights = after.castling() != self.castling();
        if R::CAPTURES_REPEAT {
            return loses_rights;
        }
        loses_rights
            || self.is_zeroing(m)
            || self.legal_en_passant().is_some()
            || (R::COUNTS_CHECKS && after.in_check())
    }

    /// Whether a pawn attacks the en passant square, though it may be pinned.
    pub fn has_pseudo_legal_en_passant(&self) -> bool {
        self.en_passant()
            .is_some_and(|passed| self.en_passant_takers(passed).any())
    }

    /// The halfmove clock by rules under which it draws, else 0.
    pub fn fifty_move_clock(&self) -> u32 {
        if R::FIFTY_MOVES { self.halfmoves() } else { 0 }
    }

    /// Whether the halfmove clock has reached this many plies, by rules under which that draws, and
    /// there is a legal move.
    pub fn is_halfmove_draw(&self, plies: u32) -> bool {
        self.fifty_move_clock() >= plies && self.has_legal_move()
    }
}
