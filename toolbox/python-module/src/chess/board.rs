//! Boards with a side to move: moves forth and back.

use super::arguments::{ColorArgument, Mask, SquareArgument};
use super::base_board::{BaseBoard, board_fen, set_piece};
use super::generate::{Game, MoveSets, Wanted};
use super::iterate::{LegalMoveGenerator, MoveIterator, PseudoLegalMoveGenerator};
use super::moves::{IllegalMoveError, Move, RawMove, move_error};
use super::notation::{EnPassant, FenStyle};
use super::pieces::Piece;
use super::pocket::Pocket;
use super::repetition::{Key, Repetitions};
use super::square_set::SquareSet;
use super::state::{Extra, PAWN, State, bit};
use super::{epd, perft, pickle};
use engine_core::notation::{MoveError, is_blank};
use engine_core::{AnyPosition, CastlingMode, Position, Rules, Setup, Termination, Variant};
use pyo3::exceptions::{PyAssertionError, PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyType};
use pyo3::{PyTraverseError, PyVisit, intern};
use python_chess::{messages, names};

/// The native part of `Board`.
#[pyclass(module = "mola._mola", name = "Board", extends = BaseBoard, subclass)]
pub(crate) struct Board {
    /// The positions before each move.
    pub(crate) stack: Vec<(State, Extra)>,
    /// The moves, as Python objects that the caller may look at.
    pub(crate) move_stack: Py<PyList>,
    /// Whether castling is written as the king taking the rook.
    pub(crate) chess960: bool,
    /// The rules.
    pub(crate) variant: Variant,
    /// The pieces in hand of Black and White.
    pockets: Option<[Py<Pocket>; 2]>,
    /// The checks that Black and White must still give, as a list of two.
    checks: Option<Py<PyList>>,
}

/// What is not in python-chess: code in Rust goes from a board to the engine's position and back.
impl Board {
    /// The rules of a board.
    pub(crate) fn game(&self) -> Game {
        Game {
            variant: self.variant,
            mode: CastlingMode::from_chess960(self.chess960),
        }
    }

    /// The position on a board.
    pub(crate) fn state<'a>(slf: &'a PyRef<'_, Board>) -> &'a State {
        &slf.as_super().state
    }

    /// What the variant adds to the position.
    pub(crate) fn extra(&self, py: Python<'_>) -> PyResult<Extra> {
        let mut extra = Extra::default();
        if let Some([black, white]) = &self.pockets {
            extra.pockets = Some([black.get().counts(), white.get().counts()]);
        }
        if let Some(checks) = &self.checks {
            let count = |index: usize| -> PyResult<u8> {
                let count = checks.bind(py).get_item(index)?.extract::<i64>()?;
                Ok(count.clamp(0, 255) as u8)
            };
            extra.checks = Some([count(0)?, count(1)?]);
        }
        Ok(extra)
    }

