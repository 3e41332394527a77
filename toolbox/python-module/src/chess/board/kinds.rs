//! Checks, rights, and kinds of moves.

use super::Board;
use super::stack::no_piece;
use crate::chess::arguments::Mask;
use crate::chess::hooks::Method;
use crate::chess::moves::{MoveArgument, RawMove};
use crate::chess::play::{answers_to, is_losing};
use crate::chess::square_set::SquareSet;
use crate::chess::state::{BoardState, KING, bit};
use engine_core::Variant;
use pyo3::intern;
use pyo3::prelude::*;

impl Board {
    /// The position after a move, if there is a piece to make it.
    fn after(slf: &PyRef<'_, Board>, m: RawMove) -> PyResult<Option<BoardState>> {
        let (mut state, mut extra) = (*Board::state(slf), slf.extra(slf.py())?);
        let game = slf.game();
        let made = state.push(&mut extra, m, game.variant, game.mode);
        Ok(made.is_ok().then_some(state))
    }

    /// Whether a move, not of a piece in hand, may answer the check of these pieces: it is a
    /// pseudo-legal step of the king or captures or blocks the only checker, perhaps en passant.
    fn may_evade(slf: &PyRef<'_, Board>, m: RawMove, checkers: u64) -> PyResult<bool> {
        let (state, from) = (Board::state(slf), bit(m.from));
        let king = state.pieces.king(state.turn);
        if let Some(king) = king.filter(|&king| king != m.from) {
            let other_kings = state.pieces.role(KING) & from;
            let answers = answers_to(checkers, king);
            if other_kings != 0 || bit(m.to) & answers == 0 && !state.is_en_passant(m) {
                return Ok(false);
            }
        }
        let sets = Board::pseudo_legal(slf, from)?.without_castling();
        Ok(sets.has(m, state, slf.game()))
    }

    /// What `checkers_mask` answers.
    fn giving_check(slf: &Bound<'_, Board>) -> PyResult<u64> {
        let board = slf.try_borrow()?;
        if !Board::overrides(&board, Method::Checkers) {
            return Ok(Board::state(&board).checkers(board.variant));
        }
        drop(board);
        let checkers = slf.call_method0(intern!(slf.py(), "checkers_mask"))?;
        Ok(checkers.extract::<Mask>()?.0)
    }
}

