//! The occupied squares of both colours.

use super::BaseBoard;
use crate::chess::arguments::Mask;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::PyList;

/// The squares of both colours as a list of two, which changes the board.
#[pyclass(module = "mola.chess", frozen, sequence)]
pub(crate) struct Occupied {
    pub(super) board: Py<BaseBoard>,
}

impl Occupied {
    fn both(&self, py: Python<'_>) -> PyResult<[u64; 2]> {
        Ok(self.board.try_borrow(py)?.state.pieces.colors)
    }
}

fn index(color: isize) -> PyResult<usize> {
    match color {
        0 | -2 => Ok(0),
        1 | -1 => Ok(1),
        _ => Err(PyIndexError::new_err("list index out of range")),
    }
}

#[pymethods]
impl Occupied {
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.both(py)?.len())
    }

    fn __getitem__(&self, py: Python<'_>, color: isize) -> PyResult<u64> {
        Ok(self.both(py)?[index(color)?])
    }

    fn __setitem__(&self, py: Python<'_>, color: isize, mask: Mask) -> PyResult<()> {
        let index = index(color)?;
        self.board.try_borrow_mut(py)?.state.pieces.colors[index] = mask.0;
        Ok(())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let both = self.both(other.py())?;
        Ok(other.extract::<[u64; 2]>().is_ok_and(|other| other == both))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(PyList::new(py, self.both(py)?)?.repr()?.to_string())
    }
}
