//! The index of the tables that are kept by piece and target square.

use crate::{Color, Role, Square};

/// A piece and its target square, the index of continuation history.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PieceTo(u16);

impl Default for PieceTo {
    fn default() -> PieceTo {
        PieceTo::NONE
    }
}

impl PieceTo {
    pub(super) const COUNT: usize = PieceTo::PIECES * 64;
    /// Roles of both colours.
    pub(super) const PIECES: usize = 12;
    /// No move, or a null move. It has a row of continuation history like the others.
    pub(super) const NONE: PieceTo = PieceTo(PieceTo::COUNT as u16);

    #[inline(always)]
    pub(super) fn new(color: Color, role: Role, to: Square) -> PieceTo {
        PieceTo((PieceTo::piece(color, role) * 64 + to.index()) as u16)
    }

    #[inline(always)]
    pub(super) fn piece(color: Color, role: Role) -> usize {
        color.index() * 6 + role.index()
    }

    #[inline(always)]
    pub(super) fn index(self) -> usize {
        // Below COUNT by construction; the minimum lets the compiler see it.
        usize::from(self.0).min(PieceTo::COUNT - 1)
    }

    /// A number of its own, less than 2¹⁰.
    #[inline(always)]
    pub(super) fn number(self) -> u64 {
        u64::from(self.0)
    }

    /// The row of continuation history after this move.
    #[inline(always)]
    pub(super) fn row(self) -> usize {
        usize::from(self.0).min(PieceTo::COUNT)
    }
}

/// A table of equal entries, built on the heap since it would not fit on a stack.
#[expect(
    clippy::unnecessary_box_returns,
    reason = "some are larger than a stack"
)]
pub(super) fn table<T: Clone, const N: usize>(zero: T) -> Box<[T; N]> {
    match vec![zero; N].into_boxed_slice().try_into() {
        Ok(table) => table,
        Err(_) => unreachable!("the vector has exactly N entries"),
    }
}
