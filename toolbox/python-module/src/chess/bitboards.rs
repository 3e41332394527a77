//! Functions of bitboards as plain integers.

use super::arguments::{Mask, SquareArgument};
use super::square_set::{SquareSet, Subsets, in_between, on_line, squares};
use engine_core::{Bitboard, Square, attacks};
use pyo3::prelude::*;
use pyo3::types::PyIterator;

/// Adds the functions to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(between, module)?)?;
    module.add_function(wrap_pyfunction!(ray, module)?)?;
    module.add_function(wrap_pyfunction!(scan_forward, module)?)?;
    module.add_function(wrap_pyfunction!(scan_reversed, module)?)?;
    module.add_function(wrap_pyfunction!(carry_rippler, module)?)?;
    module.add_function(wrap_pyfunction!(flip_vertical, module)?)?;
    module.add_function(wrap_pyfunction!(flip_horizontal, module)?)?;
    module.add_function(wrap_pyfunction!(flip_diagonal, module)?)?;
    module.add_function(wrap_pyfunction!(flip_anti_diagonal, module)?)?;
    module.add_function(wrap_pyfunction!(square_distance, module)?)?;
    module.add_function(wrap_pyfunction!(rook_attacks, module)?)?;
    module.add_function(wrap_pyfunction!(bishop_attacks, module)?)?;
    module.add_function(wrap_pyfunction!(knight_attacks, module)?)?;
    module.add_function(wrap_pyfunction!(king_attacks, module)?)?;
    module.add_function(wrap_pyfunction!(pawn_attacks, module)?)
}

fn square_of(square: SquareArgument) -> Square {
    Square::from_index_masked(usize::from(square.0))
}

/// The squares between two others on a rank, file or diagonal.
#[pyfunction]
fn between(a: SquareArgument, b: SquareArgument) -> u64 {
    in_between(a.0, b.0)
}

/// All squares of the rank, file or diagonal through two squares; 0 if there is none.
#[pyfunction]
fn ray(a: SquareArgument, b: SquareArgument) -> u64 {
    on_line(a.0, b.0)
}

/// Iterates over the squares of a set from a1 to h8.
#[pyfunction]
fn scan_forward(py: Python<'_>, bb: Mask) -> PyResult<Bound<'_, PyIterator>> {
    squares(py, bb.0, false)
}

/// Iterates over the squares of a set from h8 to a1.
#[pyfunction]
fn scan_reversed(py: Python<'_>, bb: Mask) -> PyResult<Bound<'_, PyIterator>> {
    squares(py, bb.0, true)
}

/// Iterates over all subsets of a set.
#[pyfunction]
fn carry_rippler(mask: Mask) -> Subsets {
    Subsets::of(mask.0)
}

/// A set flipped: an integer, or a set of squares if it was one.
fn flipped<'py>(set: &Bound<'py, PyAny>, flip: fn(u64) -> u64) -> PyResult<Bound<'py, PyAny>> {
    let (py, flipped) = (set.py(), flip(set.extract::<Mask>()?.0));
    if set.is_instance_of::<SquareSet>() {
        return Ok(Bound::new(py, SquareSet::of(flipped))?.into_any());
    }
    Ok(flipped.into_pyobject(py)?.into_any())
}

/// The set mirrored vertically.
#[pyfunction]
fn flip_vertical<'py>(bb: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    flipped(bb, u64::swap_bytes)
}

/// The set mirrored horizontally.
#[pyfunction]
fn flip_horizontal<'py>(bb: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    flipped(bb, |set| set.swap_bytes().reverse_bits())
}

/// The set mirrored at the diagonal from a1 to h8.
#[pyfunction]
fn flip_diagonal<'py>(bb: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    flipped(bb, |set| {
        mirrored(set, |square| square >> 3 | (square & 7) << 3)
    })
}

/// The set mirrored at the diagonal from a8 to h1.
#[pyfunction]
fn flip_anti_diagonal<'py>(bb: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    flipped(bb, |set| {
        mirrored(set, |square| 63 - (square >> 3 | (square & 7) << 3))
    })
}

fn mirrored(mask: u64, to: fn(u8) -> u8) -> u64 {
    super::state::ascending(mask).fold(0, |set, square| set | 1 << to(square))
}

/// The number of king moves between two squares (Chebyshev distance).
#[pyfunction]
fn square_distance(a: SquareArgument, b: SquareArgument) -> u8 {
    square_of(a).distance(square_of(b))
}

/// The attacks of a rook with these squares occupied.
#[pyfunction]
fn rook_attacks(square: SquareArgument, occupied: Mask) -> u64 {
    attacks::rook(square_of(square), Bitboard(occupied.0)).0
}

/// The attacks of a bishop with these squares occupied.
#[pyfunction]
fn bishop_attacks(square: SquareArgument, occupied: Mask) -> u64 {
    attacks::bishop(square_of(square), Bitboard(occupied.0)).0
}

/// The attacks of a knight.
#[pyfunction]
fn knight_attacks(square: SquareArgument) -> u64 {
    attacks::knight(square_of(square)).0
}

/// The attacks of a king.
#[pyfunction]
fn king_attacks(square: SquareArgument) -> u64 {
    attacks::king(square_of(square)).0
}

/// The attacks of a pawn.
#[pyfunction]
fn pawn_attacks(white: bool, square: SquareArgument) -> u64 {
    attacks::pawn(engine_core::Color::from_white(white), square_of(square)).0
}
