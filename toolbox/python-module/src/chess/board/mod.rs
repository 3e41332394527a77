//! Boards with a side to move.

mod attributes;
mod copies;
mod ends;
mod epd;
mod kinds;
mod lists;
mod overrides;
mod placement;
mod stack;
mod texts;

use crate::chess::base_board::BaseBoard;
use crate::chess::game_rules::GameRules;
use crate::chess::generate::MoveSets;
use crate::chess::pocket::Pocket;
use crate::chess::state::{BoardState, Extra, count_of_checks};
use engine_core::{AnyPosition, CastlingMode, Setup, Variant};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple, PyType};
use pyo3::{PyTraverseError, PyVisit, intern};

/// The native part of `Board`.
#[pyclass(module = "mola._mola", name = "Board", extends = BaseBoard, subclass)]
pub(crate) struct Board {
    /// The positions before each move, of which all but the first are ones after moves.
    pub(crate) stack: Vec<(BoardState, Extra)>,
    /// The moves, as Python objects that the caller may look at.
    pub(crate) move_stack: Py<PyList>,
    /// Whether castling is written as the king taking the rook.
    pub(crate) chess960: bool,
    /// The rules.
    pub(crate) variant: Variant,
    /// The pieces in hand of Black and White, as a list of two.
    pockets: Option<Py<PyList>>,
    /// The checks that Black and White must still give, as a list of two.
    checks: Option<Py<PyList>>,
}

/// What is not in python-chess: code in Rust goes from a board to the engine's position and back.
impl Board {
    /// A board of a variant, without pieces and moves.
    fn empty(py: Python<'_>, variant: Variant) -> PyResult<Board> {
        Ok(Board {
            stack: Vec::new(),
            move_stack: PyList::empty(py).unbind(),
            chess960: false,
            variant,
            pockets: match variant {
                Variant::Crazyhouse => {
                    let pockets = PyList::empty(py);
                    pockets.append(Pocket::default())?;
                    pockets.append(Pocket::default())?;
                    Some(pockets.unbind())
                }
                _ => None,
            },
            checks: match variant {
                Variant::ThreeCheck => Some(PyList::new(py, [3, 3])?.unbind()),
                _ => None,
            },
        })
    }

    /// With a position.
    fn on(self, base: BaseBoard) -> PyClassInitializer<Board> {
        PyClassInitializer::from(base).add_subclass(self)
    }

    /// The rules of a board.
    pub(crate) fn game(&self) -> GameRules {
        GameRules {
            variant: self.variant,
            mode: CastlingMode::from_chess960(self.chess960),
        }
    }

    /// The position on a board.
    pub(crate) fn state<'a>(slf: &'a PyRef<'_, Board>) -> &'a BoardState {
        &slf.as_super().state
    }

    /// What the variant adds to the position.
    pub(crate) fn extra(&self, py: Python<'_>) -> PyResult<Extra> {
        let mut extra = Extra::default();
        if let Some(pockets) = &self.pockets {
            let counts = |index| Ok::<_, PyErr>(pocket(pockets.bind(py), index)?.get().counts());
            extra.pockets = Some([counts(0)?, counts(1)?]);
        }
        if let Some(checks) = &self.checks {
            let count = |index: usize| -> PyResult<i16> {
                let count = checks.bind(py).get_item(index)?.extract()?;
                Ok(count_of_checks(count))
            };
            extra.checks = Some([count(0)?, count(1)?]);
        }
        Ok(extra)
    }

    fn set_extra(&self, py: Python<'_>, extra: &Extra) -> PyResult<()> {
        if let (Some(pockets), Some(counts)) = (&self.pockets, extra.pockets) {
            for (index, counts) in counts.into_iter().enumerate() {
                pocket(pockets.bind(py), index)?.get().set(counts);
            }
        }
        if let (Some(checks), Some(counts)) = (&self.checks, extra.checks) {
            let checks = checks.bind(py);
            for (index, count) in counts.into_iter().enumerate() {
                checks.set_item(index, count)?;
            }
        }
        Ok(())
    }

    /// Copies of the pockets if some are of a class of their own.
    fn own_pockets(py: Python<'_>, pockets: Py<PyList>) -> PyResult<Option<Py<PyList>>> {
        let pockets = pockets.into_bound(py);
        let is_own = |pocket: Bound<'_, PyAny>| !pocket.is_exact_instance_of::<Pocket>();
        if !pockets.iter().any(is_own) {
            return Ok(None);
        }
        let copies = PyList::empty(py);
        for pocket in pockets {
            copies.append(pocket.call_method0(intern!(py, "copy"))?)?;
        }
        Ok(Some(copies.unbind()))
    }

