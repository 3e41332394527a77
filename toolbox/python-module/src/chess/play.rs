//! Moves as `Board.push` makes them: any move, whether it is legal or not.

use super::game_rules::GameRules;
use super::moves::RawMove;
use super::state::{BoardState, Extra, KING, PAWN, PieceType, Pieces, ascending, bit};
use engine_core::{Bitboard, CastlingMode, Fault, Faults, Setup, Square, Variant, attacks};

/// No piece is on the square that a move leaves.
pub(crate) struct NoPiece;

/// A piece that a move has captured.
#[derive(Clone, Copy)]
pub(crate) struct Capture {
    /// The square where it stood.
    pub(crate) square: u8,
    /// Its type.
    pub(crate) piece_type: PieceType,
    /// Whether it was promoted.
    pub(crate) was_promoted: bool,
}

/// The first and the last rank.
const BACKRANKS: u64 = 0xff00_0000_0000_00ff;

/// The first rank of a colour.
pub(crate) fn backrank(color: bool) -> u64 {
    if color { 0xff } else { 0xff << 56 }
}

/// The squares where another piece answers a check of the king: the checker's and those before it.
pub(crate) fn answers_to(checkers: u64, king: u8) -> u64 {
    match checkers.count_ones() {
        1 => checkers | super::square_set::in_between(king, checkers.trailing_zeros() as u8),
        _ => 0,
    }
}

/// Whether kings are ordinary pieces.
pub(crate) fn is_losing(variant: Variant) -> bool {
    matches!(
        variant,
        Variant::Suicide | Variant::Giveaway | Variant::Antichess
    )
}

impl BoardState {
    /// The castling rights that have their king and rook in place, or had them when the first move
    /// was made.
    pub(crate) fn clean_castling_rights(&self, mode: CastlingMode) -> u64 {
        if self.castling_rights == 0 || self.has_moved {
            return self.castling_rights;
        }
        self.clean_rights_of(true, mode) | self.clean_rights_of(false, mode)
    }

    fn clean_rights_of(&self, color: bool, mode: CastlingMode) -> u64 {
        let rank = backrank(color);
        let rooks = self.castling_rights & self.pieces.pieces(super::state::ROOK, color) & rank;
        let kings = self.pieces.pieces(KING, color) & !self.pieces.promoted & rank;
        match mode {
            CastlingMode::Standard if kings & (1 << 4 | 1 << 60) != 0 => {
                rooks & (1 | 1 << 7 | 1 << 56 | 1 << 63)
            }
            CastlingMode::Chess960 if kings != 0 => {
                let king = 1_u64 << kings.ilog2();
                let outermost_left = rooks & rooks.wrapping_neg();
                let outermost_right = match rooks {
                    0 => 0,
                    _ => 1 << rooks.ilog2(),
                };
                let left = if outermost_left < king {
                    outermost_left
                } else {
                    0
                };
                let right = if outermost_right > king {
                    outermost_right
                } else {
                    0
                };
                left | right
            }
            _ => 0,
        }
    }

    /// Makes a move.
    pub(crate) fn push(
        &mut self,
        extra: &mut Extra,
        m: RawMove,
        variant: Variant,
        mode: CastlingMode,
    ) -> Result<(), NoPiece> {
        let m = self.castling_to_chess960(m);
        if let Some(capture) = self.push_without_effects(extra, m, mode)? {
            self.capture(extra, m, capture, variant);
        }
        if extra.checks.is_some() && self.checkers(variant) != 0 {
            self.count_check(extra);
        }
        Ok(())
    }

    /// Makes a move by the standard rules: what it captures is only gone, and a check is not counted.
    /// Castling must be written as the king capturing its rook.
    pub(crate) fn push_without_effects(
        &mut self,
        extra: &mut Extra,
        m: RawMove,
        mode: CastlingMode,
    ) -> Result<Option<Capture>, NoPiece> {
        let before = *self;
        self.castling_rights = self.clean_castling_rights(mode);
        self.has_moved = true;
        self.ep_square = None;
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        if !self.turn {
            self.fullmove_number = self.fullmove_number.saturating_add(1);
        }
        let us = self.turn;
        self.turn = !us;
        if m.drop != 0 {
            self.drop(extra, m, us);
        } else if !m.is_null() {
            return self.step(&before, m).inspect_err(|_| *self = before);
        }
        Ok(None)
    }

    /// Counts a check that a move has given, where checks are counted.
    pub(crate) fn count_check(&self, extra: &mut Extra) {
        if let Some(checks) = &mut extra.checks {
            let left = &mut checks[usize::from(!self.turn)];
            *left = left.saturating_sub(1);
        }
    }

    fn drop(&mut self, extra: &mut Extra, m: RawMove, us: bool) {
        self.pieces.set(m.to, m.drop, us, false);
        if let Some(pockets) = &mut extra.pockets {
            let pocket = &mut pockets[usize::from(us)];
            if let Some(count) = pocket.get_mut(usize::from(m.drop) - 1) {
                *count = count.saturating_sub(1);
            }
        }
    }