    fn set_extra(&self, py: Python<'_>, extra: &Extra) -> PyResult<()> {
        if let (Some(pockets), Some(counts)) = (&self.pockets, extra.pockets) {
            for (pocket, counts) in pockets.iter().zip(counts) {
                pocket.get().set(counts);
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
        let mut board = slf.borrow_mut();
        board.as_super().state = State::of(setup);
        let pockets = setup.pockets.unwrap_or_default();
        let counts = [engine_core::Color::Black, engine_core::Color::White]
            .map(|color| engine_core::Role::ALL.map(|role| pockets.count(color, role) as u8));
        let checks = setup.checks.unwrap_or_default();
        let [white, black] = checks.0.0;
        let extra = Extra {
            pockets: board.pockets.as_ref().map(|_| counts),
            checks: board.checks.as_ref().map(|_| [black, white]),
        };
        board.set_extra(py, &extra)?;
        board.forget(py)
    }

    /// Forgets the moves.
    fn forget(&mut self, py: Python<'_>) -> PyResult<()> {
        self.stack.clear();
        let moves = self.move_stack.bind(py);
        moves.del_slice(0, moves.len())
    }

    /// The position after a move that a piece can make.
    fn after(slf: &PyRef<'_, Board>, m: RawMove) -> PyResult<(State, Extra)> {
        let (mut state, mut extra) = (*Board::state(slf), slf.extra(slf.py())?);
        let game = slf.game();
        if state.push(&mut extra, m, game.variant, game.mode).is_err() {
            return Err(no_piece(&state, m));
        }
        Ok((state, extra))
    }

    fn legal(slf: &PyRef<'_, Board>) -> PyResult<MoveSets> {
        let extra = slf.extra(slf.py())?;
        Ok(MoveSets::legal(Board::state(slf), &extra, slf.game()))
    }

    fn pseudo_legal(slf: &PyRef<'_, Board>) -> PyResult<MoveSets> {
        let extra = slf.extra(slf.py())?;
        Ok(MoveSets::pseudo_legal(
            Board::state(slf),
            &extra,
            slf.game(),
        ))
    }

    fn listed(slf: &PyRef<'_, Board>, sets: &MoveSets, from: Mask, to: Mask) -> MoveIterator {
        let wanted = Wanted {
            from: from.0,
            to: to.0,
        };
        MoveIterator::new(sets.list(Board::state(slf), slf.game(), wanted))
    }

    /// A move with the sign of the check or mate that it gives.
    fn algebraic(slf: &PyRef<'_, Board>, m: RawMove, long: bool) -> PyResult<String> {
        let game = slf.game();
        let (state, extra) = (Board::state(slf), slf.extra(slf.py())?);
        let Ok(mut text) = state.algebraic(&extra, game, m, long) else {
            let uci = m.uci().unwrap_or_default();
            let style = FenStyle::PLAIN;
            let fen = state.fen(&extra, game, style);
            return Err(PyAssertionError::new_err(format!(
                "san() and lan() expect move to be legal or null, but got {uci} in {fen}"
            )));
        };
        if !m.is_null() {
            let (mut state, mut extra) = (*state, extra);
            if state.push(&mut extra, m, game.variant, game.mode).is_ok() {
                text.push_str(suffix(&state, &extra, game));
            }
        }
        Ok(text)
    }
}

/// From here on a position may have stopped to count moves.
const MANY_MOVES: u32 = i32::MAX.cast_unsigned();

/// Moves without a piece are refused as python-chess does.
fn no_piece(state: &State, m: RawMove) -> PyErr {
    let uci = m.uci().unwrap_or_default();
    let fen = board_fen(&state.pieces, false);
    let message = format!("push() expects move to be pseudo-legal, but got {uci} in {fen}");
    PyAssertionError::new_err(message)
}

#[pymethods]
impl Board {
    #[new]
    #[classmethod]
    #[pyo3(signature = (*_arguments, **_options))]
    fn new(
        class: &Bound<'_, PyType>,
        _arguments: &Bound<'_, PyAny>,
        _options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PyClassInitializer<Board>> {
        let py = class.py();
        let rules = class.getattr_opt(intern!(py, "_rules"))?;
        let variant = match rules {
            None => Variant::Standard,
            Some(name) => name.extract::<String>()?.parse().unwrap_or_default(),
        };
        let pocket = || Py::new(py, Pocket::default());
        let board = Board {
            stack: Vec::new(),
            move_stack: PyList::empty(py).unbind(),
            chess960: false,
            variant,
            pockets: match variant {
                Variant::Crazyhouse => Some([pocket()?, pocket()?]),
                _ => None,
            },
            checks: match variant {
                Variant::ThreeCheck => Some(PyList::new(py, [3, 3])?.unbind()),
                _ => None,
            },
        };
        let base = BaseBoard {
            state: State::EMPTY,
        };
        Ok(PyClassInitializer::from(base).add_subclass(board))
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.move_stack)?;
        if let Some(checks) = &self.checks {
            visit.call(checks)?;
        }
        Ok(())
    }

    /// Whether White is to move.
    #[getter]
    fn turn(slf: PyRef<'_, Self>) -> bool {
        Board::state(&slf).turn
    }

    #[setter]
    fn set_turn(mut slf: PyRefMut<'_, Self>, turn: ColorArgument) {
        slf.as_super().state.turn = turn.0;
    }

    /// The squares of rooks that may still castle. Some may make no sense: see
    /// `clean_castling_rights`.
    #[getter]
    fn castling_rights(slf: PyRef<'_, Self>) -> u64 {
        Board::state(&slf).castling_rights
    }

    #[setter]
    fn set_castling_rights(mut slf: PyRefMut<'_, Self>, mask: Mask) {
        slf.as_super().state.castling_rights = mask.0;
    }

    /// The square that a pawn has just passed over, or `None`.
    #[getter]
    fn ep_square(slf: PyRef<'_, Self>) -> Option<u8> {
        Board::state(&slf).ep_square
    }

    #[setter]
    fn set_ep_square(mut slf: PyRefMut<'_, Self>, square: Option<SquareArgument>) {
        slf.as_super().state.ep_square = square.map(|square| square.0);
    }

    /// Plies since the last capture or move of a pawn.
    #[getter]
    fn halfmove_clock(slf: PyRef<'_, Self>) -> i64 {
        Board::state(&slf).halfmove_clock
    }

    #[setter]
    fn set_halfmove_clock(mut slf: PyRefMut<'_, Self>, plies: i64) {
        slf.as_super().state.halfmove_clock = plies;
    }

    /// The number of the move, from 1, which grows after each move of Black.
    #[getter]
    fn fullmove_number(slf: PyRef<'_, Self>) -> i64 {
        Board::state(&slf).fullmove_number
    }

    #[setter]
    fn set_fullmove_number(mut slf: PyRefMut<'_, Self>, number: i64) {
        slf.as_super().state.fullmove_number = number;
    }

    /// Whether castling is that of Chess960.
    #[getter]
    fn chess960(&self) -> bool {
        self.chess960
    }

    #[setter]
    fn set_chess960(&mut self, chess960: ColorArgument) {
        self.chess960 = chess960.0;
    }

    /// The moves that have been made, as a list.
    #[getter]
    fn move_stack(&self, py: Python<'_>) -> Py<PyList> {
        self.move_stack.clone_ref(py)
    }

    #[setter]
    fn set_move_stack(&mut self, moves: Py<PyList>) {
        self.move_stack = moves;
    }

    #[getter]
    fn _pockets(&self, py: Python<'_>) -> Option<Vec<Py<Pocket>>> {
        let pockets = self.pockets.as_ref()?;
        Some(pockets.iter().map(|pocket| pocket.clone_ref(py)).collect())
    }

    #[setter(_pockets)]
    fn set_pockets(&mut self, pockets: Option<[Py<Pocket>; 2]>) {
        self.pockets = pockets;
    }

    #[getter]
    fn _remaining_checks(&self, py: Python<'_>) -> Option<Py<PyList>> {
        self.checks.as_ref().map(|checks| checks.clone_ref(py))
    }

    #[setter(_remaining_checks)]
    fn set_remaining_checks(&mut self, checks: Option<Py<PyList>>) {
        self.checks = checks;
    }

    fn _clear(slf: &Bound<'_, Self>) -> PyResult<()> {
        Board::load_setup(slf, &Setup::EMPTY)
    }

    fn _reset(slf: &Bound<'_, Self>) -> PyResult<()> {
        let setup = AnyPosition::start(slf.borrow().variant).to_setup();
        Board::load_setup(slf, &setup)
    }

    /// Forgets the moves that have been made.
    fn clear_stack(&mut self, py: Python<'_>) -> PyResult<()> {
        self.forget(py)
    }

    fn _set_fen(slf: &Bound<'_, Self>, fen: &str) -> PyResult<()> {
        let variant = slf.borrow().variant;
        let setup = Setup::from_variant_fen(variant, fen)
            .map_err(|_| PyValueError::new_err(messages::fen(fen, variant)))?;
        Board::load_setup(slf, &setup)?;
        if setup.halfmoves.max(setup.fullmoves) >= MANY_MOVES {
            // More than a position counts to.
            let numbers = fen.split(is_blank).filter(|word| !word.is_empty());
            let numbers = numbers.filter_map(|word| word.parse::<i64>().ok());
            if let [halfmoves, fullmoves] = *numbers.collect::<Vec<_>>() {
                let mut board = slf.borrow_mut();
                board.as_super().state.halfmove_clock = halfmoves;
                board.as_super().state.fullmove_number = fullmoves.max(1);
            }
        }
        Ok(())
    }

    /// Removes and returns the piece on a square, or returns `None`. Forgets the moves.
    fn remove_piece_at(
        mut slf: PyRefMut<'_, Self>,
        square: SquareArgument,
    ) -> PyResult<Option<Piece>> {
        let pieces = &mut slf.as_super().state.pieces;
        let color = pieces.color(true) & bit(square.0) != 0;
        let removed = pieces.remove(square.0);
        let py = slf.py();
        slf.forget(py)?;
        Ok(removed.map(|piece_type| Piece::of(piece_type, color)))
    }

    /// Puts a piece on a square, in the place of what is there; `None` empties it. Forgets the
    /// moves.
    #[pyo3(signature = (square, piece, promoted=false))]
    fn set_piece_at(
        mut slf: PyRefMut<'_, Self>,
        square: SquareArgument,
        piece: Option<&Bound<'_, Piece>>,
        promoted: bool,
    ) -> PyResult<()> {
        set_piece(&mut slf.as_super().state.pieces, square.0, piece, promoted);
        let py = slf.py();
        slf.forget(py)
    }

    /// Makes a move, which need not be legal; see `push_uci` and `push_san` for those of users.
    fn push(slf: &Bound<'_, Self>, r#move: &Bound<'_, Move>) -> PyResult<()> {
        let (py, m) = (slf.py(), r#move.get().raw());
        let mut board = slf.borrow_mut();
        let game = board.game();
        let before = board.extra(py)?;
        let mut extra = before;
        let state = &mut board.as_super().state;
        let saved = *state;
        if state.push(&mut extra, m, game.variant, game.mode).is_err() {
            return Err(no_piece(&saved, m));
        }
        if extra != before {
            board.set_extra(py, &extra)?;
        }
        board.stack.push((saved, before));
        let written = match game.mode {
            CastlingMode::Standard => saved.written(m, false),
            CastlingMode::Chess960 => saved.king_takes_rook(m),
        };
        let moves = board.move_stack.bind(py);
        if written == m {
            moves.append(r#move)
        } else {
            moves.append(Move::of(written))
        }
    }

    /// Takes back the last move and returns it.
    ///
    /// Raises `IndexError` if there is none.
    fn pop<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let mut board = slf.borrow_mut();
        let moves = board.move_stack.bind(py).clone();
        let count = moves.len();
        let (Some(last), Some((state, extra))) = (count.checked_sub(1), board.stack.pop()) else {
            return Err(PyIndexError::new_err("pop from empty list"));
        };
        board.as_super().state = state;
        board.set_extra(py, &extra)?;
        let m = moves.get_item(last)?;
        moves.del_slice(last, count)?;
        Ok(m)
    }

    /// The last move.
    ///
    /// Raises `IndexError` if there is none.
    fn peek<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let moves = self.move_stack.bind(py);
        let last = moves.len().checked_sub(1);
        let last = last.ok_or_else(|| PyIndexError::new_err("list index out of range"))?;
        moves.get_item(last)
    }

    /// The legal moves: to go through, to count, to ask whether one is among them.
    #[getter]
    fn legal_moves(slf: &Bound<'_, Self>) -> LegalMoveGenerator {
        LegalMoveGenerator::new(slf.clone().into_any().unbind())
    }

    /// The pseudo-legal moves, which may leave the king in check.
    #[getter]
    fn pseudo_legal_moves(slf: &Bound<'_, Self>) -> PseudoLegalMoveGenerator {
        PseudoLegalMoveGenerator::new(slf.clone().into_any().unbind())
    }

    /// Goes through the legal moves from and to these squares.
    #[pyo3(signature = (from_mask=Mask::ALL, to_mask=Mask::ALL))]
    fn generate_legal_moves(
        slf: PyRef<'_, Self>,
        from_mask: Mask,
        to_mask: Mask,
    ) -> PyResult<MoveIterator> {
        Ok(Board::listed(
            &slf,
            &Board::legal(&slf)?,
            from_mask,
            to_mask,
        ))
    }

    /// Goes through the legal captures, those en passant included.
    #[pyo3(signature = (from_mask=Mask::ALL, to_mask=Mask::ALL))]
    fn generate_legal_captures(
        slf: PyRef<'_, Self>,
        from_mask: Mask,
        to_mask: Mask,
    ) -> PyResult<MoveIterator> {
        let captures = Board::legal(&slf)?.captures(Board::state(&slf));
        Ok(Board::listed(&slf, &captures, from_mask, to_mask))
    }

    /// Goes through the legal captures en passant.
    #[pyo3(signature = (from_mask=Mask::ALL, to_mask=Mask::ALL))]
    fn generate_legal_ep(
        slf: PyRef<'_, Self>,
        from_mask: Mask,
        to_mask: Mask,
    ) -> PyResult<MoveIterator> {
        let captures = Board::legal(&slf)?.en_passant_alone();
        Ok(Board::listed(&slf, &captures, from_mask, to_mask))
    }

    /// Goes through the pseudo-legal moves from and to these squares.
    #[pyo3(signature = (from_mask=Mask::ALL, to_mask=Mask::ALL))]
    fn generate_pseudo_legal_moves(
        slf: PyRef<'_, Self>,
        from_mask: Mask,
        to_mask: Mask,
    ) -> PyResult<MoveIterator> {
        Ok(Board::listed(
            &slf,
            &Board::pseudo_legal(&slf)?,
            from_mask,
            to_mask,
        ))
    }

    /// Goes through the pseudo-legal captures, those en passant included.
    #[pyo3(signature = (from_mask=Mask::ALL, to_mask=Mask::ALL))]
    fn generate_pseudo_legal_captures(
        slf: PyRef<'_, Self>,
        from_mask: Mask,
        to_mask: Mask,
    ) -> PyResult<MoveIterator> {
        let captures = Board::pseudo_legal(&slf)?.captures(Board::state(&slf));
        Ok(Board::listed(&slf, &captures, from_mask, to_mask))
    }

    /// Goes through the pseudo-legal captures en passant.
    #[pyo3(signature = (from_mask=Mask::ALL, to_mask=Mask::ALL))]
    fn generate_pseudo_legal_ep(
        slf: PyRef<'_, Self>,
        from_mask: Mask,
        to_mask: Mask,
    ) -> PyResult<MoveIterator> {
        let captures = Board::pseudo_legal(&slf)?.en_passant_alone();
        Ok(Board::listed(&slf, &captures, from_mask, to_mask))
    }

    /// Goes through the moves of castling. `to_mask` has the squares of rooks.
    #[pyo3(signature = (from_mask=Mask::ALL, to_mask=Mask::ALL))]
    fn generate_castling_moves(
        slf: PyRef<'_, Self>,
        from_mask: Mask,
        to_mask: Mask,
    ) -> PyResult<MoveIterator> {
        let castling = Board::pseudo_legal(&slf)?.castling_alone();
        Ok(Board::listed(&slf, &castling, from_mask, to_mask))
    }

    fn _has_legal_moves(slf: PyRef<'_, Self>) -> PyResult<bool> {
        Ok(!Board::legal(&slf)?.is_empty())
    }

    /// Whether a move is legal.
    fn is_legal(slf: PyRef<'_, Self>, r#move: Option<&Bound<'_, Move>>) -> PyResult<bool> {
        // No move is as the null move.
        let m = r#move.map_or(RawMove::NULL, |m| m.get().raw());
        let state = Board::state(&slf);
        Ok(!m.is_null() && Board::legal(&slf)?.has(m, state, slf.game()))
    }

    /// Whether a move is legal but for leaving the king in check.
    fn is_pseudo_legal(slf: PyRef<'_, Self>, r#move: Option<&Bound<'_, Move>>) -> PyResult<bool> {
        // No move is as the null move.
        let m = r#move.map_or(RawMove::NULL, |m| m.get().raw());
        let state = Board::state(&slf);
        if m.drop != 0 && slf.variant == Variant::Crazyhouse {
            let in_hand = slf.extra(slf.py())?.pockets.is_some_and(|pockets| {
                let pocket = pockets[usize::from(state.turn)];
                pocket
                    .get(usize::from(m.drop) - 1)
                    .is_some_and(|&count| count > 0)
            });
            let is_pawn_there = m.drop == PAWN && super::state::Pieces::is_backrank(m.to);
            return Ok(in_hand
                && m.promotion == 0
                && m.from == m.to
                && !is_pawn_there
                && state.pieces.occupied & bit(m.to) == 0);
        }
        Ok(!m.is_null() && Board::pseudo_legal(&slf)?.has(m, state, slf.game()))
    }

    /// Whether a pseudo-legal move leaves the king in check.
    fn is_into_check(slf: PyRef<'_, Self>, r#move: &Bound<'_, Move>) -> PyResult<bool> {
        let m = r#move.get().raw();
        let (after, _) = Board::after(&slf, m)?;
        Ok(Board::state(&slf).is_into_check(m, &after, slf.variant))
    }

    /// Whether the last move left the king in check.
    fn was_into_check(slf: PyRef<'_, Self>) -> bool {
        let state = Board::state(&slf);
        state.pieces.checkers(!state.turn, slf.variant) != 0
    }

    /// Whether a pseudo-legal move gives check.
    fn gives_check(slf: PyRef<'_, Self>, r#move: &Bound<'_, Move>) -> PyResult<bool> {
        let (after, _) = Board::after(&slf, r#move.get().raw())?;
        Ok(after.checkers(slf.variant) != 0)
    }

    /// The pieces that give check, as an integer.
    fn checkers_mask(slf: PyRef<'_, Self>) -> u64 {
        Board::state(&slf).checkers(slf.variant)
    }

    /// The pieces that give check.
    fn checkers(slf: PyRef<'_, Self>) -> SquareSet {
        SquareSet::of(Board::state(&slf).checkers(slf.variant))
    }

    /// Whether the side to move is in check.
    fn is_check(slf: PyRef<'_, Self>) -> bool {
        Board::state(&slf).checkers(slf.variant) != 0
    }

    /// How the game has ended by a rule of the variant: whether it has, and whether the side to move
    /// has won, lost or neither.
    fn _variant_end(slf: PyRef<'_, Self>) -> PyResult<(bool, Option<i8>)> {
        let position = Board::position(&slf)?;
        Ok(engine_core::dispatch!(&position, |position| variant_end(
            position
        )))
    }

    fn _has_insufficient_material(slf: PyRef<'_, Self>, color: ColorArgument) -> PyResult<bool> {
        let color = engine_core::Color::from_white(color.0);
        let position = Board::position(&slf)?;
        Ok(engine_core::dispatch!(&position, |position| {
            is_insufficient(position, color)
        }))
    }

    fn _status(slf: PyRef<'_, Self>) -> PyResult<u32> {
        let (state, game) = (Board::state(&slf), slf.game());
        let setup = state.setup(&slf.extra(slf.py())?);
        let faults = AnyPosition::faults_of(game.variant, &setup, game.mode);
        let faults = state.with_faults_of_checks(faults, &setup, game.variant);
        Ok(names::status(faults))
    }

    fn _legal_drop_squares(slf: PyRef<'_, Self>) -> u64 {
        Board::state(&slf).drop_squares()
    }

    /// Whether this position has been on the board so many times, now included.
    #[pyo3(signature = (count=3))]
    fn is_repetition(slf: PyRef<'_, Self>, count: usize) -> PyResult<bool> {
        let now = (*Board::state(&slf), slf.extra(slf.py())?);
        Ok(Repetitions::of(&slf.stack, slf.game()).count(&now) + 1 >= count)
    }

    /// Whether the position has been there three times, or can be after a legal move.
    fn can_claim_threefold_repetition(slf: PyRef<'_, Self>) -> PyResult<bool> {
        let now = (*Board::state(&slf), slf.extra(slf.py())?);
        let game = slf.game();
        let before = Repetitions::of(&slf.stack, game);
        if before.count(&now) >= 2 {
            return Ok(true);
        }
        if slf.stack.len() < 3 {
            return Ok(false);
        }
        let legal = Board::legal(&slf)?.list(&now.0, game, Wanted::ALL);
        Ok(legal.into_iter().any(|m| {
            let (mut state, mut extra) = now;
            let is_made = state.push(&mut extra, m, game.variant, game.mode).is_ok();
            is_made && before.count(&(state, extra)) >= 2
        }))
    }

    /// The castling rights that have their king and rook in place, as an integer.
    fn clean_castling_rights(slf: PyRef<'_, Self>) -> u64 {
        Board::state(&slf).clean_castling_rights(slf.game().mode)
    }

    /// Whether a pawn attacks the en passant square, though it may be pinned.
    fn has_pseudo_legal_en_passant(slf: PyRef<'_, Self>) -> bool {
        Board::state(&slf).en_passant_takers() != 0
    }

    /// Whether a pawn can capture en passant.
    fn has_legal_en_passant(slf: PyRef<'_, Self>) -> PyResult<bool> {
        let extra = slf.extra(slf.py())?;
        Ok(Board::state(&slf).has_legal_en_passant(&extra, slf.game()))
    }

    /// Whether a pseudo-legal move captures en passant.
    fn is_en_passant(slf: PyRef<'_, Self>, r#move: &Bound<'_, Move>) -> bool {
        Board::state(&slf).is_en_passant(r#move.get().raw())
    }

    /// Whether a pseudo-legal move captures something.
    fn is_capture(slf: PyRef<'_, Self>, r#move: &Bound<'_, Move>) -> bool {
        Board::state(&slf).is_capture(r#move.get().raw())
    }

    /// Whether a pseudo-legal move is a capture or a pawn's.
    fn is_zeroing(slf: PyRef<'_, Self>, r#move: &Bound<'_, Move>) -> bool {
        Board::state(&slf).is_zeroing(r#move.get().raw())
    }

    fn _reduces_castling_rights(slf: PyRef<'_, Self>, r#move: &Bound<'_, Move>) -> bool {
        Board::state(&slf).reduces_castling_rights(r#move.get().raw(), slf.game().mode)
    }

    /// Whether a pseudo-legal move is castling.
    fn is_castling(slf: PyRef<'_, Self>, r#move: &Bound<'_, Move>) -> bool {
        Board::state(&slf).is_castling(r#move.get().raw())
    }

    /// A move in UCI notation. `chess960` says how castling is written: by default as the board
    /// is played.
    #[pyo3(signature = (r#move, *, chess960=None))]
    fn uci(
        slf: PyRef<'_, Self>,
        r#move: &Bound<'_, Move>,
        chess960: Option<ColorArgument>,
    ) -> PyResult<String> {
        let state = Board::state(&slf);
        let m = state.king_takes_rook(r#move.get().raw());
        let m = state.written(m, chess960.map_or(slf.chess960, |chess960| chess960.0));
        m.uci()
            .ok_or_else(|| PyIndexError::new_err("list index out of range"))
    }

    /// Reads a legal move, or the null move, in UCI notation.
    ///
    /// Raises `InvalidMoveError` or `IllegalMoveError`.
    fn parse_uci(slf: PyRef<'_, Self>, uci: &str) -> PyResult<Move> {
        let (m, state, game) = (RawMove::from_uci(uci)?, Board::state(&slf), slf.game());
        if m.is_null() {
            return Ok(Move::of(m));
        }
        let m = state.written(state.king_takes_rook(m), slf.chess960);
        if Board::legal(&slf)?.has(m, state, game) {
            return Ok(Move::of(m));
        }
        let fen = state.fen(&slf.extra(slf.py())?, game, FenStyle::PLAIN);
        let uci = messages::quote(uci);
        Err(IllegalMoveError::new_err(format!(
            "illegal uci: {uci} in {fen}"
        )))
    }

    /// A move with castling written as in Chess960, or not.
    fn _with_castling(
        slf: PyRef<'_, Self>,
        r#move: &Bound<'_, Move>,
        chess960: ColorArgument,
    ) -> Move {
        let m = r#move.get().raw();
        let state = Board::state(&slf);
        Move::of(if chess960.0 {
            state.king_takes_rook(m)
        } else {
            state.written(m, false)
        })
    }

    fn _set_epd<'py>(slf: &Bound<'py, Self>, epd: &str) -> PyResult<Bound<'py, PyDict>> {
        epd::set(slf, epd)
    }

    fn _algebraic_without_suffix(
        slf: PyRef<'_, Self>,
        r#move: &Bound<'_, Move>,
        long: bool,
    ) -> PyResult<Option<String>> {
        let extra = slf.extra(slf.py())?;
        Ok(Board::state(&slf)
            .algebraic(&extra, slf.game(), r#move.get().raw(), long)
            .ok())
    }

    /// A move in SAN, such as `Nf3`. It must be legal or null; castling is `O-O` and `O-O-O`.
    fn san(slf: PyRef<'_, Self>, r#move: &Bound<'_, Move>) -> PyResult<String> {
        Board::algebraic(&slf, r#move.get().raw(), false)
    }

    /// A move in long algebraic notation, such as `Ng1-f3`. It must be legal or null.
    fn lan(slf: PyRef<'_, Self>, r#move: &Bound<'_, Move>) -> PyResult<String> {
        Board::algebraic(&slf, r#move.get().raw(), true)
    }
    /// Reads a move in SAN, in coordinates or a null move (`--`).
    ///
    /// Raises `InvalidMoveError`, `IllegalMoveError` or `AmbiguousMoveError`.
    fn parse_san(slf: PyRef<'_, Self>, san: &str) -> PyResult<Move> {
        let position = Board::position(&slf)?;
        match engine_core::dispatch!(&position, |position| position.parse_san(san)) {
            Ok(m) => Ok(Move::of(RawMove::of(m, slf.game().mode))),
            Err(MoveError::Null) => Ok(Move::of(RawMove::NULL)),
            Err(error) => {
                let extra = slf.extra(slf.py())?;
                let fen = Board::state(&slf).fen(&extra, slf.game(), FenStyle::PLAIN);
                let message = messages::san_in(san, &error, &position, &fen);
                Err(move_error(&error, message))
            }
        }
    }

    /// The FEN. `shredder` writes castling rights by the files of the rooks; `en_passant` is
    /// `"legal"`, `"xfen"` or `"fen"` for an en passant square if a pawn can capture there, attacks
    /// it, or always; `promoted` marks pieces that were pawns by `~`.
    #[pyo3(signature = (*, shredder=false, en_passant="legal", promoted=None))]
    fn fen(
        slf: PyRef<'_, Self>,
        shredder: bool,
        en_passant: &str,
        promoted: Option<bool>,
    ) -> PyResult<String> {
        let style = style(shredder, en_passant, promoted);
        Ok(Board::state(&slf).fen(&slf.extra(slf.py())?, slf.game(), style))
    }

    fn _epd(
        slf: PyRef<'_, Self>,
        shredder: bool,
        en_passant: &str,
        promoted: Option<bool>,
    ) -> PyResult<String> {
        let style = style(shredder, en_passant, promoted);
        Ok(Board::state(&slf).epd(&slf.extra(slf.py())?, slf.game(), style))
    }

    fn _variant_board_fen(slf: PyRef<'_, Self>, promoted: Option<bool>) -> String {
        Board::state(&slf).board_fen(slf.game(), promoted)
    }

    /// Whether there are castling rights that only Chess960 has.
    fn has_chess960_castling_rights(slf: PyRef<'_, Self>) -> bool {
        Board::state(&slf).has_chess960_castling_rights()
    }

    fn _set_castling_fen(mut slf: PyRefMut<'_, Self>, letters: &str) -> PyResult<()> {
        let state = &mut slf.as_super().state;
        if letters.is_empty() || letters == "-" {
            state.castling_rights = 0;
            return Ok(());
        }
        let board = board_fen(&state.pieces, false);
        let setup = Setup::from_fen(&format!("{board} w {letters} - 0 1"));
        let setup = setup.ok().filter(|_| !letters.contains(' '));
        let Some(setup) = setup else {
            let letters = messages::quote(letters);
            return Err(PyValueError::new_err(format!(
                "invalid castling fen: {letters}"
            )));
        };
        state.castling_rights = setup.castling.0;
        Ok(())
    }

    fn _chess960_start(
        slf: PyRef<'_, Self>,
        ignore_turn: bool,
        ignore_castling: bool,
        ignore_counters: bool,
    ) -> Option<u32> {
        let state = Board::state(&slf);
        let turn_fits = ignore_turn || state.turn;
        let clean = state.clean_castling_rights(CastlingMode::Chess960);
        let castling_fits = ignore_castling || clean == state.pieces.role(super::state::ROOK);
        let counters = (state.fullmove_number, state.halfmove_clock);
        let counters_fit = ignore_counters || counters == (1, 0);
        if !turn_fits || !castling_fits || !counters_fit || state.pieces.promoted != 0 {
            return None;
        }
        super::base_board::chess960_number(&state.pieces)
    }

    /// The position, but not the moves, of another board.
    fn _copy_position(slf: &Bound<'_, Self>, other: &Bound<'_, Board>) -> PyResult<()> {
        let py = slf.py();
        let (state, extra, chess960) = {
            let other = other.borrow();
            (*Board::state(&other), other.extra(py)?, other.chess960)
        };
        let mut board = slf.borrow_mut();
        board.as_super().state = state;
        board.chess960 = chess960;
        board.set_extra(py, &extra)
    }

    /// The last so many moves of another board, or all.
    fn _copy_stack(slf: &Bound<'_, Self>, other: &Bound<'_, Board>, count: Option<usize>) {
        let py = slf.py();
        let (stack, moves) = {
            let other = other.borrow();
            let moves = other.move_stack.bind(py);
            let count = count
                .unwrap_or(usize::MAX)
                .min(other.stack.len())
                .min(moves.len());
            let first = other.stack.len() - count;
            let copied = moves.get_slice(moves.len() - count, moves.len());
            (
                other.stack.get(first..).unwrap_or_default().to_vec(),
                copied,
            )
        };
        let mut board = slf.borrow_mut();
        board.stack = stack;
        board.move_stack = moves.unbind();
    }

    /// The position before the first move of another board.
    fn _copy_root(slf: &Bound<'_, Self>, other: &Bound<'_, Board>) -> PyResult<()> {
        Board::_copy_position(slf, other)?;
        let first = other.borrow().stack.first().copied();
        if let Some((state, extra)) = first {
            let mut board = slf.borrow_mut();
            board.as_super().state = state;
            board.set_extra(slf.py(), &extra)?;
        }
        Ok(())
    }

    /// Exchanges the sides.
    fn _mirror_position(slf: &Bound<'_, Self>) -> PyResult<()> {
        let py = slf.py();
        let mut board = slf.borrow_mut();
        let mut extra = board.extra(py)?;
        if let Some(pockets) = &mut extra.pockets {
            pockets.swap(0, 1);
        }
        if let Some(checks) = &mut extra.checks {
            checks.swap(0, 1);
        }
        board.set_extra(py, &extra)?;
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

    /// All that a position is, for a set or a dictionary of positions.
    fn _position_key(slf: PyRef<'_, Self>) -> PyResult<Vec<u64>> {
        let now = (*Board::state(&slf), slf.extra(slf.py())?);
        Ok(Key::of(&now, slf.game()).numbers())
    }

    /// The number of lines of legal moves of so many plies.
    ///
    /// Other threads run meanwhile, and Ctrl-C ends it.
    fn perft(slf: &Bound<'_, Self>, depth: u32) -> PyResult<u64> {
        let py = slf.py();
        let board = slf.borrow();
        let (state, extra, game) = (*Board::state(&board), board.extra(py)?, board.game());
        drop(board);
        perft::count(py, &state, &extra, game, depth)
    }

    /// The position and its history, for pickles.
    fn _dump(slf: PyRef<'_, Self>) -> PyResult<(bool, Vec<Vec<i64>>)> {
        let now = (*Board::state(&slf), slf.extra(slf.py())?);
        let all = slf.stack.iter().chain([&now]);
        Ok((slf.chess960, all.map(pickle::to_numbers).collect()))
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
        let mut board = slf.borrow_mut();
        board.chess960 = chess960;
        board.stack = stack;
        board.as_super().state = state;
        board.set_extra(slf.py(), &extra)
    }
}

fn style(shredder: bool, en_passant: &str, promoted: Option<bool>) -> FenStyle {
    FenStyle {
        shredder,
        en_passant: match en_passant {
            "legal" => EnPassant::Legal,
            "xfen" => EnPassant::XFen,
            _ => EnPassant::Fen,
        },
        promoted,
    }
}

/// Whether a game has ended by a rule of the variant, and for the side to move 1 if it has won, -1 if
/// it has lost and 0 for a draw.
fn variant_end<R: Rules>(position: &Position<R>) -> (bool, Option<i8>) {
    let end = R::variant_end(position).map(|end| match end.termination {
        Termination::VariantWin => 1,
        Termination::VariantLoss => -1,
        _ => 0,
    });
    (R::is_variant_end(position), end)
}

fn is_insufficient<R: Rules>(position: &Position<R>, color: engine_core::Color) -> bool {
    R::has_insufficient_material(position, color)
}

/// The sign of check or mate for the side to move.
fn suffix(state: &State, extra: &Extra, game: Game) -> &'static str {
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