    /// The position of a board for the engine. It is what the board shows unless that has faults
    /// that no game can lead to, such as several kings of a colour: then it lacks what makes no
    /// sense.
    pub(crate) fn position(slf: &PyRef<'_, Board>) -> PyResult<AnyPosition> {
        let extra = slf.extra(slf.py())?;
        let (setup, game) = (Board::state(slf).setup(&extra), slf.game());
        Ok(AnyPosition::from_setup_unchecked(
            game.variant,
            &setup,
            game.mode,
        ))
    }

    /// Takes a position from a setup, and forgets the moves.
    pub(crate) fn load_setup(slf: &Bound<'_, Board>, setup: &Setup) -> PyResult<()> {
        let py = slf.py();
        let mut board = slf.try_borrow_mut()?;
        Board::set_state(&mut board, BoardState::of(setup));
        let pockets = setup.pockets.unwrap_or_default();
        let counts = [engine_core::Color::Black, engine_core::Color::White]
            .map(|color| engine_core::Role::ALL.map(|role| pockets.count(color, role) as u8));
        let checks = setup.checks.unwrap_or_default();
        let [white, black] = checks.0.0;
        let extra = Extra {
            pockets: board.pockets.as_ref().map(|_| counts),
            checks: board.checks.as_ref().map(|_| [black, white].map(i16::from)),
        };
        board.set_extra(py, &extra)?;
        Board::forget(board)
    }

    /// Puts a position on the board. It may be from another board: whether moves have led to it is
    /// known from this one.
    fn set_state(board: &mut PyRefMut<'_, Board>, state: BoardState) {
        let has_moved = !board.stack.is_empty();
        board.as_super().state = BoardState { has_moved, ..state };
    }

    /// Sets the positions before each move. They may have been in other places of a stack: as in
    /// python-chess, those after the first, and the one on the board, are ones after moves.
    fn set_stack(board: &mut PyRefMut<'_, Board>, mut stack: Vec<(BoardState, Extra)>) {
        for (index, (state, _)) in stack.iter_mut().enumerate() {
            state.has_moved = index > 0;
        }
        board.as_super().state.has_moved = !stack.is_empty();
        board.stack = stack;
    }

    /// Forgets the moves.
    fn forget(mut board: PyRefMut<'_, Board>) -> PyResult<()> {
        Board::set_stack(&mut board, Vec::new());
        let moves = board.move_stack.bind(board.py());
        moves.del_slice(0, moves.len())
    }

    fn legal(slf: &PyRef<'_, Board>) -> PyResult<MoveSets> {
        let extra = slf.extra(slf.py())?;
        Ok(MoveSets::legal(Board::state(slf), &extra, slf.game()))
    }

    fn pseudo_legal(slf: &PyRef<'_, Board>, from: u64) -> PyResult<MoveSets> {
        let (state, extra) = (Board::state(slf), slf.extra(slf.py())?);
        Ok(MoveSets::pseudo_legal(state, &extra, slf.game(), from))
    }
}

/// The pieces in hand of a side, from the list of both.
fn pocket<'py>(pockets: &Bound<'py, PyList>, index: usize) -> PyResult<Bound<'py, Pocket>> {
    Ok(pockets.get_item(index)?.cast_into::<Pocket>()?)
}

#[pymethods]
impl Board {
    /// A board without pieces or, given another board of the same class, one with its position.
    #[new]
    #[classmethod]
    #[pyo3(signature = (*arguments, **_options))]
    fn new(
        class: &Bound<'_, PyType>,
        arguments: &Bound<'_, PyTuple>,
        _options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PyClassInitializer<Board>> {
        let py = class.py();
        if let Ok(other) = arguments.get_item(0)
            && other.get_type().is(class)
        {
            let other = other.cast::<Board>()?.try_borrow()?;
            let mut board = Board::empty(py, other.variant)?;
            board.chess960 = other.chess960;
            let (mut base, extra) = (**other.as_super(), other.extra(py)?);
            base.state.has_moved = false;
            if let Some(pockets) = &other.pockets {
                let pockets = pockets.clone_ref(py);
                drop(other);
                board.pockets = Board::own_pockets(py, pockets)?.or(board.pockets);
            }
            board.set_extra(py, &extra)?;
            return Ok(board.on(base));
        }
        let rules = class.getattr_opt(intern!(py, "_rules"))?;
        let variant = match rules {
            None => Variant::Standard,
            Some(name) => name.extract::<String>()?.parse().unwrap_or_default(),
        };
        Ok(Board::empty(py, variant)?.on(BaseBoard::empty(class)?))
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.move_stack)?;
        visit.call(&self.pockets)?;
        visit.call(&self.checks)
    }
}