    /// Moves a piece of the board, of which the clocks and the turn have been changed.
    fn step(&mut self, before: &BoardState, m: RawMove) -> Result<Option<Capture>, NoPiece> {
        let us = before.turn;
        let (from, to) = (bit(m.from), bit(m.to));
        let was_promoted = self.pieces.promoted & to != 0;
        let mut promoted = self.pieces.promoted & from != 0;
        let mut piece_type = self.pieces.remove(m.from).ok_or(NoPiece)?;
        let mut square = m.to;
        let mut captured = self.pieces.piece_type_at(m.to);
        if before.is_zeroing(m) {
            self.halfmove_clock = 0;
        }
        self.castling_rights &= !(from | to);
        if piece_type == KING && !promoted {
            self.castling_rights &= !backrank(us);
        } else if captured == Some(KING) && !was_promoted && backrank(!us) & to != 0 {
            self.castling_rights &= !backrank(!us);
        }
        if piece_type == PAWN {
            self.note_double_step(m);
            if captured.is_none() && before.is_en_passant(m) {
                square = if us { m.to.wrapping_sub(8) } else { m.to + 8 };
                captured = self.pieces.remove(square);
            }
        }
        if m.promotion != 0 {
            promoted = true;
            piece_type = m.promotion;
        }
        if piece_type == KING && before.pieces.color(us) & to != 0 && from != to {
            self.castle(m, us);
            return Ok(None);
        }
        self.pieces.set(m.to, piece_type, us, promoted);
        Ok(captured.map(|piece_type| Capture {
            square,
            piece_type,
            was_promoted: was_promoted && square == m.to,
        }))
    }

    fn note_double_step(&mut self, m: RawMove) {
        let (from, to) = (i16::from(m.from), i16::from(m.to));
        if to - from == 16 && (8..16).contains(&from) {
            self.ep_square = Some(m.from + 8);
        } else if from - to == 16 && (48..56).contains(&from) {
            self.ep_square = Some(m.from - 8);
        }
    }

    /// Puts king and rook where castling leads them; the king has left its square.
    fn castle(&mut self, m: RawMove, us: bool) {
        let first = if us { 0 } else { 56 };
        let (king, rook) = if m.to & 7 < m.from & 7 {
            (2, 3)
        } else {
            (6, 5)
        };
        self.pieces.remove(m.to);
        self.pieces.set(first + king, KING, us, false);
        self.pieces.set(first + rook, super::state::ROOK, us, false);
    }

    /// What a capture does beyond the standard rules.
    fn capture(&mut self, extra: &mut Extra, m: RawMove, capture: Capture, variant: Variant) {
        if variant == Variant::Atomic {
            self.explode(m.to);
        }
        if let Some(pockets) = &mut extra.pockets {
            let kept = if capture.was_promoted {
                PAWN
            } else {
                capture.piece_type
            };
            let pocket = &mut pockets[usize::from(!self.turn)];
            if let Some(count) = pocket.get_mut(usize::from(kept) - 1) {
                *count = count.saturating_add(1);
            }
        }
    }

    /// Removes the piece on a square and all but pawns around it.
    pub(crate) fn explode(&mut self, square: u8) {
        let at = Square::from_index_masked(usize::from(square));
        let around = attacks::king(at).0 & !self.pieces.role(PAWN);
        self.castling_rights &= !around;
        for color in [true, false] {
            let kings = self.pieces.pieces(KING, color) & !self.pieces.promoted;
            if around & kings != 0 {
                self.castling_rights &= !backrank(color);
            }
        }
        for square in ascending(around | bit(square)) {
            self.pieces.remove(square);
        }
    }

    /// The pieces that give check to the side to move.
    pub(crate) fn checkers(&self, variant: Variant) -> u64 {
        self.pieces.checkers(self.turn, variant)
    }

    /// The empty squares where a dropped piece leaves the king in no check.
    pub(crate) fn drop_squares(&self) -> u64 {
        let empty = !self.pieces.occupied;
        let Some(king) = self.pieces.king(self.turn) else {
            return empty;
        };
        match self
            .pieces
            .attackers(!self.turn, king, self.pieces.occupied)
        {
            0 => empty,
            checkers => empty & answers_to(checkers, king),
        }
    }

