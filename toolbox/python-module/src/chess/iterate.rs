//! Lists of moves as Python goes through them.

use super::moves::{Move, RawMove};
use pyo3::prelude::*;

/// Moves, one after the other. They are all known when the first is asked for, so that the board
/// may change meanwhile.
#[pyclass(module = "mola.chess", freelist = 16)]
pub(crate) struct MoveIterator {
    moves: Vec<RawMove>,
    next: usize,
}

impl MoveIterator {
    /// Of these moves.
    pub(crate) fn new(moves: Vec<RawMove>) -> MoveIterator {
        MoveIterator { moves, next: 0 }
    }
}

#[pymethods]
impl MoveIterator {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&mut self) -> Option<Move> {
        let m = *self.moves.get(self.next)?;
        self.next += 1;
        Some(Move::of(m))
    }

    fn __length_hint__(&self) -> usize {
        self.moves.len() - self.next
    }
}
