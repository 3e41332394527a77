//! Calls of methods that a subclass may override.

use super::Board;
use crate::chess::base_board::BaseBoard;
use crate::chess::hooks::Method;
use crate::chess::iterate::has_any;
use pyo3::call::PyCallArgs;
use pyo3::intern;
use pyo3::prelude::*;

impl Board {
    /// Whether the class of a board overrides what this method calls.
    pub(super) fn overrides(slf: &PyRef<'_, Board>, method: Method) -> bool {
        slf.as_super().hooks.has(method)
    }

    /// The answer of a method's slow way, if the class overrides what the method calls.
    pub(super) fn slowly<'py>(
        slf: &Bound<'py, Board>,
        method: Method,
        arguments: impl PyCallArgs<'py>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        if BaseBoard::unless_overridden(slf.as_super(), method)?.is_some() {
            return Ok(None);
        }
        method.slowly(slf.py(), arguments).map(Some)
    }

    /// Forgets the moves after a change, by the method of a subclass if it has one.
    pub(super) fn forget_moves(slf: &Bound<'_, Board>) -> PyResult<()> {
        let py = slf.py();
        if Board::overrides(&slf.try_borrow()?, Method::ForgetMoves) {
            slf.call_method0(intern!(py, "clear_stack"))?;
            return Ok(());
        }
        Board::forget(slf.try_borrow_mut()?)
    }

    /// Whether the game is over by a rule of a subclass.
    pub(super) fn is_over(slf: &Bound<'_, Board>) -> PyResult<bool> {
        if !Board::overrides(&slf.try_borrow()?, Method::IsOver) {
            return Ok(false);
        }
        slf.call_method0(intern!(slf.py(), "is_variant_end"))?
            .is_truthy()
    }

    /// Whether there is a legal move by the rules of a subclass.
    pub(super) fn generates_any(slf: &Bound<'_, Board>) -> PyResult<bool> {
        has_any(&slf.call_method0(intern!(slf.py(), "generate_legal_moves"))?)
    }

    /// The FEN for an error, by the method of a subclass if it has one.
    pub(super) fn fen_shown(slf: &Bound<'_, Board>) -> PyResult<String> {
        slf.call_method0(intern!(slf.py(), "fen"))?.extract()
    }
}
