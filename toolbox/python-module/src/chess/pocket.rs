//! Pieces in hand.

use super::arguments::index_error;
use super::state::PieceType;
use super::values::{pickle_of_subclass, set_all};
use pyo3::exceptions::{PyAssertionError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::sync::atomic::{AtomicU64, Ordering};

/// The pieces that a side has in hand in Crazyhouse: `CrazyhousePocket("qnpp")`.
#[pyclass(
    module = "mola.chess.variant",
    name = "CrazyhousePocket",
    subclass,
    frozen,
    weakref
)]
#[derive(Default)]
pub(crate) struct Pocket(AtomicU64);

impl Pocket {
    /// How many there are of each type, pawns first.
    pub(crate) fn counts(&self) -> super::state::Pocket {
        let [pawns, knights, bishops, rooks, queens, kings, ..] =
            self.0.load(Ordering::Relaxed).to_le_bytes();
        [pawns, knights, bishops, rooks, queens, kings]
    }

    /// Puts these pieces in the place of what there is.
    pub(crate) fn set(&self, counts: super::state::Pocket) {
        let [pawns, knights, bishops, rooks, queens, kings] = counts;
        let bytes = [pawns, knights, bishops, rooks, queens, kings, 0, 0];
        self.0.store(u64::from_le_bytes(bytes), Ordering::Relaxed);
    }

    fn change(&self, piece_type: PieceType, by: i8) -> PyResult<()> {
        let mut counts = self.counts();
        let count = counts.get_mut(usize::from(piece_type).wrapping_sub(1));
        let count = count.ok_or_else(index_error)?;
        let Some(changed) = count.checked_add_signed(by) else {
            return Err(if by < 0 {
                self.lacks(piece_type)
            } else {
                PyValueError::new_err("a pocket holds at most 255 pieces of a type")
            });
        };
        *count = changed;
        self.set(counts);
        Ok(())
    }

    /// Whether there is such a piece.
    pub(crate) fn has(&self, piece_type: PieceType) -> bool {
        let index = usize::from(piece_type).wrapping_sub(1);
        self.counts().get(index) != Some(&0)
    }

    /// That there is no such piece to remove.
    pub(crate) fn lacks(&self, piece_type: PieceType) -> PyErr {
        let letter = super::state::role(piece_type).map_or(' ', engine_core::Role::letter);
        let pocket = self.__repr__();
        PyAssertionError::new_err(format!("cannot remove {letter} from {pocket}"))
    }
}

#[pymethods]
impl Pocket {
    /// The pieces are added by `__init__`, which a subclass may override.
    #[new]
    #[pyo3(
        signature = (*_arguments, **_options),
        text_signature = "(symbols='')"
    )]
    fn new(_arguments: &Bound<'_, PyAny>, _options: Option<&Bound<'_, PyDict>>) -> Pocket {
        Pocket::default()
    }

    #[pyo3(signature = (symbols=None))]
    fn __init__(&self, symbols: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        self.reset();
        if let Some(symbols) = symbols {
            for symbol in symbols.try_iter()? {
                let symbol = symbol?.extract::<String>()?;
                let mut letters = symbol.chars();
                let role = letters.next().filter(char::is_ascii_lowercase);
                match role.and_then(engine_core::Role::from_letter) {
                    Some(role) if letters.next().is_none() => {
                        self.change(super::state::piece_type(role), 1)?;
                    }
                    _ => {
                        let symbol = python_chess::messages::quote(&symbol);
                        return Err(PyValueError::new_err(format!("{symbol} is not in list")));
                    }
                }
            }
        }
        Ok(())
    }

    /// Empties the pocket.
    fn reset(&self) {
        self.set([0; 6]);
    }

    /// Adds a piece.
    fn add(&self, piece_type: PieceType) -> PyResult<()> {
        self.change(piece_type, 1)
    }

    /// Takes a piece out.
    fn remove(&self, piece_type: PieceType) -> PyResult<()> {
        self.change(piece_type, -1)
    }

    /// How many pieces of a type there are.
    fn count(&self, piece_type: PieceType) -> PyResult<u8> {
        let index = usize::from(piece_type).wrapping_sub(1);
        let counts = self.counts();
        let count = counts.get(index).copied();
        count.ok_or_else(index_error)
    }

    fn __len__(&self) -> usize {
        self.counts().into_iter().map(usize::from).sum()
    }

    fn __str__(&self) -> String {
        let letters = ['p', 'n', 'b', 'r', 'q', 'k']
            .into_iter()
            .zip(self.counts())
            .rev();
        letters
            .flat_map(|(letter, count)| std::iter::repeat_n(letter, usize::from(count)))
            .collect()
    }

    fn __repr__(&self) -> String {
        format!("CrazyhousePocket('{}')", self.__str__())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let other = other.cast::<Pocket>();
        other.is_ok_and(|other| other.get().counts() == self.counts())
    }

    /// A copy.
    fn copy<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        if slf.is_exact_instance_of::<Pocket>() {
            let copy = Pocket::default();
            copy.set(slf.get().counts());
            return Ok(Bound::new(slf.py(), copy)?.into_any());
        }
        let copy = slf.get_type().call0()?;
        copy.cast::<Pocket>()?.get().set(slf.get().counts());
        Ok(copy)
    }

    /// The counts as python-chess keeps them, in which those of no piece come first.
    #[getter]
    fn _pieces(&self) -> [i64; 7] {
        let [pawns, knights, bishops, rooks, queens, kings] = self.counts().map(i64::from);
        [-1, pawns, knights, bishops, rooks, queens, kings]
    }

    #[setter(_pieces)]
    fn set_pieces(&self, counts: [i64; 7]) {
        let [_, counts @ ..] = counts;
        self.set(counts.map(|count| count.clamp(0, 255) as u8));
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        if !slf.is_exact_instance_of::<Pocket>() {
            return pickle_of_subclass(slf, &["_pieces"]);
        }
        (slf.get_type(), (slf.get().__str__(),)).into_pyobject(slf.py())
    }

    fn __setstate__(slf: &Bound<'_, Self>, state: &Bound<'_, PyDict>) -> PyResult<()> {
        set_all(slf, state)
    }
}
