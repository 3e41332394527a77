//! Sets of squares.

mod iterators;
mod operators;

pub(crate) use iterators::{Subsets, squares};

use super::arguments::SquareArgument;
use super::state::{ascending, bit};
use super::values::{compared, fields_by_name, pickle_of_subclass, set_all};
use engine_core::{Square, attacks};
use pyo3::basic::CompareOp;
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict, PyIterator, PyTuple, PyType};
use std::sync::atomic::{AtomicU64, Ordering};

/// A set of squares: like Python's `set` of integers from 0 to 63, and like an integer with a bit
/// for each square.
///
/// It is made from an integer, another set or the squares themselves:
/// `SquareSet([chess.A8, chess.A1])`, `SquareSet(chess.BB_RANK_1)`.
#[pyclass(
    module = "mola.chess",
    name = "SquareSet",
    subclass,
    frozen,
    weakref,
    freelist = 64
)]
pub(crate) struct SquareSet(AtomicU64);

/// What stands for a set: an integer, an object with `__int__`, or squares.
pub(crate) struct IntoSquareSet(pub(crate) u64);

impl<'a, 'py> FromPyObject<'a, 'py> for IntoSquareSet {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<IntoSquareSet> {
        if let Ok(set) = object.cast::<SquareSet>() {
            return Ok(IntoSquareSet(set.get().mask()));
        }
        if let Ok(mask) = object.extract::<u64>() {
            return Ok(IntoSquareSet(mask));
        }
        if let Some(number) = object.getattr_opt("__int__")? {
            let mask = number.call0()?.bitand(u64::MAX)?;
            return Ok(IntoSquareSet(mask.extract()?));
        }
        let mut mask = 0;
        for square in object.try_iter()? {
            mask |= bit(square?.extract::<SquareArgument>()?.0);
        }
        Ok(IntoSquareSet(mask))
    }
}

impl SquareSet {
    /// The set of the bits of an integer.
    pub(crate) fn of(mask: u64) -> SquareSet {
        SquareSet(AtomicU64::new(mask))
    }

    /// The bits of an integer.
    pub(crate) fn mask(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    fn set(&self, mask: u64) {
        self.0.store(mask, Ordering::Relaxed);
    }
}

/// The names of the fields.
const FIELDS: [&str; 1] = ["mask"];

#[pymethods]
impl SquareSet {
    /// The squares are set by `__init__`, which a subclass may override.
    #[new]
    #[pyo3(signature = (*_arguments, **_options), text_signature = "(squares=0)")]
    fn new(_arguments: &Bound<'_, PyAny>, _options: Option<&Bound<'_, PyDict>>) -> SquareSet {
        SquareSet::of(0)
    }

    #[pyo3(signature = (squares=IntoSquareSet(0)))]
    fn __init__(&self, squares: IntoSquareSet) {
        self.set(squares.0);
    }

    /// The squares as an integer: bit 0 is a1.
    #[getter(mask)]
    fn get_mask(&self) -> u64 {
        self.mask()
    }

    #[setter(mask)]
    fn set_mask(&self, mask: u64) {
        self.set(mask);
    }

    fn __contains__(&self, square: &Bound<'_, PyAny>) -> PyResult<bool> {
        let SquareArgument(square) = square.extract()?;
        Ok(self.mask() & bit(square) != 0)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        squares(py, self.mask(), false)
    }

    fn __reversed__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        squares(py, self.mask(), true)
    }

    fn __len__(&self) -> usize {
        self.mask().count_ones() as usize
    }

    fn __bool__(&self) -> bool {
        self.mask() != 0
    }

    /// Adds a square.
    fn add(&self, square: SquareArgument) {
        self.set(self.mask() | bit(square.0));
    }

    /// Removes a square if it is there.
    fn discard(&self, square: SquareArgument) {
        self.set(self.mask() & !bit(square.0));
    }

    /// Removes a square.
    ///
    /// Raises `KeyError` if it is not there.
    fn remove(&self, square: Bound<'_, PyAny>) -> PyResult<()> {
        let SquareArgument(index) = square.extract()?;
        if self.mask() & bit(index) == 0 {
            return Err(PyKeyError::new_err(square.unbind()));
        }
        self.set(self.mask() & !bit(index));
        Ok(())
    }

