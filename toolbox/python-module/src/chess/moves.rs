//! Moves, independent of a position.

use super::arguments::{NO_PIECE_TYPE, index_error, not_of_class, optional};
use super::state::{BoardState, PieceType, bit, piece_type, role};
use super::values::{compared, fields_by_name, pickle_of_subclass, set_all};
use crate::text::PyText;
use engine_core::notation::MoveError;
use engine_core::{CastlingMode, MoveKind, Square, castling_targets};
use pyo3::basic::CompareOp;
use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyTuple, PyType};
use python_chess::{messages, names};
use std::convert::Infallible;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicU32, Ordering};

pyo3::create_exception!(
    mola.chess,
    InvalidMoveError,
    PyValueError,
    "Raised when a text is not a move in its notation."
);
pyo3::create_exception!(
    mola.chess,
    IllegalMoveError,
    PyValueError,
    "Raised when a move is not legal in its position."
);
pyo3::create_exception!(
    mola.chess,
    AmbiguousMoveError,
    PyValueError,
    "Raised when a text means several legal moves."
);

/// The exception for an invalid move.
pub(crate) fn move_error(error: &MoveError, message: String) -> PyErr {
    match names::exception(error) {
        "InvalidMoveError" => InvalidMoveError::new_err(message),
        "AmbiguousMoveError" => AmbiguousMoveError::new_err(message),
        _ => IllegalMoveError::new_err(message),
    }
}

/// The fields of a move: two squares, and the piece types of a promotion and a drop, or 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct RawMove {
    /// The from-square.
    pub(crate) from: u8,
    /// The to-square.
    pub(crate) to: u8,
    /// The promotion piece.
    pub(crate) promotion: PieceType,
    /// The dropped piece.
    pub(crate) drop: PieceType,
}

impl RawMove {
    /// The null move.
    pub(crate) const NULL: RawMove = RawMove::step(0, 0);

    /// From one square to another.
    pub(crate) const fn step(from: u8, to: u8) -> RawMove {
        RawMove {
            from,
            to,
            promotion: NO_PIECE_TYPE,
            drop: NO_PIECE_TYPE,
        }
    }

    /// A promotion.
    pub(crate) const fn promotion(from: u8, to: u8, promotion: PieceType) -> RawMove {
        RawMove {
            promotion,
            ..RawMove::step(from, to)
        }
    }

    /// A drop.
    pub(crate) const fn drop(drop: PieceType, to: u8) -> RawMove {
        RawMove {
            drop,
            ..RawMove::step(to, to)
        }
    }

    /// Whether it is the null move.
    pub(crate) fn is_null(self) -> bool {
        self == RawMove::NULL
    }

    /// A legal move of the engine, with castling written in this mode.
    pub(crate) fn of(m: engine_core::Move, mode: CastlingMode) -> RawMove {
        let [from, to] = [m.from(), m.to()].map(|square| square.index() as u8);
        match m.kind() {
            MoveKind::Normal | MoveKind::EnPassant => RawMove::step(from, to),
            MoveKind::Promotion(role) => RawMove::promotion(from, to, piece_type(role)),
            MoveKind::Drop(role) => RawMove::drop(piece_type(role), to),
            MoveKind::Castle if mode == CastlingMode::Chess960 => RawMove::step(from, to),
            MoveKind::Castle => {
                let color = engine_core::Color::from_white(from < 32);
                let (king, _) = castling_targets(color, m.from(), m.to());
                RawMove::step(from, king.index() as u8)
            }
        }
    }

    /// In UCI notation.
    pub(crate) fn uci(self) -> Option<String> {
        if self.is_null() {
            return Some("0000".to_owned());
        }
        let to = Square::from_index(usize::from(self.to))?;
        if self.drop != NO_PIECE_TYPE {
            return Some(format!("{}@{to}", role(self.drop)?.upper()));
        }
        let from = Square::from_index(usize::from(self.from))?;
        Some(match optional(self.promotion) {
            None => format!("{from}{to}"),
            Some(promotion) => format!("{from}{to}{}", role(promotion)?.letter()),
        })
    }