    /// Whether a move of a piece on the board leaves the king safe, if it is not in check or the
    /// move evades it: python-chess's `_is_safe`, which answers for moves that no piece can make,
    /// too. Of several kings it is about the one nearest to h8. En passant is left out.
    pub(crate) fn is_safe(&self, m: RawMove) -> bool {
        let (us, occupied) = (self.turn, self.pieces.occupied);
        let Some(king) = self.pieces.king(us) else {
            return true;
        };
        if m.from == king {
            let without_king = occupied & !bit(king);
            return self.is_castling(m) || self.pieces.attackers(!us, m.to, without_king) == 0;
        }
        let from = bit(m.from) & self.pieces.color(us);
        let uncovered = self.pieces.attackers(!us, king, occupied & !from);
        let is_pinned = uncovered & !self.pieces.attackers(!us, king, occupied) != 0;
        let [from, to, king] =
            [m.from, m.to, king].map(|square| Square::from_index_masked(usize::from(square)));
        !is_pinned || attacks::line(from, to).has(king)
    }

    /// The faults of a position with those of checks as python-chess's release has them: it knows
    /// checks where there are several kings, and lets any two pieces give check at once but for
    /// sliders on one line.
    pub(crate) fn with_faults_of_checks(
        &self,
        faults: Faults,
        setup: &Setup,
        variant: Variant,
    ) -> Faults {
        let mut faults = faults;
        let several = |color| self.pieces.pieces(KING, color).count_ones() > 1;
        let opposite = self.pieces.checkers(!self.turn, variant);
        faults.add_if(several(!self.turn) && opposite != 0, Fault::OppositeCheck);
        let checkers = Bitboard(self.checkers(variant));
        let king = self.pieces.king(self.turn).map(usize::from);
        let Some(king) = king.and_then(Square::from_index).filter(|_| checkers.any()) else {
            return faults;
        };
        let are_apart = match (checkers.first(), checkers.last()) {
            (Some(a), Some(b)) => checkers.count() == 2 && !attacks::line(a, b).has(king),
            _ => false,
        };
        if variant == Variant::RacingKings {
            // No check is possible in it.
        } else if are_apart && setup.valid_en_passant().is_none() {
            faults = faults.without(Faults::of(&[Fault::ImpossibleCheck]));
        } else if several(self.turn) {
            faults.add_if(checkers.count() > 2, Fault::TooManyCheckers);
            let is_impossible = setup.is_impossible_check(king, checkers);
            faults.add_if(is_impossible, Fault::ImpossibleCheck);
        }
        faults
    }

    /// The faults by the rules of chess where the sets of squares do not fit together: each set is
    /// taken as it is, as in python-chess.
    pub(crate) fn faults_of_sets(&self, setup: &Setup, game: GameRules) -> Faults {
        let occupied = Bitboard(self.pieces.occupied);
        let [black, white] = self.pieces.colors.map(Bitboard);
        let [kings, pawns] = [KING, PAWN].map(|role| Bitboard(self.pieces.role(role)));
        let mut faults = Faults::of_pieces(occupied, [white, black], kings, pawns);
        let clean = self.clean_castling_rights(game.mode);
        faults.add_if(clean != self.castling_rights, Fault::BadCastlingRights);
        let passed = setup.valid_en_passant();
        faults.add_if(passed != setup.en_passant, Fault::InvalidEnPassant);
        let opposite = self.pieces.checkers(!self.turn, game.variant);
        faults.add_if(opposite != 0, Fault::OppositeCheck);
        let checkers = Bitboard(self.checkers(game.variant));
        faults.add_if(checkers.count() > 2, Fault::TooManyCheckers);
        let king = self.pieces.king(self.turn).map(usize::from);
        let is_impossible = |king| setup.is_impossible_check(king, checkers);
        let is_impossible = king.and_then(Square::from_index).is_some_and(is_impossible);
        faults.add_if(is_impossible, Fault::ImpossibleCheck);
        faults
    }

    /// The pawns of the side to move that attack the en passant square.
    pub(crate) fn en_passant_takers(&self) -> u64 {
        let Some(passed) = self
            .ep_square
            .filter(|&passed| self.pieces.occupied & bit(passed) == 0)
        else {
            return 0;
        };
        let fifth = if self.turn { 0xff << 32 } else { 0xff << 24 };
        self.pieces
            .attackers(self.turn, passed, self.pieces.occupied)
            & self.pieces.role(PAWN)
            & fifth
    }
}

impl Pieces {
    /// The pieces that give check to a colour.
    pub(crate) fn checkers(&self, color: bool, variant: Variant) -> u64 {
        let is_exempt = match variant {
            variant if is_losing(variant) => true,
            Variant::Atomic => self.kings_touch(),
            _ => false,
        };
        match self.king(color).filter(|_| !is_exempt) {
            Some(king) => self.attackers(!color, king, self.occupied),
            None => 0,
        }
    }

    /// Whether a white and a black king stand beside each other.
    fn kings_touch(&self) -> bool {
        let black = self.pieces(KING, false);
        ascending(self.pieces(KING, true)).any(|king| {
            let at = Square::from_index_masked(usize::from(king));
            attacks::king(at).0 & black != 0
        })
    }

    /// Whether a square is on the first or the last rank.
    pub(crate) fn is_backrank(square: u8) -> bool {
        bit(square) & BACKRANKS != 0
    }
}
