//! Calls of methods that a subclass may override.

use super::Board;
use super::hooks::Hooks;
use crate::chess::iterate::has_any;
use pyo3::intern;
use pyo3::prelude::*;

impl Board {
    /// Whether the class of a board overrides one of these methods.
    pub(super) fn overrides(&self, hooks: Hooks) -> bool {
        self.hooks.any(hooks)
    }

    /// Forgets the moves after a change, by the method of a subclass if it has one.
    pub(super) fn forget_moves(slf: &Bound<'_, Board>) -> PyResult<()> {
        let py = slf.py();
        if slf.borrow().overrides(Hooks::CLEAR_STACK) {
            slf.call_method0(intern!(py, "clear_stack"))?;
            return Ok(());
        }
        slf.borrow_mut().forget(py)
    }

    /// Whether the game is over by a rule of a subclass.
    pub(super) fn is_over(slf: &Bound<'_, Board>) -> PyResult<bool> {
        if !slf.borrow().overrides(Hooks::VARIANT_END) {
            return Ok(false);
        }
        slf.call_method0(intern!(slf.py(), "is_variant_end"))?
            .is_truthy()
    }

    /// Whether there is a legal move by the rules of a subclass.
    pub(super) fn generates_any(slf: &Bound<'_, Board>) -> PyResult<bool> {
        has_any(&slf.call_method0(intern!(slf.py(), "generate_legal_moves"))?)
    }
}