    /// Reads UCI notation. Only drops have capital letters.
    pub(crate) fn from_uci(text: &PyText<'_>) -> PyResult<RawMove> {
        let read = || {
            let square = |text: &str| text.parse::<Square>().ok().map(|at| at.index() as u8);
            let letter = |text: &str| {
                let letter = text.chars().next()?;
                engine_core::Role::from_letter(letter).map(piece_type)
            };
            if &**text == "0000" {
                return Some(RawMove::NULL);
            }
            if text.len() == 4 && text.get(1..2)? == "@" {
                return Some(RawMove::drop(letter(text)?, square(text.get(2..4)?)?));
            }
            let (from, to) = (square(text.get(0..2)?)?, square(text.get(2..4)?)?);
            match text.get(4..)? {
                _ if from == to => None,
                "" => Some(RawMove::step(from, to)),
                role if role.len() == 1 && role.to_ascii_lowercase() == role => {
                    Some(RawMove::promotion(from, to, letter(role)?))
                }
                _ => None,
            }
        };
        read().ok_or_else(|| {
            InvalidMoveError::new_err(text.restore_surrogates(messages::not_uci(text)))
        })
    }

    /// In 16 bits, for columns: from, to, and the piece type of a promotion or, with the highest bit,
    /// of a drop.
    pub(crate) fn packed(self) -> u16 {
        let is_drop = u16::from(self.drop != NO_PIECE_TYPE);
        let piece_type = u16::from(self.promotion | self.drop);
        u16::from(self.from) | u16::from(self.to) << 6 | piece_type << 12 | is_drop << 15
    }

    fn to_bits(self) -> u32 {
        u32::from_le_bytes([self.from, self.to, self.promotion, self.drop])
    }

    fn from_bits(bits: u32) -> RawMove {
        let [from, to, promotion, drop] = bits.to_le_bytes();
        RawMove {
            from,
            to,
            promotion,
            drop,
        }
    }
}

impl BoardState {
    /// The same move with castling written as the king capturing its rook: python-chess's
    /// `_to_chess960`, which leaves out a promotion.
    pub(crate) fn castling_to_chess960(&self, m: RawMove) -> RawMove {
        let kings = self.pieces.role(super::state::KING);
        if m.drop != NO_PIECE_TYPE || kings & bit(m.from) == 0 {
            return m;
        }
        let rooks = self.pieces.role(super::state::ROOK);
        let rook = match (m.from, m.to) {
            (4, 6) => 7,
            (4, 2) => 0,
            (60, 62) => 63,
            (60, 58) => 56,
            _ => return m,
        };
        if rooks & bit(m.to) != 0 {
            return m;
        }
        RawMove::step(m.from, rook)
    }

    /// The same move with castling written for Chess960 or for standard chess: python-chess's
    /// `_from_chess960`.
    pub(crate) fn castling_from_chess960(&self, m: RawMove, chess960: bool) -> RawMove {
        let kings = self.pieces.role(super::state::KING);
        if chess960
            || m.promotion != NO_PIECE_TYPE
            || m.drop != NO_PIECE_TYPE
            || kings & bit(m.from) == 0
        {
            return m;
        }
        let to = match (m.from, m.to) {
            (4, 7) => 6,
            (4, 0) => 2,
            (60, 63) => 62,
            (60, 56) => 58,
            _ => return m,
        };
        RawMove::step(m.from, to)
    }

    /// Whether a pseudo-legal move is castling.
    pub(crate) fn is_castling(&self, m: RawMove) -> bool {
        if self.pieces.role(super::state::KING) & bit(m.from) == 0 {
            return false;
        }
        let files = i32::from(m.from & 7) - i32::from(m.to & 7);
        let own_rooks = self.pieces.pieces(super::state::ROOK, self.turn);
        files.abs() > 1 || own_rooks & bit(m.to) != 0
    }

    /// Whether a pseudo-legal move captures en passant.
    pub(crate) fn is_en_passant(&self, m: RawMove) -> bool {
        let distance = i32::from(m.to) - i32::from(m.from);
        self.ep_square == Some(m.to)
            && self.pieces.role(super::state::PAWN) & bit(m.from) != 0
            && matches!(distance.abs(), 7 | 9)
            && self.pieces.occupied & bit(m.to) == 0
    }
}

/// A move from one square to another, with the piece type of a promotion, if any.
///
/// Drops have their piece type in `drop` and the same square twice. The null move `0000` goes from
/// a1 to a1 and is the only move that is false.
#[pyclass(
    module = "mola.chess",
    name = "Move",
    subclass,
    frozen,
    weakref,
    freelist = 512
)]
pub(crate) struct Move(AtomicU32);

/// How a move keeps a piece type of 0, which is none, too, but another value than `None`.
const ZERO: PieceType = PieceType::MAX;

