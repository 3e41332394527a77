//! Lists of moves.

use super::Board;
use crate::chess::arguments::Mask;
use crate::chess::generate::{MoveFilter, MoveSets};
use crate::chess::hooks::Method;
use crate::chess::iterate::{LegalMoveGenerator, MoveIterator, PseudoLegalMoveGenerator};
use crate::chess::moves::{Move, MoveArgument, RawMove};
use crate::chess::state::{BoardState, KING, PAWN, Pieces, bit};
use pyo3::Borrowed;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

impl MoveFilter {
    fn of(from: Mask, to: Mask) -> MoveFilter {
        MoveFilter {
            from: from.0,
            to: to.0,
        }
    }
}

impl Board {
    /// Goes through moves that a method generates, which has a slow way for some subclasses.
    fn generated<'py>(
        slf: &Bound<'py, Board>,
        method: Method,
        (from, to): (Mask, Mask),
        sets: impl FnOnce(&PyRef<'py, Board>) -> PyResult<MoveSets>,
    ) -> PyResult<Bound<'py, PyAny>> {
        match Board::slowly(slf, method, (slf, from.0, to.0))? {
            Some(moves) => Ok(moves),
            None => Board::listed(slf, (from, to), sets),
        }
    }

    fn listed<'py>(
        slf: &Bound<'py, Board>,
        (from, to): (Mask, Mask),
        sets: impl FnOnce(&PyRef<'py, Board>) -> PyResult<MoveSets>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let board = slf.try_borrow()?;
        let wanted = MoveFilter::of(from, to);
        let moves = sets(&board)?.list(Board::state(&board), board.game(), wanted);
        Board::iterator(slf.py(), moves)
    }

    fn iterator(py: Python<'_>, moves: Vec<RawMove>) -> PyResult<Bound<'_, PyAny>> {
        Ok(Bound::new(py, MoveIterator::new(moves))?.into_any())
    }

    /// Whether a piece in hand may be dropped, though the king may be in check.
    fn may_drop(slf: &PyRef<'_, Board>, m: RawMove) -> PyResult<bool> {
        let Some(pockets) = slf.extra(slf.py())?.pockets else {
            return Ok(false);
        };
        let state = Board::state(slf);
        let pocket = pockets[usize::from(state.turn)];
        let in_hand = pocket
            .get(usize::from(m.drop) - 1)
            .is_some_and(|&count| count > 0);
        let is_pawn_there = m.drop == PAWN && Pieces::is_backrank(m.to);
        Ok(in_hand
            && m.drop != KING
            && m.promotion == 0
            && m.from == m.to
            && !is_pawn_there
            && state.pieces.occupied & bit(m.to) == 0)
    }
}

/// Whether a move can be equal to one that is generated: none is the null move, and those of pawns
/// have no piece type of 0. The moves of other pieces are not compared in python-chess.
fn is_generated(m: Option<Borrowed<'_, '_, Move>>, state: &BoardState) -> bool {
    m.is_some_and(|m| {
        let (m, raw) = (m.get(), m.get().raw());
        let is_pawn = state.pieces.role(PAWN) & bit(raw.from) != 0;
        let differs = is_pawn && m.has_zero();
        !raw.is_null() && !differs
    })
}

#[pymethods]
impl Board {
    /// The legal moves: to go through, to count, to ask whether one is among them.
    #[getter]
    fn legal_moves(slf: &Bound<'_, Self>) -> LegalMoveGenerator {
        LegalMoveGenerator::new(slf.clone().into_any().unbind())
    }

    /// The pseudo-legal moves, which may leave the king in check.
    #[getter]
    fn pseudo_legal_moves(slf: &Bound<'_, Self>) -> PseudoLegalMoveGenerator {
        PseudoLegalMoveGenerator::new(slf.clone().into_any().unbind())
    }

