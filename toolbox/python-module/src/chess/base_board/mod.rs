//! Boards with pieces alone: no side to move, no moves.

mod attacks;
mod attributes;
mod occupied;

pub(crate) use occupied::Occupied;

use super::arguments::{ColorArgument, ColorIndex, Flag, Mask, SquareArgument, text_with};
use super::hooks::{Hooks, Method};
use super::pieces::{Piece, PieceArgument};
use super::square_set::SquareSet;
use super::state::{BoardState, Extra, PieceType, Pieces, ascending, bit, descending};
use engine_core::notation::read_board;
use engine_core::{Bitboard, CastlingMode, Role, Setup};
use pyo3::exceptions::{PyAssertionError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};
use python_chess::messages;

/// The native part of `BaseBoard`.
#[pyclass(module = "mola._mola", name = "BaseBoard", subclass)]
#[derive(Clone, Copy)]
pub(crate) struct BaseBoard {
    /// The position, of which a board without a side to move uses the pieces alone.
    pub(crate) state: BoardState,
    /// The methods that call some that its class overrides.
    pub(crate) hooks: Hooks,
}

impl BaseBoard {
    /// Of a class, without pieces.
    pub(crate) fn empty(class: &Bound<'_, PyType>) -> PyResult<BaseBoard> {
        Ok(BaseBoard {
            state: BoardState::EMPTY,
            hooks: Hooks::of(class)?,
        })
    }

    /// A board whose class overrides nothing that this method calls; for others the method has a
    /// slow way.
    #[inline(always)]
    pub(crate) fn unless_overridden<'py>(
        slf: &Bound<'py, BaseBoard>,
        method: Method,
    ) -> PyResult<Option<PyRef<'py, BaseBoard>>> {
        let board = slf.try_borrow()?;
        Ok((!board.hooks.has(method)).then_some(board))
    }
}

/// A piece type, checked as python-chess does.
fn checked(piece_type: &Bound<'_, PyAny>) -> PyResult<PieceType> {
    if let Ok(piece_type @ 1..=6) = piece_type.extract::<PieceType>() {
        return Ok(piece_type);
    }
    let shown = piece_type.repr()?;
    Err(PyAssertionError::new_err(format!(
        "expected PieceType, got {shown}"
    )))
}

/// The squares of the pieces that the first field of a FEN marks by `~`: once pawns. Boards keep them
/// under any rules, as python-chess's do.
pub(crate) fn promoted_marks(pieces: &str) -> u64 {
    read_board(pieces).map_or(0, |(_, promoted)| promoted.0)
}

/// The pieces of the first field of a FEN.
pub(crate) fn read_board_fen(fen: &str) -> PyResult<Pieces> {
    let fen = fen.trim_matches(engine_core::notation::is_blank);
    if fen.contains(' ') {
        let message = "expected position part of fen, got multiple parts: ";
        return Err(PyValueError::new_err(format!(
            "{message}{}",
            messages::quote(fen)
        )));
    }
    match read_board(fen) {
        Ok((board, promoted)) => Ok(Pieces {
            promoted: promoted.0,
            ..Pieces::of(&board, Bitboard::EMPTY)
        }),
        Err(_) => Err(PyValueError::new_err(messages::board_part(fen))),
    }
}

#[pymethods]
impl BaseBoard {
    #[new]
    #[classmethod]
    #[pyo3(signature = (*_arguments, **_options))]
    fn new(
        class: &Bound<'_, PyType>,
        _arguments: &Bound<'_, PyAny>,
        _options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<BaseBoard> {
        BaseBoard::empty(class)
    }

    fn _clear_board(&mut self) {
        self.state.pieces = Pieces::EMPTY;
    }

    fn _reset_board(&mut self) {
        self.state.pieces = BoardState::START.pieces;
    }

    fn _set_board_fen(&mut self, fen: &Bound<'_, PyAny>) -> PyResult<()> {
        self.state.pieces = read_board_fen(&text_with(fen, "strip")?)?;
        Ok(())
    }

    fn _remove_piece_at(&mut self, square: SquareArgument) -> Option<PieceType> {
        self.state.pieces.remove(square.0)
    }

    #[pyo3(signature = (square, piece_type, color, promoted=Flag::NO))]
    fn _set_piece_at(
        &mut self,
        square: SquareArgument,
        piece_type: PieceType,
        color: ColorArgument,
        promoted: Flag,
    ) {
        self.state
            .pieces
            .set(square.0, piece_type, color.0, promoted.0);
    }

    /// The squares of a piece type and color as an integer.
    fn pieces_mask(&self, piece_type: &Bound<'_, PyAny>, color: ColorIndex) -> PyResult<u64> {
        Ok(self.state.pieces.pieces(checked(piece_type)?, color.0))
    }

    /// The squares of a piece type and color.
    fn pieces(
        slf: &Bound<'_, Self>,
        piece_type: &Bound<'_, PyAny>,
        color: ColorIndex,
    ) -> PyResult<SquareSet> {
        if let Some(board) = BaseBoard::unless_overridden(slf, Method::Pieces)? {
            return board.pieces_mask(piece_type, color).map(SquareSet::of);
        }
        let mask = Method::Pieces.slowly(slf.py(), (slf, piece_type, color.0))?;
        Ok(SquareSet::of(mask.extract::<Mask>()?.0))
    }

    /// The piece on a square, or `None`.
    fn piece_at<'py>(
        slf: &Bound<'py, Self>,
        square: SquareArgument,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let py = slf.py();
        let Some(board) = BaseBoard::unless_overridden(slf, Method::PieceAt)? else {
            return Method::PieceAt.slowly(py, (slf, square.0)).map(Some);
        };
        match board.state.pieces.piece_at(square.0) {
            None => Ok(None),
            Some((piece_type, color)) => Ok(Some(
                Bound::new(py, Piece::of(piece_type, color))?.into_any(),
            )),
        }
    }

