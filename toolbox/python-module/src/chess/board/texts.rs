//! Moves and positions as text.

use super::Board;
use super::ends::variant_end;
use super::epd;
use crate::chess::arguments::{Flag, index_error, text_with};
use crate::chess::game_rules::GameRules;
use crate::chess::generate::MoveSets;
use crate::chess::hooks::Method;
use crate::chess::moves::{IllegalMoveError, Move, MoveArgument, RawMove, move_error};
use crate::chess::notation::FenStyle;
use crate::chess::state::{BoardState, Extra};
use crate::text::PyText;
use engine_core::notation::{EnPassant, MoveError};
use engine_core::{AnyPosition, Variant};
use pyo3::exceptions::PyAssertionError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict};
use python_chess::messages;

impl Board {
    /// A move with the sign of the check or mate that it gives.
    fn algebraic(slf: &Bound<'_, Board>, m: &Bound<'_, Move>, long: bool) -> PyResult<String> {
        if let Some(text) = Board::slowly(slf, Method::Algebraic, (slf, m, long))? {
            return text.extract();
        }
        let (board, m) = (slf.try_borrow()?, m.get().raw());
        let (mut state, mut extra) = (*Board::state(&board), board.extra(slf.py())?);
        let game = board.game();
        board.has_in_hand(slf.py(), m, state.turn)?;
        drop(board);
        let Ok(mut text) = state.algebraic(&extra, game, m, long) else {
            return Err(not_playable(slf, m)?);
        };
        if !m.is_null() && state.push(&mut extra, m, game.variant, game.mode).is_ok() {
            text.push_str(suffix(&state, &extra, game));
        }
        Ok(text)
    }
}