    /// Removes and returns the square that is nearest to a1.
    ///
    /// Raises `KeyError` if there is none.
    fn pop(&self) -> PyResult<u8> {
        let first = ascending(self.mask()).next();
        let square = first.ok_or_else(|| PyKeyError::new_err("pop from empty SquareSet"))?;
        self.set(self.mask() & !bit(square));
        Ok(square)
    }

    /// Removes all squares.
    fn clear(&self) {
        self.set(0);
    }

    /// A copy.
    fn copy(&self) -> SquareSet {
        SquareSet::of(self.mask())
    }

    fn __int__(&self) -> u64 {
        self.mask()
    }

    fn __index__(&self) -> u64 {
        self.mask()
    }

    fn __richcmp__(&self, other: &Bound<'_, PyAny>, op: CompareOp) -> PyResult<Py<PyAny>> {
        let py = other.py();
        let equal = match other.extract::<IntoSquareSet>() {
            Ok(other) => self.mask() == other.0,
            Err(_) => return Ok(py.NotImplemented()),
        };
        compared(py, equal, op)
    }

    /// All subsets, as integers, beginning with the empty set.
    fn carry_rippler(&self) -> Subsets {
        Subsets::of(self.mask())
    }

    /// The set with the ranks in the opposite order.
    fn mirror(&self) -> SquareSet {
        SquareSet::of(self.mask().swap_bytes())
    }

    /// A list of 64 truths, that of a1 first.
    fn tolist(&self) -> Vec<bool> {
        (0..64)
            .map(|square| self.mask() & bit(square) != 0)
            .collect()
    }

    fn __repr__(&self) -> String {
        format!(
            "SquareSet(0x{:04x}_{:04x}_{:04x}_{:04x})",
            self.mask() >> 48,
            self.mask() >> 32 & 0xffff,
            self.mask() >> 16 & 0xffff,
            self.mask() & 0xffff
        )
    }

    fn __str__(&self) -> String {
        let mut text = String::with_capacity(127);
        for rank in (0..8).rev() {
            for file in 0..8 {
                let has = self.mask() & bit(rank * 8 + file) != 0;
                text.push(if has { '1' } else { '.' });
                match (file, rank) {
                    (7, 0) => {}
                    (7, _) => text.push('\n'),
                    _ => text.push(' '),
                }
            }
        }
        text
    }

    fn _repr_svg_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let options = [("size", 390)].into_py_dict(py)?;
        options.set_item("squares", slf)?;
        py.import("mola.chess.svg")?
            .call_method("board", (), Some(&options))
    }

    /// A copy of the fields by name.
    #[getter(__dict__)]
    fn dict<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        fields_by_name(slf, &FIELDS)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        if !slf.is_exact_instance_of::<SquareSet>() {
            return pickle_of_subclass(slf, &FIELDS);
        }
        (slf.get_type(), (slf.get().mask(),)).into_pyobject(slf.py())
    }

    fn __setstate__(slf: &Bound<'_, Self>, state: &Bound<'_, PyDict>) -> PyResult<()> {
        set_all(slf, state)
    }

    /// All squares of the rank, file or diagonal through two squares; empty if there is none.
    #[classmethod]
    fn ray<'py>(
        cls: &Bound<'py, PyType>,
        a: SquareArgument,
        b: SquareArgument,
    ) -> PyResult<Bound<'py, PyAny>> {
        cls.call1((on_line(a.0, b.0),))
    }

    /// The squares between two others on a rank, file or diagonal.
    #[classmethod]
    fn between<'py>(
        cls: &Bound<'py, PyType>,
        a: SquareArgument,
        b: SquareArgument,
    ) -> PyResult<Bound<'py, PyAny>> {
        cls.call1((in_between(a.0, b.0),))
    }

    /// The set of one square.
    #[classmethod]
    fn from_square<'py>(
        cls: &Bound<'py, PyType>,
        square: SquareArgument,
    ) -> PyResult<Bound<'py, PyAny>> {
        cls.call1((bit(square.0),))
    }
}

/// All squares of the line through two squares.
pub(crate) fn on_line(a: u8, b: u8) -> u64 {
    let [a, b] = [a, b].map(|square| Square::from_index_masked(usize::from(square)));
    if a == b { 0 } else { attacks::line(a, b).0 }
}

/// The squares between two others on a line.
pub(crate) fn in_between(a: u8, b: u8) -> u64 {
    let [a, b] = [a, b].map(|square| Square::from_index_masked(usize::from(square)));
    attacks::between(a, b).0
}
