//! Copies, comparisons and pickles.

use super::Board;
use crate::chess::arguments::Mask;
use crate::chess::base_board::transformed;
use crate::chess::pickle;
use crate::chess::repetition::{Key, KeyParts};
use crate::chess::state::{BoardState, bit};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Where the last this many of a list begin; a negative number leaves out as many of the first, and
/// 0 none.
fn first_of_last(count: isize, length: usize) -> usize {
    let skipped = count.unsigned_abs();
    if count > 0 {
        length.saturating_sub(skipped)
    } else {
        skipped.min(length)
    }
}

#[pymethods]
impl Board {
    /// The position, but not the moves, of another board.
    fn _copy_position(slf: &Bound<'_, Self>, other: &Bound<'_, Board>) -> PyResult<()> {
        let py = slf.py();
        let (state, extra, chess960, pockets) = {
            let other = other.try_borrow()?;
            let pockets = other.pockets.as_ref().map(|pockets| pockets.clone_ref(py));
            (
                *Board::state(&other),
                other.extra(py)?,
                other.chess960,
                pockets,
            )
        };
        let pockets = match pockets {
            None => None,
            Some(pockets) => Board::own_pockets(py, pockets)?,
        };
        let mut board = slf.try_borrow_mut()?;
        Board::set_state(&mut board, state);
        board.chess960 = chess960;
        if pockets.is_some() {
            board.pockets = pockets;
        }
        board.set_extra(py, &extra)
    }

    /// The last this many moves and positions of another board, or as many as there are moves. The
    /// moves may have been changed, so that the positions are not as many.
    fn _copy_stack(
        slf: &Bound<'_, Self>,
        other: &Bound<'_, Board>,
        count: Option<isize>,
    ) -> PyResult<()> {
        let py = slf.py();
        let (stack, moves) = {
            let other = other.try_borrow()?;
            let moves = other.move_stack.bind(py);
            let count = count.unwrap_or(moves.len() as isize);
            let copied = moves.get_slice(first_of_last(count, moves.len()), moves.len());
            let kept = other.stack.get(first_of_last(count, other.stack.len())..);
            (kept.unwrap_or_default().to_vec(), copied)
        };
        let mut board = slf.try_borrow_mut()?;
        Board::set_stack(&mut board, stack);
        board.move_stack = moves.unbind();
        Ok(())
    }

    /// Whether moves have been made.
    fn _has_moved(&self) -> bool {
        !self.stack.is_empty()
    }

    /// The position before the first move of another board.
    fn _copy_root(slf: &Bound<'_, Self>, other: &Bound<'_, Board>) -> PyResult<()> {
        Board::_copy_position(slf, other)?;
        let first = other.try_borrow()?.stack.first().copied();
        if let Some((state, extra)) = first {
            let mut board = slf.try_borrow_mut()?;
            Board::set_state(&mut board, state);
            board.set_extra(slf.py(), &extra)?;
        }
        Ok(())
    }

    /// Calls a function with each set of squares, puts what it returns in its place, and forgets the
    /// moves.
    fn _transform(slf: &Bound<'_, Self>, f: &Bound<'_, PyAny>) -> PyResult<()> {
        let pieces = Board::state(&slf.try_borrow()?).pieces;
        let pieces = transformed(pieces, f)?;
        slf.try_borrow_mut()?.as_super().state.pieces = pieces;
        Board::forget_moves(slf)?;
        let BoardState {
            ep_square,
            castling_rights,
            ..
        } = *Board::state(&slf.try_borrow()?);
        let apply = |set: u64| f.call1((set,))?.extract::<Mask>().map(|mask| mask.0);
        let passed = ep_square.map(|square| apply(bit(square))).transpose()?;
        let castling_rights = apply(castling_rights)?;
        let mut board = slf.try_borrow_mut()?;
        let state = &mut board.as_super().state;
        // Of no squares Python takes the one at the end of its list.
        let highest = |set: u64| set.checked_ilog2().map_or(63, |square| square as u8);
        state.ep_square = passed.map(highest);
        state.castling_rights = castling_rights;
        Ok(())
    }

    /// Exchanges the sides.
    fn _mirror_position(slf: &Bound<'_, Self>) -> PyResult<()> {
        let py = slf.py();
        let mut board = slf.try_borrow_mut()?;
        for both in [&board.pockets, &board.checks].into_iter().flatten() {
            both.bind(py).reverse()?;
        }
        let state = &mut board.as_super().state;
        state.turn = !state.turn;
        state.castling_rights = state.castling_rights.swap_bytes();
        state.ep_square = state.ep_square.map(|square| square ^ 0o70);
        Ok(())
    }

    /// Whether the other board has the same position: what a repetition compares.
    fn _same_position(slf: PyRef<'_, Self>, other: PyRef<'_, Board>) -> PyResult<bool> {
        let py = slf.py();
        let one = (*Board::state(&slf), slf.extra(py)?);
        let two = (*Board::state(&other), other.extra(py)?);
        Ok(
            slf.variant == other.variant
                && Key::of(&one, slf.game()) == Key::of(&two, other.game()),
        )
    }

    /// What a position is, without what a variant adds, for a set or a dictionary of positions.
    fn _position_key(slf: PyRef<'_, Self>) -> PyResult<KeyParts> {
        let now = (*Board::state(&slf), slf.extra(slf.py())?);
        Ok(Key::of(&now, slf.game()).parts())
    }

    /// The position and its history, for pickles.
    fn _dump(slf: PyRef<'_, Self>) -> PyResult<(bool, Vec<Vec<i64>>)> {
        let now = (*Board::state(&slf), slf.extra(slf.py())?);
        let all = slf.stack.iter().chain([&now]);
        Ok((slf.chess960, all.map(pickle::to_numbers).collect()))
    }

    /// Adds the position to those before the moves, which lack it.
    fn _keep_position(slf: &Bound<'_, Self>) -> PyResult<()> {
        let mut board = slf.try_borrow_mut()?;
        let extra = board.extra(slf.py())?;
        let state = board.as_super().state;
        board.stack.push((state, extra));
        board.as_super().state.has_moved = true;
        Ok(())
    }

    fn _load(slf: &Bound<'_, Self>, chess960: bool, states: Vec<Vec<i64>>) -> PyResult<()> {
        let mut stack = states
            .iter()
            .map(|numbers| pickle::from_numbers(numbers))
            .collect::<Option<Vec<_>>>()
            .ok_or_else(|| PyValueError::new_err("not the state of a board"))?;
        let Some((state, extra)) = stack.pop() else {
            return Err(PyValueError::new_err("not the state of a board"));
        };
        let mut board = slf.try_borrow_mut()?;
        board.chess960 = chess960;
        Board::set_stack(&mut board, stack);
        Board::set_state(&mut board, state);
        board.set_extra(slf.py(), &extra)
    }
}