/// A field of a move from Python.
struct Field(u8);

impl<'a, 'py> FromPyObject<'a, 'py> for Field {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Field> {
        match object.extract::<u8>() {
            Ok(number) if number != ZERO => Ok(Field(number)),
            Err(error) if !object.is_instance_of::<PyInt>() => Err(error),
            _ => Err(PyOverflowError::new_err(format!(
                "squares and piece types of moves are numbers from 0 to {}, not {}",
                ZERO - 1,
                object.repr()?
            ))),
        }
    }
}

/// A piece type of a move from Python, as it is kept.
fn kept(piece_type: Option<Field>) -> PieceType {
    match piece_type {
        None => NO_PIECE_TYPE,
        Some(Field(0)) => ZERO,
        Some(Field(piece_type)) => piece_type,
    }
}

/// A piece type of a move for Python.
fn shown(kept: PieceType) -> Option<PieceType> {
    match kept {
        NO_PIECE_TYPE => None,
        ZERO => Some(0),
        piece_type => Some(piece_type),
    }
}

impl Move {
    /// A move with these fields.
    pub(crate) fn of(m: RawMove) -> Move {
        Move(AtomicU32::new(m.to_bits()))
    }

    /// Its fields.
    pub(crate) fn raw(&self) -> RawMove {
        let kept = self.kept();
        let known = |piece_type| shown(piece_type).unwrap_or(NO_PIECE_TYPE);
        RawMove {
            promotion: known(kept.promotion),
            drop: known(kept.drop),
            ..kept
        }
    }

    /// Whether a piece type is 0 instead of `None`.
    pub(crate) fn has_zero(&self) -> bool {
        let kept = self.kept();
        kept.promotion == ZERO || kept.drop == ZERO
    }

    /// Its fields as they are kept.
    fn kept(&self) -> RawMove {
        RawMove::from_bits(self.0.load(Ordering::Relaxed))
    }

    /// Whether both of its squares are on the board.
    fn is_on_board(&self) -> bool {
        let RawMove { from, to, .. } = self.kept();
        from < 64 && to < 64
    }

    /// Its UCI notation, as a subclass has it.
    fn shown<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        if slf.is_exact_instance_of::<Move>() {
            return Ok(slf.get().uci()?.into_pyobject(slf.py())?.into_any());
        }
        slf.call_method0(intern!(slf.py(), "uci"))
    }

    fn change(&self, change: impl FnOnce(&mut RawMove)) {
        let mut raw = self.kept();
        change(&mut raw);
        self.0.store(raw.to_bits(), Ordering::Relaxed);
    }
}

/// A move as an argument. It is looked at in the function itself: to errors from before, `PyO3` adds a note
/// with the name of the argument in Rust, `r#move`.
pub(crate) struct MoveArgument<'a, 'py>(Borrowed<'a, 'py, PyAny>);

impl<'a, 'py> MoveArgument<'a, 'py> {
    /// The move, if it is one between squares of the board.
    pub(crate) fn read(self) -> PyResult<Borrowed<'a, 'py, Move>> {
        match self.0.cast::<Move>() {
            Ok(m) if m.get().is_on_board() => Ok(m),
            Ok(_) => Err(index_error()),
            Err(_) => Err(not_of_class(&self.0, "Move", "from_square")),
        }
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for MoveArgument<'a, 'py> {
    type Error = Infallible;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> Result<MoveArgument<'a, 'py>, Infallible> {
        Ok(MoveArgument(object))
    }
}

/// The names of the fields.
const FIELDS: [&str; 4] = ["from_square", "to_square", "promotion", "drop"];

#[pymethods]
impl Move {
    /// The fields are set by `__init__`, which a subclass may override.
    #[new]
    #[pyo3(
        signature = (*_arguments, **_options),
        text_signature = "(from_square, to_square, promotion=None, drop=None)"
    )]
    fn new(_arguments: &Bound<'_, PyAny>, _options: Option<&Bound<'_, PyDict>>) -> Move {
        Move::of(RawMove::NULL)
    }

    #[pyo3(signature = (from_square, to_square, promotion=None, drop=None))]
    fn __init__(
        &self,
        from_square: Field,
        to_square: Field,
        promotion: Option<Field>,
        drop: Option<Field>,
    ) {
        self.change(|m| {
            *m = RawMove {
                from: from_square.0,
                to: to_square.0,
                promotion: kept(promotion),
                drop: kept(drop),
            }
        });
    }

