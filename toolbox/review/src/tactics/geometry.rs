//! Lines between pieces.

use engine_core::{Bitboard, Board, Role, Square, attacks};

/// What a bishop, rook or queen attacks; nothing for others.
fn slides(role: Role, square: Square, occupied: Bitboard) -> Bitboard {
    match role {
        Role::Bishop => attacks::bishop(square, occupied),
        Role::Rook => attacks::rook(square, occupied),
        Role::Queen => attacks::queen(square, occupied),
        _ => Bitboard::EMPTY,
    }
}

/// The piece that a slider on a square would attack if the one on `through` were not there.
pub(super) fn behind(board: &Board, slider: Square, through: Square) -> Option<Square> {
    let role = board.role_at(slider)?;
    let occupied = board.occupied();
    let seen = slides(role, slider, occupied);
    if !seen.has(through) {
        return None;
    }
    let without = occupied ^ through.bitboard();
    ((slides(role, slider, without) - seen) & occupied).first()
}

/// What a slider attacks that it did not before a piece left `from`.
pub(super) fn uncovered(before: &Board, after: &Board, slider: Square, from: Square) -> Bitboard {
    let Some(role) = after.role_at(slider) else {
        return Bitboard::EMPTY;
    };
    let was = slides(role, slider, before.occupied());
    if !was.has(from) {
        return Bitboard::EMPTY;
    }
    slides(role, slider, after.occupied()) - was
}