#[pymethods]
impl Board {
    /// Whether a pseudo-legal move leaves the king in check.
    fn is_into_check(slf: &Bound<'_, Self>, r#move: MoveArgument<'_, '_>) -> PyResult<bool> {
        let r#move = r#move.read()?;
        if let Some(answer) = Board::slowly(slf, Method::IsIntoCheck, (slf, &*r#move))? {
            return answer.is_truthy();
        }
        let (board, m) = (slf.try_borrow()?, r#move.get().raw());
        let (state, variant) = (Board::state(&board), board.variant);
        if is_losing(variant) {
            return Ok(false);
        }
        if variant != Variant::Atomic && m.drop == 0 {
            let checkers = state.checkers(variant);
            if checkers != 0 && !Board::may_evade(&board, m, checkers)? {
                return Ok(true);
            }
            if !state.is_en_passant(m) {
                return Ok(!state.is_safe(m));
            }
        }
        if let Some(after) = Board::after(&board, m)? {
            return Ok(after.pieces.checkers(state.turn, variant) != 0);
        }
        drop(board);
        Err(no_piece(slf, m))
    }

    /// Whether the last move left the king in check.
    fn was_into_check(slf: &Bound<'_, Self>) -> PyResult<bool> {
        if let Some(answer) = Board::slowly(slf, Method::WasIntoCheck, (slf,))? {
            return answer.is_truthy();
        }
        let board = slf.try_borrow()?;
        let state = Board::state(&board);
        Ok(state.pieces.checkers(!state.turn, board.variant) != 0)
    }

    /// Whether a pseudo-legal move gives check.
    fn gives_check(slf: &Bound<'_, Self>, r#move: MoveArgument<'_, '_>) -> PyResult<bool> {
        let r#move = r#move.read()?;
        if let Some(answer) = Board::slowly(slf, Method::GivesCheck, (slf, &*r#move))? {
            return answer.is_truthy();
        }
        let (board, m) = (slf.try_borrow()?, r#move.get().raw());
        let variant = board.variant;
        if is_losing(variant) {
            return Ok(false);
        }
        board.has_in_hand(slf.py(), m, Board::state(&board).turn)?;
        let after = Board::after(&board, m)?;
        drop(board);
        let after = after.ok_or_else(|| no_piece(slf, m))?;
        Ok(after.checkers(variant) != 0)
    }

    /// The pieces that give check, as an integer.
    fn checkers_mask(slf: &Bound<'_, Self>) -> PyResult<u64> {
        if let Some(checkers) = Board::slowly(slf, Method::CheckersMask, (slf,))? {
            return Ok(checkers.extract::<Mask>()?.0);
        }
        let board = slf.try_borrow()?;
        Ok(Board::state(&board).checkers(board.variant))
    }

    /// The pieces that give check.
    fn checkers(slf: &Bound<'_, Self>) -> PyResult<SquareSet> {
        Ok(SquareSet::of(Board::giving_check(slf)?))
    }

    /// Whether the side to move is in check.
    fn is_check(slf: &Bound<'_, Self>) -> PyResult<bool> {
        Ok(Board::giving_check(slf)? != 0)
    }

    /// The castling rights that have their king and rook in place, as an integer.
    fn clean_castling_rights(slf: PyRef<'_, Self>) -> u64 {
        Board::state(&slf).clean_castling_rights(slf.game().mode)
    }

    /// Whether there are castling rights that only Chess960 has.
    fn has_chess960_castling_rights(slf: &Bound<'_, Self>) -> PyResult<bool> {
        let board = slf.try_borrow()?;
        if Board::overrides(&board, Method::HasChess960Rights) {
            drop(board);
            return Method::HasChess960Rights
                .slowly(slf.py(), (slf,))?
                .is_truthy();
        }
        Ok(Board::state(&board).has_chess960_castling_rights())
    }

    /// Whether a pawn attacks the en passant square, though it may be pinned.
    fn has_pseudo_legal_en_passant(slf: &Bound<'_, Self>) -> PyResult<bool> {
        if let Some(answer) = Board::slowly(slf, Method::HasPseudoLegalEnPassant, (slf,))? {
            return answer.is_truthy();
        }
        Ok(Board::state(&slf.try_borrow()?).en_passant_takers() != 0)
    }

    /// Whether a pawn can capture en passant.
    fn has_legal_en_passant(slf: &Bound<'_, Self>) -> PyResult<bool> {
        if let Some(answer) = Board::slowly(slf, Method::HasLegalEnPassant, (slf,))? {
            return answer.is_truthy();
        }
        let board = slf.try_borrow()?;
        let extra = board.extra(slf.py())?;
        Ok(Board::state(&board).has_legal_en_passant(&extra, board.game()))
    }

    /// Whether a pseudo-legal move captures en passant.
    fn is_en_passant(slf: PyRef<'_, Self>, r#move: MoveArgument<'_, '_>) -> PyResult<bool> {
        Ok(Board::state(&slf).is_en_passant(r#move.read()?.get().raw()))
    }

    /// Whether a pseudo-legal move captures something.
    fn is_capture(slf: &Bound<'_, Self>, r#move: MoveArgument<'_, '_>) -> PyResult<bool> {
        let r#move = r#move.read()?;
        if let Some(answer) = Board::slowly(slf, Method::IsCapture, (slf, &*r#move))? {
            return answer.is_truthy();
        }
        Ok(Board::state(&slf.try_borrow()?).is_capture(r#move.get().raw()))
    }

    /// Whether a pseudo-legal move is a capture or a pawn's.
    fn is_zeroing(slf: PyRef<'_, Self>, r#move: MoveArgument<'_, '_>) -> PyResult<bool> {
        Ok(Board::state(&slf).is_zeroing(r#move.read()?.get().raw()))
    }

    fn _reduces_castling_rights(
        slf: &Bound<'_, Self>,
        r#move: MoveArgument<'_, '_>,
    ) -> PyResult<bool> {
        let r#move = r#move.read()?;
        if let Some(answer) = Board::slowly(slf, Method::ReducesCastlingRights, (slf, &*r#move))? {
            return answer.is_truthy();
        }
        let board = slf.try_borrow()?;
        let (state, m) = (Board::state(&board), r#move.get().raw());
        Ok(state.reduces_castling_rights(m, board.game().mode))
    }

    /// Whether a pseudo-legal move is castling.
    fn is_castling(slf: PyRef<'_, Self>, r#move: MoveArgument<'_, '_>) -> PyResult<bool> {
        Ok(Board::state(&slf).is_castling(r#move.read()?.get().raw()))
    }
}
