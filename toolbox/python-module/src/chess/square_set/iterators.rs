//! Squares and subsets of a set, one after the other.

use crate::chess::state::{ascending, bit, descending};
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyTuple};

/// Goes through the squares of a set, from a1 to h8 or the other way. Python's own iterators are the
/// fastest.
pub(crate) fn squares(
    py: Python<'_>,
    left: u64,
    reversed: bool,
) -> PyResult<Bound<'_, PyIterator>> {
    PyTuple::new(py, Squares { left, reversed })?.try_iter()
}

struct Squares {
    left: u64,
    reversed: bool,
}

impl Iterator for Squares {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        let square = if self.reversed {
            descending(self.left).next()
        } else {
            ascending(self.left).next()
        }?;
        self.left &= !bit(square);
        Some(square)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.left.count_ones() as usize;
        (count, Some(count))
    }
}

impl ExactSizeIterator for Squares {}

/// All subsets of a set.
#[pyclass(module = "mola.chess")]
pub(crate) struct Subsets {
    of: u64,
    next: Option<u64>,
}

impl Subsets {
    /// All subsets of a set.
    pub(crate) fn of(mask: u64) -> Subsets {
        Subsets {
            of: mask,
            next: Some(0),
        }
    }
}

#[pymethods]
impl Subsets {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&mut self) -> Option<u64> {
        let subset = self.next?;
        // Carry-Rippler (CPW "Traversing Subsets of a Set").
        let next = subset.wrapping_sub(self.of) & self.of;
        self.next = (next != 0).then_some(next);
        Some(subset)
    }
}
