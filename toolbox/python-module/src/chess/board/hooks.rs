//! Methods that other methods call, and that a subclass may override.

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

    /// Whether one of these is among them.
    pub(super) fn any(self, hooks: Hooks) -> bool {
        self.0 & hooks.0 != 0
    }
}
