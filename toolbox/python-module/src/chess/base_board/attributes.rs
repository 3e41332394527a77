//! The masks of a board as attributes.

use super::{BaseBoard, Occupied};
use crate::chess::arguments::Mask;
use pyo3::prelude::*;

#[pymethods]
impl BaseBoard {
    /// The squares of Black and White, with `False` and `True` as indices.
    #[getter]
    fn occupied_co(slf: &Bound<'_, Self>) -> Occupied {
        Occupied {
            board: slf.clone().unbind(),
        }
    }

    #[setter]
    fn set_occupied_co(&mut self, masks: [Mask; 2]) {
        self.state.pieces.colors = masks.map(|mask| mask.0);
    }

    /// All occupied squares.
    #[getter]
    fn occupied(&self) -> u64 {
        self.state.pieces.occupied
    }

    #[setter]
    fn set_occupied(&mut self, mask: Mask) {
        self.state.pieces.occupied = mask.0;
    }

    /// The squares of pieces that were pawns.
    #[getter]
    fn promoted(&self) -> u64 {
        self.state.pieces.promoted
    }

    #[setter]
    fn set_promoted(&mut self, mask: Mask) {
        self.state.pieces.promoted = mask.0;
    }

    /// The squares of pawns.
    #[getter]
    fn pawns(&self) -> u64 {
        self.state.pieces.roles[0]
    }

    #[setter]
    fn set_pawns(&mut self, mask: Mask) {
        self.state.pieces.roles[0] = mask.0;
    }

    /// The squares of knights.
    #[getter]
    fn knights(&self) -> u64 {
        self.state.pieces.roles[1]
    }

    #[setter]
    fn set_knights(&mut self, mask: Mask) {
        self.state.pieces.roles[1] = mask.0;
    }

    /// The squares of bishops.
    #[getter]
    fn bishops(&self) -> u64 {
        self.state.pieces.roles[2]
    }

    #[setter]
    fn set_bishops(&mut self, mask: Mask) {
        self.state.pieces.roles[2] = mask.0;
    }

    /// The squares of rooks.
    #[getter]
    fn rooks(&self) -> u64 {
        self.state.pieces.roles[3]
    }

    #[setter]
    fn set_rooks(&mut self, mask: Mask) {
        self.state.pieces.roles[3] = mask.0;
    }

    /// The squares of queens.
    #[getter]
    fn queens(&self) -> u64 {
        self.state.pieces.roles[4]
    }

    #[setter]
    fn set_queens(&mut self, mask: Mask) {
        self.state.pieces.roles[4] = mask.0;
    }

    /// The squares of kings.
    #[getter]
    fn kings(&self) -> u64 {
        self.state.pieces.roles[5]
    }

    #[setter]
    fn set_kings(&mut self, mask: Mask) {
        self.state.pieces.roles[5] = mask.0;
    }
}
