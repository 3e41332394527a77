//! Positions put on a board.

use super::Board;
use crate::chess::arguments::{Flag, SquareArgument, text_with};
use crate::chess::base_board::{board_fen, chess960_number, promoted_marks, set_piece};
use crate::chess::pieces::{Piece, PieceArgument};
use crate::chess::state::{ROOK, count_of_checks};
use engine_core::notation::{whole_number, words};
use engine_core::{AnyPosition, Setup, Variant};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use python_chess::messages;
use python_chess::pockets::read_fen;

/// From here on a position may have stopped to count moves.
const MANY_MOVES: u32 = i32::MAX.cast_unsigned();

/// Sets the clocks as they were written, where a position does not count so far.
pub(super) fn set_large_clocks(
    board: &mut PyRefMut<'_, Board>,
    setup: &Setup,
    written: impl FnOnce() -> Option<[i64; 2]>,
) {
    if setup.halfmoves.max(setup.fullmoves) < MANY_MOVES {
        return;
    }
    if let Some([halfmoves, fullmoves]) = written() {
        let state = &mut board.as_super().state;
        state.halfmove_clock = halfmoves;
        state.fullmove_number = fullmoves.max(1);
    }
}

/// A clock as it was written, or the outermost number that a board keeps.
pub(super) fn clock(digits: &str) -> i64 {
    let outermost = if digits.starts_with('-') {
        i64::MIN
    } else {
        i64::MAX
    };
    digits.parse().unwrap_or(outermost)
}

/// Sets the marks of pieces that were pawns, which boards keep under any rules, by the text of a
/// position.
pub(super) fn set_marks(board: &mut PyRefMut<'_, Board>, text: &str) {
    if !text.contains('~') {
        board.as_super().state.pieces.promoted = 0;
        return;
    }
    let pieces = words(text).next();
    let pieces = pieces.map(|pieces| without_pockets(pieces, board.variant));
    board.as_super().state.pieces.promoted = pieces.map_or(0, promoted_marks);
}

/// The ranks of the first field of a FEN, without the pieces in hand that Crazyhouse has behind them in
/// brackets or as another rank.
fn without_pockets(pieces: &str, variant: Variant) -> &str {
    if variant != Variant::Crazyhouse {
        return pieces;
    }
    let ranks = pieces.split('[').next().unwrap_or(pieces);
    match ranks.match_indices('/').nth(7) {
        Some((end, _)) => ranks.get(..end).unwrap_or(ranks),
        None => ranks,
    }
}

impl Board {
    /// Sets the checks that are left where a setup cannot have their number: less than none, be it
    /// that a FEN says so or that it counts those given, as Lichess does, and these are more than
    /// three.
    fn set_checks(&self, py: Python<'_>, fen: &str) -> PyResult<()> {
        if self.checks.is_none() {
            return Ok(());
        }
        let mut fields = words(fen).skip(4);
        let (left, given) = (fields.next(), fields.nth(1));
        let number = |digits: &str| whole_number(digits)?.parse::<i64>().ok();
        let numbers = |field: &str| {
            let (white, black) = field.split_once('+')?;
            Some([number(white)?, number(black)?])
        };
        let given = given.and_then(|given| numbers(given.strip_prefix('+')?));
        let left = match given {
            Some(given) => Some(given.map(|count| 3_i64.saturating_sub(count))),
            None => left.and_then(numbers),
        };
        let Some([white, black]) = left.map(|left| left.map(count_of_checks)) else {
            return Ok(());
        };
        let mut extra = self.extra(py)?;
        extra.checks = extra.checks.map(|_| [black, white]);
        self.set_extra(py, &extra)
    }
}

#[pymethods]
impl Board {
    fn _clear(slf: &Bound<'_, Self>) -> PyResult<()> {
        Board::load_setup(slf, &Setup::EMPTY)
    }

    fn _reset(slf: &Bound<'_, Self>) -> PyResult<()> {
        let setup = AnyPosition::start(slf.try_borrow()?.variant).to_setup();
        Board::load_setup(slf, &setup)
    }

