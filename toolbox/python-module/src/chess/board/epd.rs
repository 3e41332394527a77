//! Positions with operations (EPD).

use super::Board;
use super::placement::{clock, set_large_clocks, set_marks};
use crate::chess::moves::{Move, RawMove, move_error};
use crate::text::PyText;
use engine_core::notation::{Epd, EpdProblem, Operand};
use engine_core::{AnyPosition, CastlingMode};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyList};
use python_chess::messages;
use python_chess::pockets::refuse_dash_in_epd;

/// Puts the position of an EPD on a board and returns its operations.
pub(crate) fn set<'py>(
    board: &Bound<'py, Board>,
    text: &PyText<'_>,
) -> PyResult<Bound<'py, PyDict>> {
    let py = board.py();
    let game = board.try_borrow()?.game();
    let read = Epd::read(text, game.variant, game.mode);
    refuse_dash_in_epd(text, game.variant, &read)
        .map_err(|message| PyValueError::new_err(text.restore_surrogates(message)))?;
    let epd = read.map_err(|error| {
        let message = text.restore_surrogates(messages::epd(&error.problem, game.variant));
        match &error.problem {
            EpdProblem::Move { error, .. } => move_error(error, message),
            _ => PyValueError::new_err(message),
        }
    })?;
    let operations = PyDict::new(py);
    for (opcode, operand) in epd.operations.iter() {
        let operand = to_python(py, text, operand, &epd.position)?;
        operations.set_item(text.part(py, opcode)?, operand)?;
    }
    Board::load_setup(board, &epd.setup)?;
    let number = |opcode, otherwise| match epd.operations.get(opcode) {
        None => Some(otherwise),
        Some(Operand::Integer(digits)) => Some(clock(digits)),
        Some(_) => None,
    };
    let mut board = board.try_borrow_mut()?;
    set_marks(&mut board, text);
    set_large_clocks(&mut board, &epd.setup, || {
        Some([number("hmvc", 0)?, number("fmvn", 1)?])
    });
    Ok(operations)
}

fn to_python<'py>(
    py: Python<'py>,
    text: &PyText<'_>,
    operand: &Operand,
    position: &AnyPosition,
) -> PyResult<Bound<'py, PyAny>> {
    let mode = position.mode();
    Ok(match operand {
        Operand::None => py.None().into_bound(py),
        Operand::Move(m) => Bound::new(py, python_move(*m, mode))?.into_any(),
        Operand::Moves(moves) => {
            let list = PyList::empty(py);
            for &m in moves {
                list.append(python_move(m, mode))?;
            }
            list.into_any()
        }
        Operand::Text(part) => text.part(py, part)?,
        Operand::Integer(digits) => py.get_type::<PyInt>().call1((digits,))?,
        Operand::Float(number) => number.into_pyobject(py)?.into_any(),
    })
}

fn python_move(m: Option<engine_core::Move>, mode: CastlingMode) -> Move {
    Move::of(m.map_or(RawMove::NULL, |m| RawMove::of(m, mode)))
}
