//! What the move order of a node depends on.

use super::piece_to::PieceTo;
use crate::{Bitboard, CheckSquares, Move};

/// What the move order of a node depends on.
pub(super) struct OrderContext {
    pub(super) killers: [Option<Move>; 2],
    /// The moves one, two and four plies before.
    pub(super) before: [PieceTo; 3],
    /// The squares that the enemy attacks; empty in quiescence, which has few quiet moves to order.
    pub(super) threats: Bitboard,
    pub(super) checks: CheckSquares,
}