    /// Forgets the moves that have been made.
    fn clear_stack(slf: PyRefMut<'_, Self>) -> PyResult<()> {
        Board::forget(slf)
    }

    fn _set_fen(slf: &Bound<'_, Self>, fen: &Bound<'_, PyAny>) -> PyResult<()> {
        let fen = text_with(fen, "split")?;
        let variant = slf.try_borrow()?.variant;
        let setup = read_fen(&fen, variant)
            .map_err(|message| PyValueError::new_err(fen.restore_surrogates(message)))?;
        Board::load_setup(slf, &setup)?;
        let mut board = slf.try_borrow_mut()?;
        set_marks(&mut board, &fen);
        board.set_checks(slf.py(), &fen)?;
        set_large_clocks(&mut board, &setup, || {
            let mut numbers = words(&fen).skip(4).filter_map(whole_number);
            let mut next = |otherwise| numbers.next().map_or(otherwise, |digits| clock(&digits));
            Some([next(0), next(1)])
        });
        Ok(())
    }

    fn _set_castling_fen(mut slf: PyRefMut<'_, Self>, letters: &str) -> PyResult<()> {
        let state = &mut slf.as_super().state;
        if letters.is_empty() || letters == "-" {
            state.castling_rights = 0;
            return Ok(());
        }
        let board = board_fen(&state.pieces, false);
        let setup = Setup::from_fen(&format!("{board} w {letters} - 0 1"));
        let are_letters = letters.chars().all(|letter| letter.is_ascii_alphabetic());
        let setup = setup.ok().filter(|_| are_letters);
        let Some(setup) = setup else {
            let letters = messages::quote(letters);
            return Err(PyValueError::new_err(format!(
                "invalid castling fen: {letters}"
            )));
        };
        state.castling_rights = setup.castling.0;
        Ok(())
    }

    /// Removes and returns the piece on a square, or returns `None`. Forgets the moves.
    fn remove_piece_at(slf: &Bound<'_, Self>, square: SquareArgument) -> PyResult<Option<Piece>> {
        let mut board = slf.try_borrow_mut()?;
        let pieces = &mut board.as_super().state.pieces;
        let removed = pieces.piece_at(square.0);
        pieces.remove(square.0);
        drop(board);
        Board::forget_moves(slf)?;
        Ok(removed.map(|(piece_type, color)| Piece::of(piece_type, color)))
    }

    /// Puts a piece on a square, in the place of what is there; `None` empties it. Forgets the
    /// moves.
    #[pyo3(
        signature = (square, piece, promoted=Flag::NO),
        text_signature = "($self, square, piece, promoted=False)"
    )]
    fn set_piece_at(
        slf: &Bound<'_, Self>,
        square: SquareArgument,
        piece: Option<PieceArgument<'_, '_>>,
        promoted: Flag,
    ) -> PyResult<()> {
        let mut board = slf.try_borrow_mut()?;
        let pieces = &mut board.as_super().state.pieces;
        let piece = piece.map(|piece| piece.0.get().parts());
        set_piece(pieces, square.0, piece, promoted.0);
        drop(board);
        Board::forget_moves(slf)
    }

    fn _chess960_start(
        slf: PyRef<'_, Self>,
        ignore_turn: Flag,
        ignore_castling: Flag,
        ignore_counters: Flag,
    ) -> Option<u32> {
        let state = Board::state(&slf);
        let turn_fits = ignore_turn.0 || state.turn;
        let clean = state.clean_castling_rights(slf.game().mode);
        let castling_fits = ignore_castling.0 || clean == state.pieces.role(ROOK);
        let counters = (state.fullmove_number, state.halfmove_clock);
        let counters_fit = ignore_counters.0 || counters == (1, 0);
        if !turn_fits || !castling_fits || !counters_fit {
            return None;
        }
        chess960_number(&state.pieces)
    }
}
