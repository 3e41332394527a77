//! Lists of moves.

use super::Board;
use super::hooks::Hooks;
use crate::chess::arguments::Mask;
use crate::chess::generate::{MoveSets, Wanted};
use crate::chess::iterate::{LegalMoveGenerator, MoveIterator, PseudoLegalMoveGenerator};
use crate::chess::moves::{Move, RawMove};
use crate::chess::state::{PAWN, Pieces, bit};
use engine_core::Variant;
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyTuple};

impl Board {
    fn listed(slf: &PyRef<'_, Board>, sets: &MoveSets, from: Mask, to: Mask) -> MoveIterator {
        let wanted = Wanted {
            from: from.0,
            to: to.0,
        };
        MoveIterator::new(sets.list(Board::state(slf), slf.game(), wanted))
    }
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
    #[pyo3(signature = (from_mask=Mask::ALL, to_mask=Mask::ALL))]
    fn generate_legal_moves(
        slf: &Bound<'_, Self>,
        from_mask: Mask,
        to_mask: Mask,
    ) -> PyResult<MoveIterator> {
        if Board::is_over(slf)? {
            return Ok(MoveIterator::new(Vec::new()));
        }
        let board = slf.borrow();
        Ok(Board::listed(
            &board,
            &Board::legal(&board)?,
            from_mask,
            to_mask,
        ))
    }

    /// Goes through the legal captures, those en passant included.
    #[pyo3(signature = (from_mask=Mask::ALL, to_mask=Mask::ALL))]
    fn generate_legal_captures(
        slf: PyRef<'_, Self>,
        from_mask: Mask,
        to_mask: Mask,
    ) -> PyResult<MoveIterator> {
        let captures = Board::legal(&slf)?.captures(Board::state(&slf));
        Ok(Board::listed(&slf, &captures, from_mask, to_mask))
    }

    /// Goes through the legal captures en passant.
    #[pyo3(signature = (from_mask=Mask::ALL, to_mask=Mask::ALL))]
    fn generate_legal_ep(
        slf: PyRef<'_, Self>,
        from_mask: Mask,
        to_mask: Mask,
    ) -> PyResult<MoveIterator> {
        let captures = Board::legal(&slf)?.en_passant_alone();
        Ok(Board::listed(&slf, &captures, from_mask, to_mask))
    }

    /// Goes through the pseudo-legal moves from and to these squares.
    #[pyo3(signature = (from_mask=Mask::ALL, to_mask=Mask::ALL))]
    fn generate_pseudo_legal_moves<'py>(
        slf: &Bound<'py, Self>,
        from_mask: Mask,
        to_mask: Mask,
    ) -> PyResult<Bound<'py, PyIterator>> {
        let board = slf.borrow();
        let wanted = Wanted {
            from: from_mask.0,
            to: to_mask.0,
        };
        let sets = Board::pseudo_legal(&board, from_mask.0)?;
        let moves = sets.list(Board::state(&board), board.game(), wanted);
        // Mostly all are wanted, for which Python's own iterators are the fastest.
        PyTuple::new(slf.py(), moves.into_iter().map(Move::of))?.try_iter()
    }

    /// Goes through the pseudo-legal captures, those en passant included.
    #[pyo3(signature = (from_mask=Mask::ALL, to_mask=Mask::ALL))]
    fn generate_pseudo_legal_captures(
        slf: PyRef<'_, Self>,
        from_mask: Mask,
        to_mask: Mask,
    ) -> PyResult<MoveIterator> {
        let captures = Board::pseudo_legal(&slf, from_mask.0)?.captures(Board::state(&slf));
        Ok(Board::listed(&slf, &captures, from_mask, to_mask))
    }

    /// Goes through the pseudo-legal captures en passant.
    #[pyo3(signature = (from_mask=Mask::ALL, to_mask=Mask::ALL))]
    fn generate_pseudo_legal_ep(
        slf: PyRef<'_, Self>,
        from_mask: Mask,
        to_mask: Mask,
    ) -> PyResult<MoveIterator> {
        let captures = Board::pseudo_legal(&slf, from_mask.0)?.en_passant_alone();
        Ok(Board::listed(&slf, &captures, from_mask, to_mask))
    }

    /// Goes through the moves of castling. `to_mask` has the squares of rooks.
    #[pyo3(signature = (from_mask=Mask::ALL, to_mask=Mask::ALL))]
    fn generate_castling_moves(
        slf: PyRef<'_, Self>,
        from_mask: Mask,
        to_mask: Mask,
    ) -> PyResult<MoveIterator> {
        let castling = Board::pseudo_legal(&slf, from_mask.0)?.castling_alone();
        Ok(Board::listed(&slf, &castling, from_mask, to_mask))
    }

    fn _has_legal_moves(slf: &Bound<'_, Self>) -> PyResult<bool> {
        let board = slf.borrow();
        if board.overrides(Hooks::LEGAL_MOVES) {
            drop(board);
            return Board::generates_any(slf);
        }
        Ok(!Board::legal(&board)?.is_empty())
    }

    /// Whether a move is legal.
    fn is_legal(slf: &Bound<'_, Self>, r#move: Option<&Bound<'_, Move>>) -> PyResult<bool> {
        // No move is as the null move.
        let m = r#move.map_or(RawMove::NULL, |m| m.get().raw());
        if Board::is_over(slf)? {
            return Ok(false);
        }
        let board = slf.borrow();
        let state = Board::state(&board);
        Ok(!m.is_null() && Board::legal(&board)?.has(m, state, board.game()))
    }

    /// Whether a move is legal but for leaving the king in check.
    fn is_pseudo_legal(slf: PyRef<'_, Self>, r#move: Option<&Bound<'_, Move>>) -> PyResult<bool> {
        // No move is as the null move.
        let m = r#move.map_or(RawMove::NULL, |m| m.get().raw());
        let state = Board::state(&slf);
        if m.drop != 0 && slf.variant == Variant::Crazyhouse {
            let in_hand = slf.extra(slf.py())?.pockets.is_some_and(|pockets| {
                let pocket = pockets[usize::from(state.turn)];
                pocket
                    .get(usize::from(m.drop) - 1)
                    .is_some_and(|&count| count > 0)
            });
            let is_pawn_there = m.drop == PAWN && Pieces::is_backrank(m.to);
            return Ok(in_hand
                && m.promotion == 0
                && m.from == m.to
                && !is_pawn_there
                && state.pieces.occupied & bit(m.to) == 0);
        }
        Ok(!m.is_null() && Board::pseudo_legal(&slf, bit(m.from))?.has(m, state, slf.game()))
    }

    fn _legal_drop_squares(slf: PyRef<'_, Self>) -> u64 {
        Board::state(&slf).drop_squares()
    }
}
