//! The rays of sliders, walked step by step: what all tables are made from.

use crate::types::{Bitboard, Square};

/// The steps of a rook, in files and ranks.
pub(super) const ROOK_STEPS: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
/// The steps of a bishop.
pub(super) const BISHOP_STEPS: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];

/// Walks each ray to the first piece or the edge.
pub(super) const fn walk(square: Square, steps: &[(i8, i8)], occupied: u64) -> Bitboard {
    let mut set = 0;
    let mut i = 0;
    while i < steps.len() {
        let mut at = square;
        while let Some(next) = at.offset(steps[i].0, steps[i].1) {
            set |= next.bitboard().0;
            if occupied & next.bitboard().0 != 0 {
                break;
            }
            at = next;
        }
        i += 1;
    }
    Bitboard(set)
}