    /// Goes through the legal moves from and to these squares.
    #[pyo3(
        signature = (from_mask=Mask::ALL, to_mask=Mask::ALL),
        text_signature = "($self, from_mask=18446744073709551615, to_mask=18446744073709551615)"
    )]
    fn generate_legal_moves<'py>(
        slf: &Bound<'py, Self>,
        from_mask: Mask,
        to_mask: Mask,
    ) -> PyResult<Bound<'py, PyAny>> {
        if Board::is_over(slf)? {
            return Board::iterator(slf.py(), Vec::new());
        }
        let masks = (from_mask, to_mask);
        Board::generated(slf, Method::GenerateLegal, masks, Board::legal)
    }

    /// Goes through the legal captures, those en passant included.
    #[pyo3(
        signature = (from_mask=Mask::ALL, to_mask=Mask::ALL),
        text_signature = "($self, from_mask=18446744073709551615, to_mask=18446744073709551615)"
    )]
    fn generate_legal_captures<'py>(
        slf: &Bound<'py, Self>,
        from_mask: Mask,
        to_mask: Mask,
    ) -> PyResult<Bound<'py, PyAny>> {
        let masks = (from_mask, to_mask);
        Board::generated(slf, Method::GenerateLegalCaptures, masks, |board| {
            Ok(Board::legal(board)?.captures(Board::state(board)))
        })
    }

    /// Goes through the legal captures en passant.
    #[pyo3(
        signature = (from_mask=Mask::ALL, to_mask=Mask::ALL),
        text_signature = "($self, from_mask=18446744073709551615, to_mask=18446744073709551615)"
    )]
    fn generate_legal_ep<'py>(
        slf: &Bound<'py, Self>,
        from_mask: Mask,
        to_mask: Mask,
    ) -> PyResult<Bound<'py, PyAny>> {
        if Board::is_over(slf)? {
            return Board::iterator(slf.py(), Vec::new());
        }
        let masks = (from_mask, to_mask);
        Board::generated(slf, Method::GenerateLegalEnPassant, masks, |board| {
            Ok(Board::legal(board)?.en_passant_alone())
        })
    }

    /// Goes through the pseudo-legal moves from and to these squares.
    #[pyo3(
        signature = (from_mask=Mask::ALL, to_mask=Mask::ALL),
        text_signature = "($self, from_mask=18446744073709551615, to_mask=18446744073709551615)"
    )]
    fn generate_pseudo_legal_moves<'py>(
        slf: &Bound<'py, Self>,
        from_mask: Mask,
        to_mask: Mask,
    ) -> PyResult<Bound<'py, PyAny>> {
        let arguments = (slf, from_mask.0, to_mask.0);
        if let Some(moves) = Board::slowly(slf, Method::GeneratePseudoLegal, arguments)? {
            return Ok(moves);
        }
        let board = slf.try_borrow()?;
        let sets = Board::pseudo_legal(&board, from_mask.0)?;
        if sets.has_castling() && Board::overrides(&board, Method::IsOver) {
            // A rule of a subclass may itself ask for moves: it is asked when castling has its turn.
            drop(board);
            return Method::GeneratePseudoLegal.slowly(slf.py(), arguments);
        }
        let wanted = MoveFilter::of(from_mask, to_mask);
        let moves = sets.list(Board::state(&board), board.game(), wanted);
        // Mostly all are wanted, for which Python's own iterators are the fastest.
        let moves = PyTuple::new(slf.py(), moves.into_iter().map(Move::of))?;
        Ok(moves.try_iter()?.into_any())
    }

    /// Goes through the pseudo-legal captures, those en passant included.
    #[pyo3(
        signature = (from_mask=Mask::ALL, to_mask=Mask::ALL),
        text_signature = "($self, from_mask=18446744073709551615, to_mask=18446744073709551615)"
    )]
    fn generate_pseudo_legal_captures<'py>(
        slf: &Bound<'py, Self>,
        from_mask: Mask,
        to_mask: Mask,
    ) -> PyResult<Bound<'py, PyAny>> {
        let masks = (from_mask, to_mask);
        Board::generated(slf, Method::GeneratePseudoLegalCaptures, masks, |board| {
            Ok(Board::pseudo_legal(board, from_mask.0)?.captures(Board::state(board)))
        })
    }

    /// Goes through the pseudo-legal captures en passant.
    #[pyo3(
        signature = (from_mask=Mask::ALL, to_mask=Mask::ALL),
        text_signature = "($self, from_mask=18446744073709551615, to_mask=18446744073709551615)"
    )]
    fn generate_pseudo_legal_ep<'py>(
        slf: &Bound<'py, Self>,
        from_mask: Mask,
        to_mask: Mask,
    ) -> PyResult<Bound<'py, PyAny>> {
        Board::listed(slf, (from_mask, to_mask), |board| {
            Ok(Board::pseudo_legal(board, from_mask.0)?.en_passant_alone())
        })
    }

    /// Goes through the moves of castling. `to_mask` has the squares of rooks.
    #[pyo3(
        signature = (from_mask=Mask::ALL, to_mask=Mask::ALL),
        text_signature = "($self, from_mask=18446744073709551615, to_mask=18446744073709551615)"
    )]
    fn generate_castling_moves<'py>(
        slf: &Bound<'py, Self>,
        from_mask: Mask,
        to_mask: Mask,
    ) -> PyResult<Bound<'py, PyAny>> {
        if Board::is_over(slf)? {
            return Board::iterator(slf.py(), Vec::new());
        }
        let masks = (from_mask, to_mask);
        Board::generated(slf, Method::GenerateCastling, masks, |board| {
            Ok(Board::pseudo_legal(board, from_mask.0)?.castling_alone())
        })
    }

    fn _has_legal_moves(slf: &Bound<'_, Self>) -> PyResult<bool> {
        let board = slf.try_borrow()?;
        if Board::overrides(&board, Method::HasLegalMoves) {
            drop(board);
            return Board::generates_any(slf);
        }
        Ok(!Board::legal(&board)?.is_empty())
    }

    /// Whether a move is legal.
    fn is_legal(slf: &Bound<'_, Self>, r#move: Option<MoveArgument<'_, '_>>) -> PyResult<bool> {
        let r#move = r#move.map(MoveArgument::read).transpose()?;
        // No move is as the null move.
        let m = r#move.as_ref().map_or(RawMove::NULL, |m| m.get().raw());
        if Board::is_over(slf)? {
            return Ok(false);
        }
        if let Some(answer) = Board::slowly(slf, Method::IsLegal, (slf, r#move.as_deref()))? {
            return answer.is_truthy();
        }
        let board = slf.try_borrow()?;
        let state = Board::state(&board);
        Ok(is_generated(r#move, state) && Board::legal(&board)?.has(m, state, board.game()))
    }

    /// Whether a move is legal but for leaving the king in check.
    fn is_pseudo_legal(
        slf: &Bound<'_, Self>,
        r#move: Option<MoveArgument<'_, '_>>,
    ) -> PyResult<bool> {
        let r#move = r#move.map(MoveArgument::read).transpose()?;
        // No move is as the null move.
        let m = r#move.as_ref().map_or(RawMove::NULL, |m| m.get().raw());
        if m.drop != 0 {
            return Board::may_drop(&slf.try_borrow()?, m);
        }
        if let Some(answer) = Board::slowly(slf, Method::IsPseudoLegal, (slf, r#move.as_deref()))? {
            return answer.is_truthy();
        }
        let mut board = slf.try_borrow()?;
        let mut sets = Board::pseudo_legal(&board, bit(m.from))?;
        if sets.has_castling() && Board::overrides(&board, Method::IsOver) {
            drop(board);
            if Board::is_over(slf)? {
                sets = sets.without_castling();
            }
            board = slf.try_borrow()?;
        }
        let state = Board::state(&board);
        Ok(is_generated(r#move, state) && sets.has(m, state, board.game()))
    }

    fn _legal_drop_squares(slf: PyRef<'_, Self>) -> u64 {
        Board::state(&slf).drop_squares()
    }
}
