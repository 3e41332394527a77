//! Arguments as Python's callers write them.

use super::state::PieceType;
use crate::text::PyText;
use pyo3::exceptions::{PyAttributeError, PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyInt, PyString};

/// Python's error for an index that a list does not have.
pub(crate) fn index_error() -> PyErr {
    PyIndexError::new_err("list index out of range")
}

/// A square: a number from 0 (a1) to 63 (h8).
#[derive(Clone, Copy)]
pub(crate) struct SquareArgument(pub(crate) u8);

impl<'a, 'py> FromPyObject<'a, 'py> for SquareArgument {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<SquareArgument> {
        match object.extract::<i64>() {
            Ok(square @ 0..64) => Ok(SquareArgument(square as u8)),
            // From the end of the list of squares, as in Python.
            Ok(square @ -64..0) => Ok(SquareArgument((square + 64) as u8)),
            Err(error) if !object.is_instance_of::<PyInt>() => Err(error),
            _ => Err(index_error()),
        }
    }
}

/// A set of squares as an integer, of which only the low 64 bits count.
#[derive(Clone, Copy)]
pub(crate) struct Mask(pub(crate) u64);

impl Mask {
    /// All squares.
    pub(crate) const ALL: Mask = Mask(u64::MAX);
}

impl<'a, 'py> FromPyObject<'a, 'py> for Mask {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Mask> {
        if let Ok(mask) = object.extract::<u64>() {
            return Ok(Mask(mask));
        }
        let number = object.call_method0("__index__").map_err(|_| {
            let message = format!("expected a set of squares, got {:?}", &*object);
            PyTypeError::new_err(message)
        })?;
        Ok(Mask(number.bitand(u64::MAX)?.extract::<u64>()?))
    }
}

/// A colour that is only kept: any object; true values are White.
#[derive(Clone, Copy)]
pub(crate) struct ColorArgument(pub(crate) bool);

impl<'a, 'py> FromPyObject<'a, 'py> for ColorArgument {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<ColorArgument> {
        object.is_truthy().map(ColorArgument)
    }
}

/// A colour as the index of a list of Black and White.
#[derive(Clone, Copy)]
pub(crate) struct ColorIndex(pub(crate) bool);

impl<'a, 'py> FromPyObject<'a, 'py> for ColorIndex {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<ColorIndex> {
        if let Ok(color) = object.cast::<PyBool>() {
            return Ok(ColorIndex(color.is_true()));
        }
        match object.extract::<i64>() {
            Ok(0 | -2) => Ok(ColorIndex(false)),
            Ok(1 | -1) => Ok(ColorIndex(true)),
            Err(error) if !object.is_instance_of::<PyInt>() => Err(error),
            _ => Err(index_error()),
        }
    }
}

/// A truth: any object, as Python takes it.
#[derive(Clone, Copy)]
pub(crate) struct Flag(pub(crate) bool);

impl Flag {
    /// False.
    pub(crate) const NO: Flag = Flag(false);
}

impl<'a, 'py> FromPyObject<'a, 'py> for Flag {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Flag> {
        object.is_truthy().map(Flag)
    }
}

/// The error of Python for an object without an attribute.
pub(crate) fn lacks_attribute(object: &Bound<'_, PyAny>, attribute: &str) -> PyErr {
    match object.get_type().name() {
        Ok(class) => {
            PyAttributeError::new_err(format!("'{class}' object has no attribute '{attribute}'"))
        }
        Err(error) => error,
    }
}

/// The error for an object that is none of this class: it lacks an attribute of one, in the words of Python,
/// or it is of another library, whose objects have the same attributes but are never equal to ours.
pub(crate) fn not_of_class(object: &Bound<'_, PyAny>, class: &str, attribute: &str) -> PyErr {
    let found = object.get_type();
    match (object.hasattr(attribute), found.fully_qualified_name()) {
        (Ok(true), Ok(found)) => {
            PyTypeError::new_err(format!("mola.chess.{class} expected, not {found}"))
        }
        (Ok(false), Ok(_)) => lacks_attribute(object, attribute),
        (Err(error), _) | (_, Err(error)) => error,
    }
}

/// The text of a FEN. What is none lacks the method of texts that python-chess calls first.
pub(crate) fn text_with<'a>(object: &'a Bound<'_, PyAny>, method: &str) -> PyResult<PyText<'a>> {
    match object.extract() {
        Err(_) if !object.is_instance_of::<PyString>() => Err(lacks_attribute(object, method)),
        text => text,
    }
}

/// What stands for a missing piece type in a move.
pub(crate) const NO_PIECE_TYPE: PieceType = 0;

/// A piece type or `None`.
pub(crate) fn optional(piece_type: PieceType) -> Option<PieceType> {
    (piece_type != NO_PIECE_TYPE).then_some(piece_type)
}
