//! Squares and subsets of a set, one after the other.

use crate::chess::state::{ascending, bit, descending};
use pyo3::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// Squares of a set, one after the other.
#[pyclass(module = "mola.chess", frozen, freelist = 16)]
pub(crate) struct Squares {
    left: AtomicU64,
    reversed: bool,
}

impl Squares {
    /// Of a set, from a1 to h8 or the other way.
    pub(crate) fn new(mask: u64, reversed: bool) -> Squares {
        Squares {
            left: AtomicU64::new(mask),
            reversed,
        }
    }
}

#[pymethods]
impl Squares {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self) -> Option<u8> {
        let left = self.left.load(Ordering::Relaxed);
        let square = if self.reversed {
            descending(left).next()
        } else {
            ascending(left).next()
        }?;
        self.left.store(left & !bit(square), Ordering::Relaxed);
        Some(square)
    }

    fn __length_hint__(&self) -> usize {
        self.left.load(Ordering::Relaxed).count_ones() as usize
    }
}

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
        let next = subset.wrapping_sub(self.of) & self.of;
        self.next = (next != 0).then_some(next);
        Some(subset)
    }
}
