//! Boards changed to fit an observation, for the case that no board of the set does: the true one
//! may have been lost when the set was sampled.

use super::packed::Packed;
use crate::actions::SenseResult;
use crate::outcome::MoveResult;
use engine_core::{Bitboard, Color, Role, Square, attacks};

/// The side to move has captured somewhere, by whichever of its pieces.
pub(super) fn after_capture(packed: &Packed, turn: Color, capture: Option<Square>) -> Vec<Packed> {
    let board = packed.board(turn);
    let Some(square) = capture else {
        let mut board = board;
        board.push(None);
        return vec![Packed::new(&board)];
    };
    let them = board.pieces().color(turn);
    let moved = |from: Square| {
        let piece = board.pieces().piece_at(from)?;
        let mut board = board.clone();
        board.set_piece(from, None);
        board.set_piece(square, Some(piece));
        board.push(None);
        Some(Packed::new(&board))
    };
    them.into_iter().filter_map(moved).collect()
}

/// A sense showed something else: it is right, and a king that it contradicts stands elsewhere.
pub(super) fn after_sense(packed: &Packed, color: Color, result: &SenseResult) -> Vec<Packed> {
    let mut board = packed.board(color);
    let mut seen = Bitboard::EMPTY;
    for &(square, piece) in result {
        board.set_piece(square, piece);
        seen |= square.bitboard();
    }
    let kings = board.pieces().pieces(!color, Role::King);
    let extra = if (kings & seen).any() {
        kings - seen
    } else {
        Bitboard::EMPTY
    };
    for king in extra {
        board.set_piece(king, None);
    }
    if kings.any() {
        return vec![Packed::new(&board)];
    }
    let lost = packed.board(color).pieces().king(!color);
    let near = lost.map_or(Bitboard::EMPTY, attacks::king) - seen - board.pieces().occupied();
    let placed = |king: Square| {
        let mut board = board.clone();
        board.set_piece(king, Some(Role::King.of(!color)));
        Packed::new(&board)
    };
    let places = if near.any() {
        near
    } else {
        !seen - board.pieces().occupied()
    };
    places.into_iter().map(placed).collect()
}

/// The player's own move ended otherwise than on this board: it is made as the arbiter said.
pub(super) fn after_move(packed: &Packed, turn: Color, result: MoveResult) -> Vec<Packed> {
    let mut board = packed.board(turn);
    if let Some(m) = result.taken {
        for square in attacks::between(m.from, m.to) {
            board.set_piece(square, None);
        }
        let captured = result.capture.filter(|_| board.capture_square(m).is_none());
        if let Some(square) = captured {
            board.set_piece(square, Some(Role::Knight.of(!turn)));
        } else if result.capture.is_none() {
            board.set_piece(m.to, None);
        }
    }
    board.push(result.taken);
    vec![Packed::new(&board)]
}
