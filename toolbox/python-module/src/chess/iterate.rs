//! Lists of moves as Python goes through them.

use super::moves::{Move, RawMove};
use pyo3::prelude::*;
use pyo3::types::PyType;
use pyo3::{PyTraverseError, PyVisit, intern};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Moves, one after the other. They are all known when the first is asked for, so that the board
/// may change meanwhile.
#[pyclass(module = "mola.chess", frozen, freelist = 16)]
pub(crate) struct MoveIterator {
    moves: Vec<RawMove>,
    next: AtomicUsize,
}

impl MoveIterator {
    /// Of these moves.
    pub(crate) fn new(moves: Vec<RawMove>) -> MoveIterator {
        MoveIterator {
            moves,
            next: AtomicUsize::new(0),
        }
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
        self.moves.len() - self.next.load(Ordering::Relaxed)
    }
}

/// The legal moves of a board.
// No free list: PyO3 does not show the garbage collector what it takes from one.
#[pyclass(module = "mola.chess", subclass, frozen, weakref)]
pub(crate) struct LegalMoveGenerator {
    board: Py<PyAny>,
}

impl LegalMoveGenerator {
    /// Of a board.
    pub(crate) fn new(board: Py<PyAny>) -> LegalMoveGenerator {
        LegalMoveGenerator { board }
    }
}

#[pymethods]
impl LegalMoveGenerator {
    #[new]
    fn of(board: Py<PyAny>) -> LegalMoveGenerator {
        LegalMoveGenerator { board }
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
        let board = self.board.bind(py);
        board.call_method0(intern!(py, "generate_legal_moves"))
    }

    fn __contains__(&self, py: Python<'_>, r#move: &Bound<'_, PyAny>) -> PyResult<bool> {
        let is_legal = self
            .board
            .bind(py)
            .call_method1(intern!(py, "is_legal"), (r#move,));
        is_legal?.is_truthy()
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let board = slf.get().board.bind(slf.py());
        let mut names = Vec::new();
        for m in slf.try_iter()? {
            names.push(board.call_method1("san", (m?,))?.extract::<String>()?);
        }
        shown("LegalMoveGenerator", slf.as_any(), &names)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyType>, (Py<PyAny>,)) {
        (slf.get_type(), (slf.get().board(slf.py()),))
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.board)
    }
}

/// The pseudo-legal moves of a board.
#[pyclass(module = "mola.chess", subclass, frozen, weakref)]
pub(crate) struct PseudoLegalMoveGenerator {
    board: Py<PyAny>,
}

impl PseudoLegalMoveGenerator {
    /// Of a board.
    pub(crate) fn new(board: Py<PyAny>) -> PseudoLegalMoveGenerator {
        PseudoLegalMoveGenerator { board }
    }
}

#[pymethods]
impl PseudoLegalMoveGenerator {
    #[new]
    fn of(board: Py<PyAny>) -> PseudoLegalMoveGenerator {
        PseudoLegalMoveGenerator { board }
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
        let board = self.board.bind(py);
        board.call_method0(intern!(py, "generate_pseudo_legal_moves"))
    }

    fn __contains__(&self, py: Python<'_>, r#move: &Bound<'_, PyAny>) -> PyResult<bool> {
        let board = self.board.bind(py);
        let is_pseudo_legal = board.call_method1(intern!(py, "is_pseudo_legal"), (r#move,));
        is_pseudo_legal?.is_truthy()
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let board = slf.get().board.bind(slf.py());
        let mut names = Vec::new();
        for m in slf.try_iter()? {
            let m = m?;
            // Those that are not legal have no SAN.
            let is_legal = board.call_method1("is_legal", (&m,))?.is_truthy()?;
            let name = board.call_method1(if is_legal { "san" } else { "uci" }, (m,))?;
            names.push(name.extract::<String>()?);
        }
        shown("PseudoLegalMoveGenerator", slf.as_any(), &names)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyType>, (Py<PyAny>,)) {
        (slf.get_type(), (slf.get().board(slf.py()),))
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.board)
    }
}

/// Whether an iterator has a move.
pub(crate) fn has_any(moves: &Bound<'_, PyAny>) -> PyResult<bool> {
    match moves.cast::<MoveIterator>() {
        Ok(moves) => Ok(!moves.get().moves.is_empty()),
        Err(_) => match moves.try_iter()?.next() {
            None => Ok(false),
            Some(first) => first.map(|_| true),
        },
    }
}

/// How many moves an iterator has.
fn count(moves: &Bound<'_, PyAny>) -> PyResult<usize> {
    match moves.cast::<MoveIterator>() {
        Ok(moves) => Ok(moves.get().moves.len()),
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
