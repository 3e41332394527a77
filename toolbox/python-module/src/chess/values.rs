//! Plain values: how they compare, and pickles of their fields and attributes by their names.

use pyo3::basic::CompareOp;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};

/// The answer to `==` and `!=` of values that are equal or not; there is no other comparison.
pub(crate) fn compared(py: Python<'_>, equal: bool, op: CompareOp) -> PyResult<Py<PyAny>> {
    let answer = match op {
        CompareOp::Eq => equal,
        CompareOp::Ne => !equal,
        _ => return Ok(py.NotImplemented()),
    };
    Ok(answer.into_pyobject(py)?.to_owned().into_any().unbind())
}

/// Sets fields and attributes.
pub(crate) fn set_all(value: &Bound<'_, PyAny>, values: &Bound<'_, PyDict>) -> PyResult<()> {
    for (name, value_of_name) in values {
        value.setattr(name.cast::<PyString>()?, value_of_name)?;
    }
    Ok(())
}

/// The fields of an object by their names: its `__dict__`, which Python's classes have.
pub(crate) fn fields_by_name<'py>(
    value: &Bound<'py, PyAny>,
    fields: &[&str],
) -> PyResult<Bound<'py, PyDict>> {
    let by_name = PyDict::new(value.py());
    for name in fields {
        by_name.set_item(name, value.getattr(*name)?)?;
    }
    Ok(by_name)
}

/// The pickle of an object of a Python subclass, whose constructor may take other arguments: its
/// class, then its fields and attributes.
pub(crate) fn pickle_of_subclass<'py>(
    value: &Bound<'py, PyAny>,
    fields: &[&str],
) -> PyResult<Bound<'py, PyTuple>> {
    let py = value.py();
    let state = fields_by_name(value, fields)?;
    if let Some(attributes) = value.getattr_opt("__dict__")? {
        state.update(attributes.cast::<PyDict>()?.as_mapping())?;
    }
    let copyreg = py.import("copyreg")?;
    for name in copyreg
        .call_method1("_slotnames", (value.get_type(),))?
        .try_iter()?
    {
        let name = name?.cast_into::<PyString>()?;
        if let Some(kept) = value.getattr_opt(&name)? {
            state.set_item(name, kept)?;
        }
    }
    let new = copyreg.getattr("__newobj__")?;
    (new, (value.get_type(),), state).into_pyobject(py)
}
