//! What becomes of two sets of squares.
//!
//! Operators take any object as their right side and convert it themselves: if `PyO3` cannot convert an argument,
//! Python tries the operator of the other side and forgets the error.

use super::{IntoSquareSet, SquareSet};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// A shift that may be longer than the set.
fn shifted(mask: u64, left: i64) -> u64 {
    let by = u32::try_from(left.unsigned_abs()).unwrap_or(u32::MAX);
    if left < 0 {
        mask.checked_shr(by).unwrap_or(0)
    } else {
        mask.checked_shl(by).unwrap_or(0)
    }
}

/// How far to shift, which Python wants to be no less than 0.
fn count(shift: i64) -> PyResult<i64> {
    if shift < 0 {
        return Err(PyValueError::new_err("negative shift count"));
    }
    Ok(shift)
}

#[pymethods]
impl SquareSet {
    /// Whether the sets have no square in common.
    fn isdisjoint(&self, other: IntoSquareSet) -> bool {
        self.mask() & other.0 == 0
    }

    /// Whether all the squares are in another set.
    fn issubset(&self, other: IntoSquareSet) -> bool {
        self.mask() & !other.0 == 0
    }

    /// Whether all squares of another set are here.
    fn issuperset(&self, other: IntoSquareSet) -> bool {
        !self.mask() & other.0 == 0
    }

    /// The squares of either set.
    fn union(&self, other: IntoSquareSet) -> SquareSet {
        SquareSet::of(self.mask() | other.0)
    }

    fn __or__(&self, other: &Bound<'_, PyAny>) -> PyResult<SquareSet> {
        Ok(self.union(other.extract()?))
    }

    fn __ror__(&self, other: IntoSquareSet) -> SquareSet {
        self.union(other)
    }

    /// The squares of both sets.
    fn intersection(&self, other: IntoSquareSet) -> SquareSet {
        SquareSet::of(self.mask() & other.0)
    }

    fn __and__(&self, other: &Bound<'_, PyAny>) -> PyResult<SquareSet> {
        Ok(self.intersection(other.extract()?))
    }

    fn __rand__(&self, other: IntoSquareSet) -> SquareSet {
        self.intersection(other)
    }

    /// The squares that are not in another set.
    fn difference(&self, other: IntoSquareSet) -> SquareSet {
        SquareSet::of(self.mask() & !other.0)
    }

    fn __sub__(&self, other: &Bound<'_, PyAny>) -> PyResult<SquareSet> {
        Ok(self.difference(other.extract()?))
    }

    fn __rsub__(&self, other: IntoSquareSet) -> SquareSet {
        SquareSet::of(other.0 & !self.mask())
    }

    /// The squares of one of the sets, but not of both.
    fn symmetric_difference(&self, other: IntoSquareSet) -> SquareSet {
        SquareSet::of(self.mask() ^ other.0)
    }

    fn __xor__(&self, other: &Bound<'_, PyAny>) -> PyResult<SquareSet> {
        Ok(self.symmetric_difference(other.extract()?))
    }

    fn __rxor__(&self, other: IntoSquareSet) -> SquareSet {
        self.symmetric_difference(other)
    }

    /// Adds the squares of other sets.
    #[pyo3(signature = (*others))]
    fn update(&self, others: &Bound<'_, PyTuple>) -> PyResult<()> {
        for other in others {
            self.set(self.mask() | other.extract::<IntoSquareSet>()?.0);
        }
        Ok(())
    }

    fn __ior__(&self, other: &Bound<'_, PyAny>) -> PyResult<()> {
        self.set(self.mask() | other.extract::<IntoSquareSet>()?.0);
        Ok(())
    }

    /// Keeps the squares that are in all the other sets, too.
    #[pyo3(signature = (*others))]
    fn intersection_update(&self, others: &Bound<'_, PyTuple>) -> PyResult<()> {
        for other in others {
            self.set(self.mask() & other.extract::<IntoSquareSet>()?.0);
        }
        Ok(())
    }

    fn __iand__(&self, other: &Bound<'_, PyAny>) -> PyResult<()> {
        self.set(self.mask() & other.extract::<IntoSquareSet>()?.0);
        Ok(())
    }

    /// Removes the squares of another set.
    fn difference_update(&self, other: IntoSquareSet) {
        self.set(self.mask() & !other.0);
    }

    fn __isub__(&self, other: &Bound<'_, PyAny>) -> PyResult<()> {
        self.difference_update(other.extract()?);
        Ok(())
    }

    /// Keeps the squares that are in one of the sets, but not in both.
    fn symmetric_difference_update(&self, other: IntoSquareSet) {
        self.set(self.mask() ^ other.0);
    }

    fn __ixor__(&self, other: &Bound<'_, PyAny>) -> PyResult<()> {
        self.symmetric_difference_update(other.extract()?);
        Ok(())
    }

    fn __lshift__(&self, shift: i64) -> PyResult<SquareSet> {
        Ok(SquareSet::of(shifted(self.mask(), count(shift)?)))
    }

    fn __rshift__(&self, shift: i64) -> PyResult<SquareSet> {
        Ok(SquareSet::of(shifted(self.mask(), -count(shift)?)))
    }

    fn __ilshift__(&self, shift: i64) -> PyResult<()> {
        self.set(shifted(self.mask(), count(shift)?));
        Ok(())
    }

    fn __irshift__(&self, shift: i64) -> PyResult<()> {
        self.set(shifted(self.mask(), -count(shift)?));
        Ok(())
    }

    fn __invert__(&self) -> SquareSet {
        SquareSet::of(!self.mask())
    }
}
