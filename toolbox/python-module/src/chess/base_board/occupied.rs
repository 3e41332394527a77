//! The occupied squares of both colours.

use super::BaseBoard;
use crate::chess::arguments::{Mask, index_error};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyType};
use pyo3::{PyTraverseError, PyVisit};

/// What a pickle calls, and its arguments.
type Reduced<'py> = (Bound<'py, PyType>, (Bound<'py, PyList>,));

/// The squares of both colours as a list of two, which changes the board.
#[pyclass(module = "mola.chess", frozen, sequence)]
pub(crate) struct Occupied {
    pub(super) board: Py<BaseBoard>,
}

impl Occupied {
    fn both(&self, py: Python<'_>) -> PyResult<[u64; 2]> {
        Ok(self.board.try_borrow(py)?.state.pieces.colors)
    }

    fn set(&self, py: Python<'_>, masks: [u64; 2]) -> PyResult<()> {
        self.board.try_borrow_mut(py)?.state.pieces.colors = masks;
        Ok(())
    }
}

fn index(color: isize) -> PyResult<usize> {
    match color {
        0 | -2 => Ok(0),
        1 | -1 => Ok(1),
        _ => Err(index_error()),
    }
}

#[pymethods]
impl Occupied {
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.both(py)?.len())
    }

    fn __getitem__<'py>(&self, color: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = color.py();
        match color.extract() {
            Ok(color) => Ok(self.both(py)?[index(color)?].into_pyobject(py)?.into_any()),
            Err(_) => self.copy(py)?.as_any().get_item(color),
        }
    }

    fn __setitem__(&self, color: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = color.py();
        if let Ok(color) = color.extract() {
            let (mut masks, mask) = (self.both(py)?, value.extract::<Mask>()?);
            masks[index(color)?] = mask.0;
            return self.set(py, masks);
        }
        let changed = self.copy(py)?.into_any();
        changed.set_item(color, value)?;
        self.set(py, changed.extract::<[Mask; 2]>()?.map(|mask| mask.0))
    }

    fn __add__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.copy(other.py())?.add(other)
    }

    fn __radd__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        other.add(self.copy(other.py())?)
    }

    /// A list that does not change the board.
    fn copy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.both(py)?)
    }

    /// Exchanges the sides.
    fn reverse(&self, py: Python<'_>) -> PyResult<()> {
        let [black, white] = self.both(py)?;
        self.set(py, [white, black])
    }

    /// Which side has these squares.
    fn index<'py>(&self, mask: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.copy(mask.py())?.call_method1("index", (mask,))
    }

    /// How many sides have these squares.
    fn count<'py>(&self, mask: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.copy(mask.py())?.call_method1("count", (mask,))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let both = self.both(other.py())?;
        Ok(other.extract::<[u64; 2]>().is_ok_and(|other| other == both))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.copy(py)?.repr()?.to_string())
    }

    /// Copies and pickles are lists.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        Ok((py.get_type::<PyList>(), (self.copy(py)?,)))
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.board)
    }
}
