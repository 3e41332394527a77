//! The squares that moves lead to, as the mouse and the cursor know them.

use engine_core::{AnyPosition, Bitboard, Move, Square};

/// Moves from one square to another, or drops onto a square. The target of castling is where the king
/// ends, or its rook.
pub(super) fn moves_to(position: &AnyPosition, from: Option<Square>, to: Square) -> Vec<Move> {
    let moves = position.legal_moves().into_iter();
    let own = moves.filter(|m| match from {
        Some(from) => !m.is_drop() && m.from() == from,
        None => m.is_drop(),
    });
    let mut moves: Vec<Move> = own.filter(|&m| m.to() == to || arrival(m) == to).collect();
    // If a rook stands where the king can end, the king's move is meant.
    if moves.len() > 1 && moves.iter().any(|m| m.is_castle() && arrival(*m) == to) {
        moves.retain(|&m| arrival(m) == to);
    }
    moves
}

/// The target squares of the piece on a square.
pub(super) fn targets(position: &AnyPosition, from: Square) -> Bitboard {
    let moves = position.legal_moves().into_iter();
    let own = moves.filter(|m| !m.is_drop() && m.from() == from);
    own.map(arrival).collect()
}

fn arrival(m: Move) -> Square {
    let [_, to] = m.marked_squares();
    to
}
