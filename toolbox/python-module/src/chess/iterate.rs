//! Lists of moves as Python goes through them.

use super::moves::{Move, RawMove};
use pyo3::prelude::*;
use pyo3::types::PyType;
use pyo3::{PyTraverseError, PyVisit, intern};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Moves, one after the other. They are all known from the beginning, so that the board may change
/// meanwhile.
#[pyclass(module = "mola.chess", frozen, freelist = 16)]
pub(crate) struct MoveIterator {
    moves: Vec<RawMove>,
    next: AtomicUsize,
}

impl MoveIterator {
    /// An iterator over these moves.
    pub(crate) fn new(moves: Vec<RawMove>) -> MoveIterator {
        MoveIterator {
            moves,
            next: AtomicUsize::new(0),
        }
    }

    /// How many moves are still to come.
    fn left(&self) -> usize {
        self.moves.len() - self.next.load(Ordering::Relaxed)
    }
}

#[pymethods]
impl MoveIterator {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self) -> Option<Move> {
        let next = self.next.load(Ordering::Relaxed);
        let m = *self.moves.get(next)?;
        self.next.store(next + 1, Ordering::Relaxed);
        Some(Move::of(m))
    }

    fn __length_hint__(&self) -> usize {
        self.left()
    }
}

/// A class for the moves of a board: the method that generates them, the one that tells whether a move is among
/// them, and the function that names one.
macro_rules! move_generator {
    ($(#[$doc:meta])* $class:ident, $generate:literal, $has:literal, $name:ident) => {
        $(#[$doc])*
        // No free list: PyO3 does not show the garbage collector what it takes from one.
        #[pyclass(module = "mola.chess", subclass, frozen, weakref)]
        pub(crate) struct $class {
            board: Py<PyAny>,
        }

        #[pymethods]
        impl $class {
            #[new]
            pub(crate) fn new(board: Py<PyAny>) -> $class {
                $class { board }
            }

            /// The board.
            #[getter]
            fn board(&self, py: Python<'_>) -> Py<PyAny> {
                self.board.clone_ref(py)
            }

            fn __bool__(&self, py: Python<'_>) -> PyResult<bool> {
                has_any(&self.__iter__(py)?)
            }

            /// How many there are.
            fn count(&self, py: Python<'_>) -> PyResult<usize> {
                count(&self.__iter__(py)?)
            }

            fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                self.board.bind(py).call_method0(intern!(py, $generate))
            }

            fn __contains__(&self, py: Python<'_>, r#move: &Bound<'_, PyAny>) -> PyResult<bool> {
                let board = self.board.bind(py);
                board.call_method1(intern!(py, $has), (r#move,))?.is_truthy()
            }

            fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
                let board = slf.get().board.bind(slf.py());
                let moves = slf.try_iter()?;
                let names: Vec<String> = moves.map(|m| $name(board, &m?)).collect::<PyResult<_>>()?;
                shown(stringify!($class), slf.as_any(), &names)
            }

            fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyType>, (Py<PyAny>,)) {
                (slf.get_type(), (slf.get().board(slf.py()),))
            }

            fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
                visit.call(&self.board)
            }
        }
    };
}

move_generator!(
    /// The legal moves of a board.
    LegalMoveGenerator,
    "generate_legal_moves",
    "is_legal",
    san
);
move_generator!(
    /// The pseudo-legal moves of a board.
    PseudoLegalMoveGenerator,
    "generate_pseudo_legal_moves",
    "is_pseudo_legal",
    san_or_uci
);

fn san(board: &Bound<'_, PyAny>, m: &Bound<'_, PyAny>) -> PyResult<String> {
    board.call_method1("san", (m,))?.extract()
}

/// The SAN of a legal move; others have none.
fn san_or_uci(board: &Bound<'_, PyAny>, m: &Bound<'_, PyAny>) -> PyResult<String> {
    if board.call_method1("is_legal", (m,))?.is_truthy()? {
        return san(board, m);
    }
    board.call_method1("uci", (m,))?.extract()
}

/// Whether an iterator has a move.
pub(crate) fn has_any(moves: &Bound<'_, PyAny>) -> PyResult<bool> {
    match moves.cast::<MoveIterator>() {
        Ok(moves) => Ok(moves.get().left() > 0),
        Err(_) => match moves.try_iter()?.next() {
            None => Ok(false),
            Some(first) => first.map(|_| true),
        },
    }
}

/// How many moves an iterator has.
fn count(moves: &Bound<'_, PyAny>) -> PyResult<usize> {
    match moves.cast::<MoveIterator>() {
        Ok(moves) => Ok(moves.get().left()),
        Err(_) => moves
            .try_iter()?
            .try_fold(0, |count, m| m.map(|_| count + 1)),
    }
}

/// The moves as they are shown.
fn shown(class: &str, generator: &Bound<'_, PyAny>, names: &[String]) -> PyResult<String> {
    let id = generator
        .py()
        .import("builtins")?
        .call_method1("id", (generator,))?;
    let id = id.extract::<usize>()?;
    Ok(format!("<{class} at {id:#x} ({})>", names.join(", ")))
}
