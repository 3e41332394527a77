//! Receivers of generated moves: they count, list or find them.

use crate::types::{Bitboard, Move, MoveList, Role, Square};

/// Receives legal moves from the generator as sets of target squares.
///
/// Pawns come without their origin: `step` is what the move adds to the index of a square, such as
/// 8 for a push of White.
pub trait MoveSink {
    /// A piece other than a pawn goes from one square to each of the others.
    fn piece(&mut self, role: Role, from: Square, to: Bitboard);
    /// Pawns that reach these squares, coming from `to - step`.
    fn pawns(&mut self, to: Bitboard, step: i8);
    /// Pawns that reach these squares and promote to any piece, coming from `to - step`.
    fn promotions(&mut self, to: Bitboard, step: i8);
    /// One move of another kind: castling, en passant, promotion to a king where a variant has it.
    fn single(&mut self, m: Move);

    /// A piece from the pocket goes to one of these squares.
    #[inline(always)]
    fn drops(&mut self, role: Role, to: Bitboard) {
        for to in to {
            self.single(Move::drop(role, to));
        }
    }

    /// Whether no more moves are needed; the generator asks between kinds of pieces.
    #[inline(always)]
    fn is_done(&self) -> bool {
        false
    }
}

/// Counts moves without making them.
#[derive(Default)]
pub(super) struct MoveCounter(pub(super) u32);

impl MoveSink for MoveCounter {
    #[inline(always)]
    fn piece(&mut self, _: Role, _: Square, to: Bitboard) {
        self.0 += to.count();
    }

    #[inline(always)]
    fn pawns(&mut self, to: Bitboard, _: i8) {
        self.0 += to.count();
    }

    #[inline(always)]
    fn promotions(&mut self, to: Bitboard, _: i8) {
        self.0 += 4 * to.count();
    }

    #[inline(always)]
    fn single(&mut self, _: Move) {
        self.0 += 1;
    }

    #[inline(always)]
    fn drops(&mut self, _: Role, to: Bitboard) {
        self.0 += to.count();
    }
}

/// The square that a pawn comes from.
#[inline(always)]
pub(crate) fn origin(to: Square, step: i8) -> Square {
    Square::from_index_masked(to.index().wrapping_sub(step as usize))
}

/// What a pawn may become in standard chess, the most valuable first.
pub(crate) const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

impl MoveSink for MoveList {
    #[inline(always)]
    fn piece(&mut self, _: Role, from: Square, to: Bitboard) {
        self.extend(to.into_iter().map(|to| Move::normal(from, to)));
    }

    #[inline(always)]
    fn pawns(&mut self, to: Bitboard, step: i8) {
        self.extend(to.into_iter().map(|to| Move::normal(origin(to, step), to)));
    }

    #[inline(always)]
    fn promotions(&mut self, to: Bitboard, step: i8) {
        for to in to {
            for role in PROMOTIONS {
                self.push(Move::promotion(origin(to, step), to, role));
            }
        }
    }

    #[inline(always)]
    fn single(&mut self, m: Move) {
        self.push(m);
    }
}

/// Looks for one move among the generated ones.
pub(super) struct Finder {
    pub(super) wanted: Move,
    pub(super) found: bool,
}

impl MoveSink for Finder {
    #[inline(always)]
    fn piece(&mut self, _: Role, from: Square, to: Bitboard) {
        self.found |=
            self.wanted.is_normal() && self.wanted.from() == from && to.has(self.wanted.to());
    }

    #[inline(always)]
    fn pawns(&mut self, to: Bitboard, step: i8) {
        let wanted = self.wanted;
        self.found |=
            wanted.is_normal() && to.has(wanted.to()) && origin(wanted.to(), step) == wanted.from();
    }

    #[inline(always)]
    fn promotions(&mut self, to: Bitboard, step: i8) {
        let wanted = self.wanted;
        self.found |= wanted
            .promoted()
            .is_some_and(|role| PROMOTIONS.contains(&role))
            && to.has(wanted.to())
            && origin(wanted.to(), step) == wanted.from();
    }

    #[inline(always)]
    fn single(&mut self, m: Move) {
        self.found |= m == self.wanted;
    }
}

/// Whether any move is generated.
pub(crate) struct HasMove(pub(crate) bool);

impl MoveSink for HasMove {
    #[inline(always)]
    fn piece(&mut self, _: Role, _: Square, to: Bitboard) {
        self.0 |= to.any();
    }

    #[inline(always)]
    fn pawns(&mut self, to: Bitboard, _: i8) {
        self.0 |= to.any();
    }

    #[inline(always)]
    fn promotions(&mut self, to: Bitboard, _: i8) {
        self.0 |= to.any();
    }

    #[inline(always)]
    fn single(&mut self, _: Move) {
        self.0 = true;
    }

    #[inline(always)]
    fn is_done(&self) -> bool {
        self.0
    }
}