#[pymethods]
impl Board {
    /// A move in UCI notation. `chess960` says how castling is written: by default as the board
    /// is played.
    #[pyo3(signature = (r#move, *, chess960=None))]
    fn uci(
        slf: PyRef<'_, Self>,
        r#move: MoveArgument<'_, '_>,
        chess960: Option<Flag>,
    ) -> PyResult<String> {
        let state = Board::state(&slf);
        let m = state.castling_to_chess960(r#move.read()?.get().raw());
        let m =
            state.castling_from_chess960(m, chess960.map_or(slf.chess960, |chess960| chess960.0));
        m.uci().ok_or_else(index_error)
    }

    /// Reads a legal move, or the null move, in UCI notation.
    ///
    /// Raises `InvalidMoveError` or `IllegalMoveError`.
    fn parse_uci<'py>(slf: &Bound<'py, Self>, uci: PyText<'_>) -> PyResult<Bound<'py, Move>> {
        let (py, m) = (slf.py(), RawMove::from_uci(&uci)?);
        if m.is_null() {
            return Bound::new(py, Move::of(m));
        }
        let board = slf.try_borrow()?;
        let state = Board::state(&board);
        let m = state.castling_from_chess960(state.castling_to_chess960(m), board.chess960);
        let found = Bound::new(py, Move::of(m))?;
        let is_legal = if Board::overrides(&board, Method::ParseUci) {
            drop(board);
            slf.call_method1(intern!(py, "is_legal"), (&found,))?
                .is_truthy()?
        } else {
            let is_legal = Board::legal(&board)?.has(m, state, board.game());
            drop(board);
            is_legal
        };
        if is_legal {
            return Ok(found);
        }
        let (uci, fen) = (messages::quote(&uci), Board::fen_shown(slf)?);
        Err(IllegalMoveError::new_err(format!(
            "illegal uci: {uci} in {fen}"
        )))
    }

    /// A move with castling written as in Chess960, or not.
    fn _with_castling(
        slf: PyRef<'_, Self>,
        r#move: MoveArgument<'_, '_>,
        chess960: Flag,
    ) -> PyResult<Move> {
        let m = r#move.read()?.get().raw();
        let state = Board::state(&slf);
        Ok(Move::of(if chess960.0 {
            state.castling_to_chess960(m)
        } else {
            state.castling_from_chess960(m, false)
        }))
    }

    /// A move in SAN, such as `Nf3`. It must be legal or null; castling is `O-O` and `O-O-O`.
    fn san(slf: &Bound<'_, Self>, r#move: MoveArgument<'_, '_>) -> PyResult<String> {
        Board::algebraic(slf, &*r#move.read()?, false)
    }

    /// A move in long algebraic notation, such as `Ng1-f3`. It must be legal or null.
    fn lan(slf: &Bound<'_, Self>, r#move: MoveArgument<'_, '_>) -> PyResult<String> {
        Board::algebraic(slf, &*r#move.read()?, true)
    }

    #[pyo3(
        signature = (r#move, *, long=Flag::NO),
        text_signature = "($self, move, *, long=False)"
    )]
    fn _algebraic_without_suffix(
        slf: &Bound<'_, Self>,
        r#move: MoveArgument<'_, '_>,
        long: Flag,
    ) -> PyResult<String> {
        let r#move = r#move.read()?;
        let arguments = (slf, &*r#move, long.0);
        if let Some(text) = Board::slowly(slf, Method::AlgebraicWithoutSuffix, arguments)? {
            return text.extract();
        }
        let (board, m) = (slf.try_borrow()?, r#move.get().raw());
        let (state, extra) = (*Board::state(&board), board.extra(slf.py())?);
        let game = board.game();
        drop(board);
        match state.algebraic(&extra, game, m, long.0) {
            Ok(text) => Ok(text),
            Err(_) => Err(not_playable(slf, m)?),
        }
    }

    /// Reads a move in SAN, in coordinates or a null move (`--`).
    ///
    /// Raises `InvalidMoveError`, `IllegalMoveError` or `AmbiguousMoveError`.
    fn parse_san<'py>(slf: &Bound<'py, Self>, san: PyText<'_>) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let board = slf.try_borrow()?;
        let (extra, game) = (board.extra(py)?, board.game());
        // In a position that no game can reach, python-chess's legal moves differ from the engine's.
        let (position, is_playable) =
            match Board::state(&board).position(&extra, game.variant, game.mode) {
                Ok(position) => (position, true),
                Err(_) => (Board::position(&board)?, false),
            };
        if Board::overrides(&board, Method::ParseSan) || !is_playable {
            drop(board);
            let found = slf.call_method1(intern!(py, "_parse_san"), (&*san,))?;
            if !found.is_none() {
                return Ok(found);
            }
        }
        let board = slf.try_borrow()?;
        let state = Board::state(&board);
        let parsed = match position.parse_san(&san) {
            Ok(m) => {
                let m = RawMove::of(m, game.mode);
                let is_legal = is_playable || Board::legal(&board)?.has(m, state, game);
                is_legal.then_some(m).ok_or(MoveError::Illegal)
            }
            Err(MoveError::Null) => Ok(RawMove::NULL),
            Err(error) => Err(error),
        };
        drop(board);
        match parsed {
            Ok(m) => Ok(Bound::new(py, Move::of(m))?.into_any()),
            Err(error) => {
                let fen = Board::fen_shown(slf)?;
                let message = messages::san_in(&san, &error, &position, &fen);
                Err(move_error(&error, san.restore_surrogates(message)))
            }
        }
    }

    /// The FEN. `shredder` writes castling rights by the files of the rooks; `en_passant` is
    /// `"legal"`, `"xfen"` or `"fen"` for an en passant square if a pawn can capture there, attacks
    /// it, or always; `promoted` marks pieces that were pawns by `~`.
    #[pyo3(
        signature = (*, shredder=Flag::NO, en_passant="legal", promoted=None),
        text_signature = "($self, *, shredder=False, en_passant='legal', promoted=None)"
    )]
    fn fen(
        slf: &Bound<'_, Self>,
        shredder: Flag,
        en_passant: &str,
        promoted: Option<Flag>,
    ) -> PyResult<String> {
        let (py, board) = (slf.py(), slf.try_borrow()?);
        let state = Board::state(&board);
        if !Board::overrides(&board, Method::Fen) {
            let style = style(shredder, en_passant, promoted);
            return Ok(state.fen(&board.extra(py)?, board.game(), style));
        }
        let (halfmove_clock, fullmove_number) = (state.halfmove_clock, state.fullmove_number);
        drop(board);
        let options = [("shredder", shredder.0)].into_py_dict(py)?;
        options.set_item("en_passant", en_passant)?;
        options.set_item("promoted", truth(promoted))?;
        let epd = slf.call_method("epd", (), Some(&options))?;
        Ok(format!("{epd} {halfmove_clock} {fullmove_number}"))
    }

    fn _epd(
        slf: &Bound<'_, Self>,
        shredder: Flag,
        en_passant: &str,
        promoted: Option<Flag>,
    ) -> PyResult<String> {
        let arguments = (slf, shredder.0, en_passant, truth(promoted));
        if let Some(text) = Board::slowly(slf, Method::Epd, arguments)? {
            return text.extract();
        }
        let (board, mut text) = (slf.try_borrow()?, String::new());
        let style = style(shredder, en_passant, promoted);
        Board::state(&board).push_board_fen(board.game(), style.promoted, &mut text);
        Board::state(&board).push_fields(&board.extra(slf.py())?, board.game(), style, &mut text);
        Ok(text)
    }

    fn _set_epd<'py>(
        slf: &Bound<'py, Self>,
        epd: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyDict>> {
        epd::set(slf, &text_with(epd, "strip")?)
    }
}

/// The error for a move that no piece can make.
fn not_playable(slf: &Bound<'_, Board>, m: RawMove) -> PyResult<PyErr> {
    let (uci, fen) = (m.uci().unwrap_or_default(), Board::fen_shown(slf)?);
    Ok(PyAssertionError::new_err(format!(
        "san() and lan() expect move to be legal or null, but got {uci} in {fen}"
    )))
}

fn truth(flag: Option<Flag>) -> Option<bool> {
    flag.map(|flag| flag.0)
}

fn style(shredder: Flag, en_passant: &str, promoted: Option<Flag>) -> FenStyle {
    FenStyle {
        shredder: shredder.0,
        en_passant: match en_passant {
            "fen" => EnPassant::Always,
            "xfen" => EnPassant::XFen,
            _ => EnPassant::Legal,
        },
        promoted: truth(promoted),
    }
}

/// The sign of check or mate for the side to move.
fn suffix(state: &BoardState, extra: &Extra, game: GameRules) -> &'static str {
    let in_check = state.checkers(game.variant) != 0;
    if in_check && MoveSets::legal(state, extra, game).is_empty() {
        return "#";
    }
    if game.variant != Variant::Standard {
        let setup = state.setup(extra);
        let position = AnyPosition::from_setup_unchecked(game.variant, &setup, game.mode);
        let (_, end) = engine_core::dispatch!(&position, |position| variant_end(position));
        if end.is_some_and(|end| end != 0) {
            return "#";
        }
    }
    if in_check { "+" } else { "" }
}
