//! Whether a game has ended, as far as the last position alone shows, and whether positions repeat.

use crate::rules::Rules;
use crate::{Color, File, Move, Outcome, Position, Rank, Square, Termination};
use alloc::vec;
use alloc::vec::Vec;

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

    /// How the game has ended, by the position alone; for repetitions and claims see
    /// [`Game::outcome`](crate::Game::outcome).
    pub fn outcome(&self) -> Option<Outcome> {
        R::outcome(self)
    }

    pub(crate) fn outcome_generic(&self) -> Option<Outcome> {
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

    /// The key without an en passant square where no pawn can take legally: positions that repeat
    /// each other have the same.
    pub fn repetition_key(&self) -> u64 {
        match self.legal_en_passant() {
            Some(_) => self.key(),
            None => self.key() ^ self.en_passant_key(),
        }
    }

    /// The keys of all positions that repeat this one: those in which a pawn has just gone two
    /// squares, but cannot be taken legally, have another.
    pub fn keys_of_repetitions(&self) -> Vec<u64> {
        let mut keys = vec![self.repetition_key()];
        if self.legal_en_passant().is_none() {
            let rank = (!self.turn()).relative_rank(Rank::Third);
            keys.extend(File::ALL.into_iter().filter_map(|file| {
                let mut setup = self.to_setup();
                setup.en_passant = Some(Square::new(file, rank));
                let position = Position::<R>::from_setup_unchecked(&setup, self.mode());
                let is_one = position.has_pseudo_legal_en_passant() && position.repeats(self);
                is_one.then_some(position.key())
            }));
        }
        keys
    }

    /// The en passant square if a pawn can take there legally.
    pub fn legal_en_passant(&self) -> Option<Square> {
        let passed = self.en_passant()?;
        self.en_passant_takers(passed)
            .into_iter()
            .any(|from| self.is_legal(Move::en_passant(from, passed)))
            .then_some(passed)
    }
}
