//! The incrementally updated inputs of the evaluation, kept by an observer of `Position::play`.

use super::perspective::Perspective;
use super::rules::EvalRules;
use super::tapered::TOTAL_PHASE;
use crate::position::Observer;
use crate::types::{ByColor, Color, Piece, Role, Square};
use crate::{Position, zobrist};
use std::marker::PhantomData;

/// The game phase and the keys of correction history of a position: a few bytes, so that a position
/// is copied quickly. The accumulators are updated only when a value is needed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Tracker<R: EvalRules> {
    pub(super) perspectives: ByColor<Perspective>,
    /// The game phase: what the pieces count for, 0 without any. `taper` caps it at `TOTAL_PHASE`.
    pub(super) phase: i32,
    /// Zobrist keys of the pawns alone, of each side's other pieces, and of minor pieces and kings.
    pub(crate) keys: [u64; 4],
    rules: PhantomData<R>,
}

/// The pieces that a move put on squares and took from them ("dirty pieces").
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct DirtyPieces {
    pieces: [[(Piece, Square); DirtyPieces::MAX_PIECES]; 2],
    counts: [u8; 2],
}

impl DirtyPieces {
    /// The most pieces that any move but an explosion puts or takes.
    const MAX_PIECES: usize = 2;

    pub(crate) const NONE: DirtyPieces = DirtyPieces {
        pieces: [[(Role::Pawn.of(Color::White), Square::A1); DirtyPieces::MAX_PIECES]; 2],
        counts: [0; 2],
    };

    #[inline(always)]
    fn add<const LIST: usize>(&mut self, piece: Piece, square: Square) {
        let count = &mut self.counts[LIST];
        if let Some(slot) = self.pieces[LIST].get_mut(usize::from(*count)) {
            *slot = (piece, square);
        }
        *count += 1;
    }

    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.counts = [0; 2];
    }

    /// The pieces put and the pieces taken; `None` if there were too many to store.
    #[inline(always)]
    pub(super) fn lists(&self) -> Option<[&[(Piece, Square)]; 2]> {
        let [put, taken] = &self.pieces;
        let [puts, takes] = self.counts.map(usize::from);
        Some([put.get(..puts)?, taken.get(..takes)?])
    }
}

impl<R: EvalRules> Tracker<R> {
    pub(crate) fn of(position: &Position<R>) -> Tracker<R> {
        let board = position.board();
        let perspective = |color| Perspective::new(R::LAYOUT, color, board.king(color));
        let mut tracker = Tracker {
            perspectives: ByColor(Color::ALL.map(perspective)),
            phase: 0,
            keys: [0; 4],
            rules: PhantomData,
        };
        for (square, piece) in board.iter() {
            tracker.count(piece, square, 1);
        }
        tracker
    }

    /// The phase that values are tapered by.
    #[inline(always)]
    pub(super) fn taper_phase(&self) -> i32 {
        // Captured pieces come back as drops, so there is no endgame.
        if R::DROPS { TOTAL_PHASE } else { self.phase }
    }

    /// An observer of one move, which also notes the pieces that the move changes.
    #[inline(always)]
    pub(crate) fn observer<'a>(&'a mut self, dirty: &'a mut DirtyPieces) -> MoveObserver<'a, R> {
        MoveObserver {
            tracker: self,
            dirty,
        }
    }

    #[inline(always)]
    fn count(&mut self, piece: Piece, square: Square, times: i32) {
        self.phase += times * R::PHASE[piece.role.index()];
        self.toggle_key(piece, zobrist::piece(piece, square));
    }

    #[inline(always)]
    fn toggle_key(&mut self, piece: Piece, key: u64) {
        // Branchless: the branch would often be mispredicted.
        let part = usize::from(piece.role != Role::Pawn) * (1 + piece.color.index());
        self.keys[part] ^= key;
        let is_minor = matches!(piece.role, Role::Knight | Role::Bishop | Role::King);
        self.keys[3] ^= if is_minor { key } else { 0 };
    }

    #[inline(always)]
    fn follow_king(&mut self, piece: Piece, square: Square) {
        if piece.role == Role::King {
            let color = piece.color;
            self.perspectives[color] = Perspective::new(R::LAYOUT, color, Some(square));
        }
    }
}

/// An observer of one move.
pub(crate) struct MoveObserver<'a, R: EvalRules> {
    tracker: &'a mut Tracker<R>,
    dirty: &'a mut DirtyPieces,
}

impl<R: EvalRules> Observer for MoveObserver<'_, R> {
    #[inline(always)]
    fn put(&mut self, piece: Piece, square: Square) {
        self.dirty.add::<0>(piece, square);
        self.tracker.follow_king(piece, square);
        self.tracker.count(piece, square, 1);
    }

    #[inline(always)]
    fn remove(&mut self, piece: Piece, square: Square) {
        self.dirty.add::<1>(piece, square);
        self.tracker.count(piece, square, -1);
    }

    #[inline(always)]
    fn relocate(&mut self, piece: Piece, from: Square, to: Square) {
        self.dirty.add::<0>(piece, to);
        self.dirty.add::<1>(piece, from);
        self.tracker.follow_king(piece, to);
        let change = zobrist::piece(piece, from) ^ zobrist::piece(piece, to);
        self.tracker.toggle_key(piece, change);
    }
}
