//! `mola.chess.svg`: pictures of boards.

use crate::chess::base_board::BaseBoard;
use crate::chess::pieces::Piece;
use diagram::{Arrow, Diagram};
use engine_core::{Bitboard, Board, Color, Role, Square};
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use python_chess::svg::{COLORS, Picture, parts};

/// Fills the module `svg`.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(board, module)?)?;
    module.add_function(wrap_pyfunction!(piece, module)?)?;
    module.add_function(wrap_pyfunction!(coordinate, module)?)?;
    module.add("XX", parts::CROSS)?;
    module.add("CHECK_GRADIENT", parts::CHECK_GRADIENT)?;
    module.add("DEFAULT_COLORS", COLORS)
}

/// An integer that may be the index of a square.
struct SquareIndex(Option<Square>);

impl<'py> FromPyObject<'_, 'py> for SquareIndex {
    type Error = PyErr;

    fn extract(index: Borrowed<'_, 'py, PyAny>) -> PyResult<SquareIndex> {
        match index.extract::<i64>() {
            Ok(index) => {
                let index = usize::try_from(index).ok();
                Ok(SquareIndex(index.and_then(Square::from_index)))
            }
            Err(error) if error.is_instance_of::<PyOverflowError>(index.py()) => {
                Ok(SquareIndex(None))
            }
            Err(error) => Err(error),
        }
    }
}

/// The image of a board. Invalid squares are ignored.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "those of python-chess")]
#[expect(clippy::needless_pass_by_value, reason = "arguments of Python")]
fn board(
    board: Option<PyRef<'_, BaseBoard>>,
    is_white: bool,
    last_move: Vec<SquareIndex>,
    check: Option<SquareIndex>,
    arrows: Vec<(SquareIndex, SquareIndex, String)>,
    fill: Vec<(SquareIndex, String)>,
    crosses: u64,
    size: Option<String>,
    coordinates: bool,
    colors: Vec<(String, String)>,
    borders: bool,
    style: Option<String>,
) -> String {
    let pieces = board
        .as_ref()
        .map_or(Board::EMPTY, |board| board.state.pieces.board());
    let mut diagram = Diagram::new(&pieces);
    diagram.orientation = Color::from_white(is_white);
    diagram.last_move = last_move.into_iter().filter_map(|place| place.0).collect();
    diagram.check = check.and_then(|place| place.0);
    diagram.arrows = arrows
        .into_iter()
        .filter_map(|(tail, head, color)| {
            let (tail, head) = (tail.0?, head.0?);
            Some(Arrow { tail, head, color })
        })
        .collect();
    diagram.fill = fill
        .into_iter()
        .filter_map(|(filled, color)| Some((filled.0?, color)))
        .collect();
    diagram.crosses = Bitboard(crosses);
    diagram.style = style.filter(|style| !style.is_empty());
    let picture = Picture {
        diagram: &diagram,
        size,
        has_board: board.is_some(),
        coordinates,
        borders,
        colors,
    };
    picture.svg()
}

/// A piece as a group of shapes, with its name as `id`.
#[pyfunction]
fn piece(piece: &Bound<'_, Piece>) -> String {
    let piece = piece.get();
    let (piece_type, color) = piece.parts();
    let role = Role::from_index(usize::from(piece_type).wrapping_sub(1)).unwrap_or(Role::Pawn);
    parts::piece(role.of(Color::from_white(color)))
}

/// The name of a file or rank as a path in a square.
#[pyfunction]
fn coordinate(name: &str) -> String {
    parts::coordinate(name)
}