    /// The from-square.
    #[getter(from_square)]
    fn origin(&self) -> u8 {
        self.raw().from
    }

    #[setter]
    fn set_from_square(&self, square: Field) {
        self.change(|m| m.from = square.0);
    }

    /// The to-square.
    #[getter]
    fn to_square(&self) -> u8 {
        self.raw().to
    }

    #[setter]
    fn set_to_square(&self, square: Field) {
        self.change(|m| m.to = square.0);
    }

    /// The piece type of a promotion, or `None`.
    #[getter]
    fn promotion(&self) -> Option<u8> {
        shown(self.kept().promotion)
    }

    #[setter]
    fn set_promotion(&self, promotion: Option<Field>) {
        self.change(|m| m.promotion = kept(promotion));
    }

    /// The piece type of a drop, or `None`.
    #[getter]
    fn drop(&self) -> Option<u8> {
        shown(self.kept().drop)
    }

    #[setter]
    fn set_drop(&self, drop: Option<Field>) {
        self.change(|m| m.drop = kept(drop));
    }

    /// The move in UCI notation, such as `e2e4`, `a7a8q`, `N@f3`, and `0000` for the null move.
    fn uci(&self) -> PyResult<String> {
        self.raw().uci().ok_or_else(index_error)
    }

    /// The same, except the null move, which XBoard writes as `@@@@`.
    fn xboard(&self) -> PyResult<String> {
        if self.raw().is_null() {
            return Ok("@@@@".to_owned());
        }
        self.uci()
    }

    /// Reads a move in UCI notation.
    ///
    /// Raises `InvalidMoveError` if the text is not a move.
    #[classmethod]
    fn from_uci<'py>(cls: &Bound<'py, PyType>, uci: PyText<'_>) -> PyResult<Bound<'py, PyAny>> {
        make(cls, RawMove::from_uci(&uci)?)
    }

    /// The null move, which only changes the side to move.
    #[classmethod]
    fn null<'py>(cls: &Bound<'py, PyType>) -> PyResult<Bound<'py, PyAny>> {
        make(cls, RawMove::NULL)
    }

    #[classattr]
    fn __match_args__() -> (&'static str, &'static str, &'static str, &'static str) {
        ("from_square", "to_square", "promotion", "drop")
    }

    fn __bool__(&self) -> bool {
        !self.raw().is_null()
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        Ok(format!("Move.from_uci({})", Move::shown(slf)?.repr()?))
    }

    fn __str__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Move::shown(slf)
    }

    fn __richcmp__(
        slf: &Bound<'_, Self>,
        other: &Bound<'_, PyAny>,
        op: CompareOp,
    ) -> PyResult<Py<PyAny>> {
        let py = slf.py();
        if slf.get_type_ptr() != other.get_type_ptr() {
            return Ok(py.NotImplemented());
        }
        let other = other.cast::<Move>()?;
        let equal = slf.get().kept() == other.get().kept();
        compared(py, equal, op)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.kept().hash(&mut hasher);
        hasher.finish()
    }

    #[pyo3(signature = (**changes))]
    fn __replace__<'py>(
        slf: &Bound<'py, Self>,
        changes: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let copy = slf.get_type().call1(fields(slf.get().kept()))?;
        if let Some(changes) = changes {
            set_all(&copy, changes)?;
        }
        Ok(copy)
    }

    /// A copy of the fields by name.
    #[getter(__dict__)]
    fn dict<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        fields_by_name(slf, &FIELDS)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        if !slf.is_exact_instance_of::<Move>() {
            return pickle_of_subclass(slf, &FIELDS);
        }
        (slf.get_type(), fields(slf.get().kept())).into_pyobject(slf.py())
    }

    fn __setstate__(slf: &Bound<'_, Self>, state: &Bound<'_, PyDict>) -> PyResult<()> {
        set_all(slf, state)
    }
}

/// The constructor's arguments for a move.
fn fields(m: RawMove) -> (u8, u8, Option<u8>, Option<u8>) {
    (m.from, m.to, shown(m.promotion), shown(m.drop))
}

/// A move of a class, which may be a Python subclass.
fn make<'py>(class: &Bound<'py, PyType>, m: RawMove) -> PyResult<Bound<'py, PyAny>> {
    if class.is(class.py().get_type::<Move>()) {
        return Ok(Bound::new(class.py(), Move::of(m))?.into_any());
    }
    class.call1(fields(m))
}
