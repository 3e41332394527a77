//! Moves made and taken back.

use super::{Board, pocket};
use crate::chess::arguments::{Mask, SquareArgument, index_error};
use crate::chess::hooks::Method;
use crate::chess::moves::{Move, MoveArgument, RawMove};
use crate::chess::perft;
use crate::chess::play::Capture;
use engine_core::CastlingMode;
use pyo3::exceptions::{PyAssertionError, PyIndexError};
use pyo3::intern;
use pyo3::prelude::*;

/// What a subclass says of a move that is made.
#[derive(Clone, Copy)]
struct RulesOfPush {
    castling_rights: u64,
    is_zeroing: bool,
}

impl Board {
    /// Refuses a drop of what the side to move has not in hand, where that is counted.
    pub(super) fn has_in_hand(&self, py: Python<'_>, m: RawMove, turn: bool) -> PyResult<()> {
        let Some(pockets) = self.pockets.as_ref().filter(|_| m.drop != 0) else {
            return Ok(());
        };
        let pocket = pocket(pockets.bind(py), usize::from(turn))?;
        if !pocket.get().has(m.drop) {
            return Err(pocket.get().lacks(m.drop));
        }
        Ok(())
    }

    fn rules_of_push(slf: &Bound<'_, Board>, m: RawMove) -> PyResult<Option<RulesOfPush>> {
        let board = slf.try_borrow()?;
        if !Board::overrides(&board, Method::Push) {
            return Ok(None);
        }
        let m = Board::state(&board).castling_to_chess960(m);
        drop(board);
        let py = slf.py();
        let rights = slf.call_method0(intern!(py, "clean_castling_rights"))?;
        // Null moves and drops are not asked about.
        let is_zeroing = !m.is_null()
            && m.drop == 0
            && slf
                .call_method1(intern!(py, "is_zeroing"), (Move::of(m),))?
                .is_truthy()?;
        Ok(Some(RulesOfPush {
            castling_rights: rights.extract::<Mask>()?.0,
            is_zeroing,
        }))
    }

    /// What a move that a subclass has a say in does beyond the standard rules.
    fn have_effects(slf: &Bound<'_, Board>, m: RawMove, capture: Option<Capture>) -> PyResult<()> {
        let py = slf.py();
        if let Some(capture) = capture {
            // The method is called before the turn changes.
            let change_turn = || {
                let mut board = slf.try_borrow_mut()?;
                let state = &mut board.as_super().state;
                state.turn = !state.turn;
                Ok::<_, PyErr>(())
            };
            let Capture {
                square,
                piece_type,
                was_promoted,
            } = capture;
            let arguments = (Move::of(m), square, piece_type, was_promoted);
            change_turn()?;
            slf.call_method1(intern!(py, "_push_capture"), arguments)?;
            change_turn()?;
        }
        if slf.try_borrow()?.checks.is_none()
            || !slf.call_method0(intern!(py, "is_check"))?.is_truthy()?
        {
            return Ok(());
        }
        let board = slf.try_borrow()?;
        let mut extra = board.extra(py)?;
        Board::state(&board).count_check(&mut extra);
        board.set_extra(py, &extra)
    }
}

#[pymethods]
impl Board {
    /// Makes a move, which need not be legal; see `push_uci` and `push_san` for those of users.
    fn push(slf: &Bound<'_, Self>, r#move: MoveArgument<'_, '_>) -> PyResult<()> {
        let (py, m) = (slf.py(), r#move.read()?.get().raw());
        let rules = Board::rules_of_push(slf, m)?;
        let mut board = slf.try_borrow_mut()?;
        let game = board.game();
        let before = board.extra(py)?;
        let mut extra = before;
        let saved = board.as_super().state;
        let m = saved.castling_to_chess960(m);
        board.has_in_hand(py, m, saved.turn)?;
        let state = &mut board.as_super().state;
        if let Some(rules) = rules {
            state.castling_rights = rules.castling_rights;
        }
        let made = match rules {
            None => state
                .push(&mut extra, m, game.variant, game.mode)
                .map(|()| None),
            Some(_) => state.push_without_effects(&mut extra, m, game.mode),
        };
        let Ok(capture) = made else {
            *state = saved;
            drop(board);
            return Err(no_piece(slf, m));
        };
        if let Some(rules) = rules {
            state.halfmove_clock = if rules.is_zeroing {
                0
            } else {
                saved.halfmove_clock.saturating_add(1)
            };
        }
        if extra != before {
            board.set_extra(py, &extra)?;
        }
        board.stack.push((saved, before));
        let written = match game.mode {
            CastlingMode::Standard => saved.castling_from_chess960(m, false),
            CastlingMode::Chess960 => m,
        };
        // A move of its own: the caller may change the one that it has.
        board.move_stack.bind(py).append(Move::of(written))?;
        drop(board);
        match rules {
            None => Ok(()),
            Some(_) => Board::have_effects(slf, m, capture),
        }
    }

    /// Removes what explodes in Atomic by a capture on a square.
    fn _explode(mut slf: PyRefMut<'_, Self>, square: SquareArgument) {
        slf.as_super().state.explode(square.0);
    }

    /// Takes back the last move and returns it.
    ///
    /// Raises `IndexError` if there is none.
    fn pop<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let mut board = slf.try_borrow_mut()?;
        let moves = board.move_stack.bind(py).clone();
        let is_empty = || PyIndexError::new_err("pop from empty list");
        let count = moves.len();
        // The position is kept where only the list of moves has been emptied.
        let last = count.checked_sub(1).ok_or_else(is_empty)?;
        let m = moves.get_item(last)?;
        moves.del_slice(last, count)?;
        let (state, extra) = board.stack.pop().ok_or_else(is_empty)?;
        Board::set_state(&mut board, state);
        board.set_extra(py, &extra)?;
        Ok(m)
    }

    /// The last move.
    ///
    /// Raises `IndexError` if there is none.
    fn peek<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let moves = self.move_stack.bind(py);
        let last = moves.len().checked_sub(1);
        let last = last.ok_or_else(index_error)?;
        moves.get_item(last)
    }

    /// perft: the number of leaf nodes at this depth.
    ///
    /// Other threads run meanwhile, and Ctrl-C ends it.
    fn perft(slf: &Bound<'_, Self>, depth: u32) -> PyResult<u64> {
        let py = slf.py();
        let board = slf.try_borrow()?;
        let (state, extra, game) = (*Board::state(&board), board.extra(py)?, board.game());
        drop(board);
        perft::count(py, &state, &extra, game, depth)
    }
}

/// Moves without a piece are refused as python-chess does.
pub(super) fn no_piece(slf: &Bound<'_, Board>, m: RawMove) -> PyErr {
    let Some(uci) = m.uci() else {
        return index_error();
    };
    match slf.call_method0(intern!(slf.py(), "board_fen")) {
        Ok(fen) => PyAssertionError::new_err(format!(
            "push() expects move to be pseudo-legal, but got {uci} in {fen}"
        )),
        Err(error) => error,
    }
}