    /// The type of the piece on a square, or `None`.
    fn piece_type_at(&self, square: SquareArgument) -> Option<PieceType> {
        self.state.pieces.piece_type_at(square.0)
    }

    /// The color of the piece on a square, or `None`.
    fn color_at(&self, square: SquareArgument) -> Option<bool> {
        self.state.pieces.color_at(square.0)
    }

    /// The square of the king of a color, or `None`. Kings that were pawns do not count.
    fn king(&self, color: ColorIndex) -> Option<u8> {
        self.state.pieces.king(color.0)
    }

    /// Removes and returns the piece on a square, or returns `None`.
    fn remove_piece_at(&mut self, square: SquareArgument) -> Option<Piece> {
        let (piece_type, color) = self.state.pieces.piece_at(square.0)?;
        self.state.pieces.remove(square.0);
        Some(Piece::of(piece_type, color))
    }

    /// Puts a piece on a square, in the place of what is there; `None` empties it.
    #[pyo3(
        signature = (square, piece, promoted=Flag::NO),
        text_signature = "($self, square, piece, promoted=False)"
    )]
    fn set_piece_at(
        &mut self,
        square: SquareArgument,
        piece: Option<PieceArgument<'_, '_>>,
        promoted: Flag,
    ) {
        let piece = piece.map(|piece| piece.0.get().parts());
        set_piece(&mut self.state.pieces, square.0, piece, promoted.0);
    }

    /// The first field of a FEN; with `promoted` there is a `~` behind pieces that were pawns.
    #[pyo3(
        signature = (*, promoted=Flag::NO),
        text_signature = "($self, *, promoted=False)"
    )]
    fn board_fen(slf: &Bound<'_, Self>, promoted: Flag) -> PyResult<String> {
        match BaseBoard::unless_overridden(slf, Method::BoardFen)? {
            Some(board) => Ok(board_fen(&board.state.pieces, promoted.0)),
            None => Method::BoardFen
                .slowly(slf.py(), (slf, promoted.0))?
                .extract(),
        }
    }

    /// The pieces by their squares, h8 first, as in python-chess.
    #[pyo3(
        signature = (*, mask=Mask::ALL),
        text_signature = "($self, *, mask=18446744073709551615)"
    )]
    fn piece_map<'py>(slf: &Bound<'py, Self>, mask: Mask) -> PyResult<Bound<'py, PyAny>> {
        let Some(board) = BaseBoard::unless_overridden(slf, Method::PieceMap)? else {
            return Method::PieceMap.slowly(slf.py(), (slf, mask.0));
        };
        let map = PyDict::new(slf.py());
        let pieces = board.state.pieces;
        drop(board);
        for square in descending(pieces.occupied & mask.0) {
            if let Some((piece_type, color)) = pieces.piece_at(square) {
                map.set_item(square, Piece::of(piece_type, color))?;
            }
        }
        Ok(map.into_any())
    }

    fn _set_piece_map(slf: &Bound<'_, Self>, pieces: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut all = Pieces::EMPTY;
        for item in pieces.call_method0("items")?.try_iter()? {
            let (square, piece): (SquareArgument, Bound<'_, PyAny>) = item?.extract()?;
            let piece = piece.extract::<PieceArgument<'_, '_>>()?.0.get().parts();
            set_piece(&mut all, square.0, Some(piece), false);
        }
        slf.try_borrow_mut()?.state.pieces = all;
        Ok(())
    }

    fn _same_pieces(&self, other: PyRef<'_, BaseBoard>) -> bool {
        let both = (self.state.pieces, other.state.pieces);
        both.0.roles == both.1.roles && both.0.colors == both.1.colors
    }

    fn _copy_pieces(&mut self, other: PyRef<'_, BaseBoard>) {
        self.state.pieces = other.state.pieces;
    }

    fn _mirror_pieces(&mut self) {
        let pieces = &mut self.state.pieces;
        for set in pieces.sets_mut() {
            *set = set.swap_bytes();
        }
        pieces.colors.swap(0, 1);
    }

    fn _set_chess960_pos(&mut self, scharnagl: &Bound<'_, PyAny>) -> PyResult<()> {
        match scharnagl.extract() {
            Ok(number @ 0..960) => {
                let setup = Setup::chess960(number);
                self.state.pieces = Pieces::of(&setup.board, Bitboard::EMPTY);
                Ok(())
            }
            Err(error) if error.is_instance_of::<PyTypeError>(scharnagl.py()) => Err(error),
            // Greater numbers than fit here are none of a position, either.
            _ => {
                let shown = scharnagl.repr()?;
                let message = format!("chess960 position index not 0 <= {shown} <= 959");
                Err(PyValueError::new_err(message))
            }
        }
    }

    fn _chess960_number(&self) -> Option<u32> {
        chess960_number(&self.state.pieces)
    }

    /// Calls a function with each set of squares, and puts what it returns in its place.
    fn _transform_pieces(slf: &Bound<'_, Self>, f: &Bound<'_, PyAny>) -> PyResult<()> {
        let pieces = slf.try_borrow()?.state.pieces;
        slf.try_borrow_mut()?.state.pieces = transformed(pieces, f)?;
        Ok(())
    }

    /// The pieces, for pickles.
    fn _dump_pieces(&self) -> [u64; 10] {
        let Pieces {
            roles,
            colors,
            occupied,
            promoted,
        } = self.state.pieces;
        let [pawns, knights, bishops, rooks, queens, kings] = roles;
        let [black, white] = colors;
        [
            pawns, knights, bishops, rooks, queens, kings, black, white, occupied, promoted,
        ]
    }

    fn _load_pieces(&mut self, masks: [u64; 10]) {
        let [
            pawns,
            knights,
            bishops,
            rooks,
            queens,
            kings,
            black,
            white,
            occupied,
            promoted,
        ] = masks;
        self.state.pieces = Pieces {
            roles: [pawns, knights, bishops, rooks, queens, kings],
            colors: [black, white],
            occupied,
            promoted,
        };
    }
}

