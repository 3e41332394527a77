//! The classes of Python's files.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

/// A class of the module `io`.
pub(super) fn io_class<'py>(
    py: Python<'py>,
    name: &str,
    cell: &'static PyOnceLock<Py<PyType>>,
) -> PyResult<&'py Bound<'py, PyType>> {
    let find = || -> PyResult<Py<PyType>> {
        Ok(py
            .import("io")?
            .getattr(name)?
            .cast_into::<PyType>()?
            .unbind())
    };
    Ok(cell.get_or_try_init(py, find)?.bind(py))
}
