//! Methods that other methods call, and that a subclass may override.

use super::Board;
use crate::chess::iterate::has_any;
use pyo3::intern;
use pyo3::prelude::*;

/// Which of them a class overrides: a bit for each name in `_HOOKS` of `_position.py`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Hooks(u16);

impl Hooks {
    /// None: the class is one of the package, or overrides other methods.
    pub(crate) const NONE: Hooks = Hooks(0);
    /// `clear_stack`.
    pub(crate) const CLEAR_STACK: Hooks = Hooks(1);
    /// `is_variant_end`.
    pub(crate) const VARIANT_END: Hooks = Hooks(1 << 4);
    /// `is_legal`, or what it calls.
    pub(crate) const IS_LEGAL: Hooks = Hooks(1 << 5 | Hooks::VARIANT_END.0);
    /// `generate_legal_moves`, or what it calls.
    pub(crate) const LEGAL_MOVES: Hooks = Hooks(1 << 6 | Hooks::VARIANT_END.0);
    /// `board_fen`.
    pub(crate) const BOARD_FEN: Hooks = Hooks(1 << 8);
    /// `epd`, or what it calls.
    pub(crate) const EPD: Hooks = Hooks(1 << 7 | Hooks::BOARD_FEN.0);

    /// From the bits that Python has found.
    pub(crate) fn of(bits: u16) -> Hooks {
        Hooks(bits)
    }
}

impl Board {
    /// Whether the class of a board overrides one of these methods.
    pub(super) fn overrides(&self, hooks: Hooks) -> bool {
        self.hooks.0 & hooks.0 != 0
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