/// What a function makes of each set of squares.
pub(crate) fn transformed(mut pieces: Pieces, f: &Bound<'_, PyAny>) -> PyResult<Pieces> {
    for set in pieces.sets_mut() {
        *set = f.call1((*set,))?.extract::<Mask>()?.0;
    }
    Ok(pieces)
}

/// The number of a start position of Chess960.
pub(crate) fn chess960_number(pieces: &Pieces) -> Option<u32> {
    if pieces.promoted != 0 {
        return None;
    }
    let mut setup = BoardState {
        pieces: *pieces,
        ..BoardState::EMPTY
    }
    .setup(&Extra::default());
    setup.castling = setup.board.role(Role::Rook);
    setup.chess960_number(CastlingMode::Chess960)
}

/// Puts a piece, given by its type and color, on a square, or empties it.
pub(crate) fn set_piece(
    pieces: &mut Pieces,
    square: u8,
    piece: Option<(PieceType, bool)>,
    promoted: bool,
) {
    match piece {
        None => {
            pieces.remove(square);
        }
        Some((piece_type, color)) => pieces.set(square, piece_type, color, promoted),
    }
}

/// The first field of a FEN.
pub(crate) fn board_fen(pieces: &Pieces, promoted: bool) -> String {
    let mut text = String::with_capacity(72);
    push_board(pieces, promoted, &mut text);
    text
}

/// Adds the first field of a FEN.
pub(crate) fn push_board(pieces: &Pieces, promoted: bool, text: &mut String) {
    // An occupied square of no other role counts as a king's.
    let mut letters = [b'k'; 64];
    for (set, letter) in pieces.roles.into_iter().zip(*b"pnbrqk").rev() {
        for square in ascending(set) {
            letters[usize::from(square & 63)] = letter;
        }
    }
    let push_empty = |count: &mut u8, text: &mut String| {
        if *count > 0 {
            text.push(char::from(b'0' + std::mem::take(count)));
        }
    };
    let mut empty = 0;
    // From a8 to h1.
    for square in (0..64).map(|index| index ^ 0o70) {
        let mask = bit(square);
        if pieces.occupied & mask == 0 {
            empty += 1;
        } else {
            push_empty(&mut empty, text);
            let letter = letters[usize::from(square & 63)];
            let is_white = pieces.color(true) & mask != 0;
            text.push(char::from(if is_white {
                letter.to_ascii_uppercase()
            } else {
                letter
            }));
            if promoted && pieces.promoted & mask != 0 {
                text.push('~');
            }
        }
        if square & 7 == 7 {
            push_empty(&mut empty, text);
            if square > 7 {
                text.push('/');
            }
        }
    }
}
