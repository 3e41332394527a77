//! What Python sees and sets of a board.

use super::Board;
use crate::chess::arguments::{ColorArgument, Flag, Mask, SquareArgument};
use pyo3::prelude::*;
use pyo3::types::PyList;

/// A list as it is, or one of what another collection has.
fn list_of(values: &Bound<'_, PyAny>) -> PyResult<Py<PyList>> {
    if let Ok(list) = values.cast::<PyList>() {
        return Ok(list.clone().unbind());
    }
    let list = PyList::empty(values.py());
    values
        .try_iter()?
        .try_for_each(|value| list.append(value?))?;
    Ok(list.unbind())
}

#[pymethods]
impl Board {
    /// Whether White is to move.
    #[getter]
    fn turn(slf: PyRef<'_, Self>) -> bool {
        Board::state(&slf).turn
    }

    #[setter]
    fn set_turn(mut slf: PyRefMut<'_, Self>, turn: ColorArgument) {
        slf.as_super().state.turn = turn.0;
    }

    /// The squares of rooks that may still castle. Some may make no sense: see
    /// `clean_castling_rights`.
    #[getter]
    fn castling_rights(slf: PyRef<'_, Self>) -> u64 {
        Board::state(&slf).castling_rights
    }

    #[setter]
    fn set_castling_rights(mut slf: PyRefMut<'_, Self>, mask: Mask) {
        slf.as_super().state.castling_rights = mask.0;
    }

    /// The square that a pawn has just passed over, or `None`.
    #[getter]
    fn ep_square(slf: PyRef<'_, Self>) -> Option<u8> {
        Board::state(&slf).ep_square
    }

    #[setter]
    fn set_ep_square(mut slf: PyRefMut<'_, Self>, square: Option<SquareArgument>) {
        slf.as_super().state.ep_square = square.map(|square| square.0);
    }

    /// Plies since the last capture or move of a pawn.
    #[getter]
    fn halfmove_clock(slf: PyRef<'_, Self>) -> i64 {
        Board::state(&slf).halfmove_clock
    }

    #[setter]
    fn set_halfmove_clock(mut slf: PyRefMut<'_, Self>, plies: i64) {
        slf.as_super().state.halfmove_clock = plies;
    }

    /// The number of the move, from 1, which grows after each move of Black.
    #[getter]
    fn fullmove_number(slf: PyRef<'_, Self>) -> i64 {
        Board::state(&slf).fullmove_number
    }

    #[setter]
    fn set_fullmove_number(mut slf: PyRefMut<'_, Self>, number: i64) {
        slf.as_super().state.fullmove_number = number;
    }

    /// Whether castling is that of Chess960.
    #[getter]
    fn chess960(&self) -> bool {
        self.chess960
    }

    #[setter]
    fn set_chess960(&mut self, chess960: Flag) {
        self.chess960 = chess960.0;
    }

    /// The moves that have been made, as a list.
    #[getter]
    fn move_stack(&self, py: Python<'_>) -> Py<PyList> {
        self.move_stack.clone_ref(py)
    }

    #[setter]
    fn set_move_stack(&mut self, moves: Py<PyList>) {
        self.move_stack = moves;
    }

    #[getter]
    fn _pockets(&self, py: Python<'_>) -> Option<Py<PyList>> {
        self.pockets.as_ref().map(|pockets| pockets.clone_ref(py))
    }

    #[setter(_pockets)]
    fn set_pockets(slf: &Bound<'_, Self>, pockets: &Bound<'_, PyAny>) -> PyResult<()> {
        let pockets = list_of(pockets)?;
        slf.try_borrow_mut()?.pockets = Some(pockets);
        Ok(())
    }

    #[getter]
    fn _remaining_checks(&self, py: Python<'_>) -> Option<Py<PyList>> {
        self.checks.as_ref().map(|checks| checks.clone_ref(py))
    }

    #[setter(_remaining_checks)]
    fn set_remaining_checks(slf: &Bound<'_, Self>, checks: &Bound<'_, PyAny>) -> PyResult<()> {
        let checks = list_of(checks)?;
        slf.try_borrow_mut()?.checks = Some(checks);
        Ok(())
    }
}
