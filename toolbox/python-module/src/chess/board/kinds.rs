//! Checks, rights, and kinds of moves.

use super::Board;
use super::stack::no_piece;
use crate::chess::moves::{Move, RawMove};
use crate::chess::square_set::SquareSet;
use crate::chess::state::{Extra, State};
use pyo3::prelude::*;

impl Board {
    /// The position after a move that a piece can make.
    fn after(slf: &PyRef<'_, Board>, m: RawMove) -> PyResult<(State, Extra)> {
        let (mut state, mut extra) = (*Board::state(slf), slf.extra(slf.py())?);
        let game = slf.game();
        if state.push(&mut extra, m, game.variant, game.mode).is_err() {
            return Err(no_piece(&state, m));
        }
        Ok((state, extra))
    }
}

#[pymethods]
impl Board {
    /// Whether a pseudo-legal move leaves the king in check.
    fn is_into_check(slf: PyRef<'_, Self>, r#move: &Bound<'_, Move>) -> PyResult<bool> {
        let m = r#move.get().raw();
        let (after, _) = Board::after(&slf, m)?;
        Ok(Board::state(&slf).is_into_check(m, &after, slf.variant))
    }

    /// Whether the last move left the king in check.
    fn was_into_check(slf: PyRef<'_, Self>) -> bool {
        let state = Board::state(&slf);
        state.pieces.checkers(!state.turn, slf.variant) != 0
    }

    /// Whether a pseudo-legal move gives check.
    fn gives_check(slf: PyRef<'_, Self>, r#move: &Bound<'_, Move>) -> PyResult<bool> {
        let (after, _) = Board::after(&slf, r#move.get().raw())?;
        Ok(after.checkers(slf.variant) != 0)
    }

    /// The pieces that give check, as an integer.
    fn checkers_mask(slf: PyRef<'_, Self>) -> u64 {
        Board::state(&slf).checkers(slf.variant)
    }

    /// The pieces that give check.
    fn checkers(slf: PyRef<'_, Self>) -> SquareSet {
        SquareSet::of(Board::state(&slf).checkers(slf.variant))
    }

    /// Whether the side to move is in check.
    fn is_check(slf: PyRef<'_, Self>) -> bool {
        Board::state(&slf).checkers(slf.variant) != 0
    }

    /// The castling rights that have their king and rook in place, as an integer.
    fn clean_castling_rights(slf: PyRef<'_, Self>) -> u64 {
        Board::state(&slf).clean_castling_rights(slf.game().mode)
    }

    /// Whether there are castling rights that only Chess960 has.
    fn has_chess960_castling_rights(slf: PyRef<'_, Self>) -> bool {
        Board::state(&slf).has_chess960_castling_rights()
    }

    /// Whether a pawn attacks the en passant square, though it may be pinned.
    fn has_pseudo_legal_en_passant(slf: PyRef<'_, Self>) -> bool {
        Board::state(&slf).en_passant_takers() != 0
    }

    /// Whether a pawn can capture en passant.
    fn has_legal_en_passant(slf: PyRef<'_, Self>) -> PyResult<bool> {
        let extra = slf.extra(slf.py())?;
        Ok(Board::state(&slf).has_legal_en_passant(&extra, slf.game()))
    }

    /// Whether a pseudo-legal move captures en passant.
    fn is_en_passant(slf: PyRef<'_, Self>, r#move: &Bound<'_, Move>) -> bool {
        Board::state(&slf).is_en_passant(r#move.get().raw())
    }

    /// Whether a pseudo-legal move captures something.
    fn is_capture(slf: PyRef<'_, Self>, r#move: &Bound<'_, Move>) -> bool {
        Board::state(&slf).is_capture(r#move.get().raw())
    }

    /// Whether a pseudo-legal move is a capture or a pawn's.
    fn is_zeroing(slf: PyRef<'_, Self>, r#move: &Bound<'_, Move>) -> bool {
        Board::state(&slf).is_zeroing(r#move.get().raw())
    }

    fn _reduces_castling_rights(slf: PyRef<'_, Self>, r#move: &Bound<'_, Move>) -> bool {
        Board::state(&slf).reduces_castling_rights(r#move.get().raw(), slf.game().mode)
    }

    /// Whether a pseudo-legal move is castling.
    fn is_castling(slf: PyRef<'_, Self>, r#move: &Bound<'_, Move>) -> bool {
        Board::state(&slf).is_castling(r#move.get().raw())
    }
}
