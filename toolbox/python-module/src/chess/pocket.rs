//! Pieces in hand.

use super::arguments::index_error;
use super::state::PieceType;
use pyo3::exceptions::{PyAssertionError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
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
            return Err(self.lacks(piece_type));
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
    #[new]
    #[pyo3(signature = (symbols=None), text_signature = "(symbols='')")]
    fn new(symbols: Option<&Bound<'_, PyAny>>) -> PyResult<Pocket> {
        let pocket = Pocket::default();
        if let Some(symbols) = symbols {
            for symbol in symbols.try_iter()? {
                let symbol = symbol?.extract::<String>()?;
                let mut letters = symbol.chars();
                let role = letters.next().filter(char::is_ascii_lowercase);
                match role.and_then(engine_core::Role::from_letter) {
                    Some(role) if letters.next().is_none() => {
                        pocket.change(super::state::piece_type(role), 1)?;
                    }
                    _ => {
                        let symbol = python_chess::messages::quote(&symbol);
                        return Err(PyValueError::new_err(format!("{symbol} is not in list")));
                    }
                }
            }
        }
        Ok(pocket)
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
    fn copy(&self) -> Pocket {
        let copy = Pocket::default();
        copy.set(self.counts());
        copy
    }

    fn __copy__(&self) -> Pocket {
        self.copy()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Pocket {
        self.copy()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, (String,)) {
        (slf.get_type().into_any(), (slf.get().__str__(),))
    }

    /// Takes the counts of a pickle of python-chess, in which those of no piece come first.
    fn __setstate__(&self, state: &Bound<'_, PyDict>) -> PyResult<()> {
        let counts = state.as_any().get_item("_pieces")?;
        let [_, counts @ ..] = counts.extract::<[i64; 7]>()?;
        self.set(counts.map(|count| count.clamp(0, 255) as u8));
        Ok(())
    }
}
