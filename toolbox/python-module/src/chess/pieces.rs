//! Pieces with their colours.

use super::arguments::{ColorArgument, Flag, NO_PIECE_TYPE, index_error, not_of_class};
use super::state::{PieceType, role};
use super::values::{compared, fields_by_name, pickle_of_subclass, set_all};
use engine_core::Color;
use pyo3::basic::CompareOp;
use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict, PyTuple, PyType};
use std::sync::atomic::{AtomicU8, Ordering};

/// A piece with a type, from `chess.PAWN` to `chess.KING`, and a color.
#[pyclass(
    module = "mola.chess",
    name = "Piece",
    subclass,
    frozen,
    weakref,
    freelist = 64
)]
pub(crate) struct Piece(AtomicU8);

/// The bit of White's pieces.
const WHITE: u8 = 0x80;

impl Piece {
    /// The piece of a type and color.
    pub(crate) fn of(piece_type: PieceType, color: bool) -> Piece {
        Piece(AtomicU8::new(packed(piece_type, color)))
    }

    /// The type and whether it is White's.
    pub(crate) fn parts(&self) -> (PieceType, bool) {
        let packed = self.0.load(Ordering::Relaxed);
        (packed & !WHITE, packed & WHITE != 0)
    }

    fn letter(&self) -> PyResult<char> {
        let (piece_type, color) = self.parts();
        let role = role(piece_type).ok_or_else(index_error)?;
        Ok(role.of(Color::from_white(color)).letter())
    }

    /// Its symbol, as a subclass has it.
    fn shown<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        if slf.is_exact_instance_of::<Piece>() {
            let letter = slf.get().letter()?;
            return Ok(letter.into_pyobject(slf.py())?.into_any());
        }
        slf.call_method0(intern!(slf.py(), "symbol"))
    }
}

/// A piece as an argument.
pub(crate) struct PieceArgument<'a, 'py>(pub(crate) Borrowed<'a, 'py, Piece>);

impl<'a, 'py> FromPyObject<'a, 'py> for PieceArgument<'a, 'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<PieceArgument<'a, 'py>> {
        match object.cast::<Piece>() {
            Ok(piece) => Ok(PieceArgument(piece)),
            Err(_) => Err(not_of_class(&object, "Piece", "piece_type")),
        }
    }
}

fn packed(piece_type: PieceType, color: bool) -> u8 {
    (piece_type & !WHITE) | if color { WHITE } else { 0 }
}

/// The names of the fields.
const FIELDS: [&str; 2] = ["piece_type", "color"];

#[pymethods]
impl Piece {
    /// The fields are set by `__init__`, which a subclass may override.
    #[new]
    #[pyo3(signature = (*_arguments, **_options), text_signature = "(piece_type, color)")]
    fn new(_arguments: &Bound<'_, PyAny>, _options: Option<&Bound<'_, PyDict>>) -> Piece {
        Piece::of(NO_PIECE_TYPE, true)
    }

    fn __init__(&self, piece_type: u8, color: ColorArgument) {
        self.0.store(packed(piece_type, color.0), Ordering::Relaxed);
    }

    /// The type, from 1 for a pawn to 6 for a king.
    #[getter]
    fn piece_type(&self) -> u8 {
        self.parts().0
    }

    #[setter]
    fn set_piece_type(&self, piece_type: u8) {
        self.0
            .store(packed(piece_type, self.parts().1), Ordering::Relaxed);
    }

    /// Whether it is White's.
    #[getter]
    fn color(&self) -> bool {
        self.parts().1
    }

    #[setter]
    fn set_color(&self, color: &Bound<'_, PyAny>) -> PyResult<()> {
        let color = color.is_truthy()?;
        self.0
            .store(packed(self.parts().0, color), Ordering::Relaxed);
        Ok(())
    }

    /// The letter: `P`, `N`, `B`, `R`, `Q` or `K`, in lower case if it is Black's.
    fn symbol(&self) -> PyResult<char> {
        self.letter()
    }

    /// The figurine; with `invert_color` that of the other color, for a dark background.
    #[pyo3(
        signature = (*, invert_color=Flag::NO),
        text_signature = "($self, *, invert_color=False)"
    )]
    fn unicode_symbol(&self, invert_color: Flag) -> PyResult<char> {
        self.letter()?;
        let (piece_type, color) = self.parts();
        let piece =
            role(piece_type).map(|role| role.of(Color::from_white(color != invert_color.0)));
        Ok(piece.map_or(' ', engine_core::Piece::figurine))
    }

    /// The piece of a letter.
    ///
    /// Raises `ValueError` if there is none.
    #[classmethod]
    fn from_symbol<'py>(cls: &Bound<'py, PyType>, symbol: &str) -> PyResult<Bound<'py, PyAny>> {
        let mut letters = symbol.chars();
        let piece = letters.next().and_then(engine_core::Piece::from_letter);
        if let (Some(piece), None) = (piece, letters.next()) {
            let piece_type = super::state::piece_type(piece.role);
            return cls.call1((piece_type, piece.color.is_white()));
        }
        let symbol = python_chess::messages::quote(&symbol.to_lowercase());
        Err(PyValueError::new_err(format!("{symbol} is not in list")))
    }

    #[classattr]
    fn __match_args__() -> (&'static str, &'static str) {
        ("piece_type", "color")
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        Ok(format!("Piece.from_symbol({})", Piece::shown(slf)?.repr()?))
    }

    fn __str__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Piece::shown(slf)
    }

    fn __hash__(&self) -> u64 {
        let (piece_type, color) = self.parts();
        // From 0 for White's pawn to 11 for Black's king.
        u64::from(piece_type)
            .wrapping_sub(1)
            .wrapping_add(if color { 0 } else { 6 })
    }

    fn __richcmp__(
        slf: &Bound<'_, Self>,
        other: &Bound<'_, PyAny>,
        op: CompareOp,
    ) -> PyResult<Py<PyAny>> {
        let py = slf.py();
        if slf.get_type_ptr() != other.get_type_ptr() {
            return Ok(py.NotImplemented());
        }
        let other = other.cast::<Piece>()?;
        let equal = slf.get().parts() == other.get().parts();
        compared(py, equal, op)
    }

    #[pyo3(signature = (**changes))]
    fn __replace__<'py>(
        slf: &Bound<'py, Self>,
        changes: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let copy = slf.get_type().call1(slf.get().parts())?;
        if let Some(changes) = changes {
            set_all(&copy, changes)?;
        }
        Ok(copy)
    }

    fn _repr_svg_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let svg = slf.py().import("mola.chess.svg")?;
        let options = [("size", 45)].into_py_dict(slf.py())?;
        svg.call_method("piece", (slf,), Some(&options))
    }

    /// A copy of the fields by name.
    #[getter(__dict__)]
    fn dict<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        fields_by_name(slf, &FIELDS)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        if !slf.is_exact_instance_of::<Piece>() {
            return pickle_of_subclass(slf, &FIELDS);
        }
        (slf.get_type(), slf.get().parts()).into_pyobject(slf.py())
    }

    fn __setstate__(slf: &Bound<'_, Self>, state: &Bound<'_, PyDict>) -> PyResult<()> {
        set_all(slf, state)
    }
}
