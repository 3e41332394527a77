//! Which rooks may castle, given the pieces on the first rank.

use crate::position::castling_targets;
use crate::types::{Bitboard, Color, Square};

/// Squares of the first rank from which a rook could castle with this king: by the rules of
/// Chess960, all squares that king and rook pass or reach must be empty but for these two.
#[inline(always)]
pub(super) fn free_rooks(us: Color, king: Square, occupied: Bitboard) -> Bitboard {
    let rank = 8 * us.backrank().index();
    let on_rank = (occupied.0 >> rank) & 0xff;
    Bitboard(u64::from(FREE[king.file().index()][on_rank as usize]) << rank)
}

/// The files of such rooks, by the king's file and the occupied files.
static FREE: [[u8; 256]; 8] = {
    let mut free = [[0; 256]; 8];
    let mut index = 0;
    while index < 64 {
        let (king, rook) = (index / 8, index % 8);
        let path = path(king, rook);
        let mut occupied = 0;
        while occupied < 256 && king != rook {
            if path & occupied == 0 {
                free[king][occupied] |= 1 << rook;
            }
            occupied += 1;
        }
        index += 1;
    }
    free
};

/// The files between and beside king and rook that must be empty.
const fn path(king: usize, rook: usize) -> usize {
    let (king_to, rook_to) = castling_targets(Color::White, Square::ALL[king], Square::ALL[rook]);
    let path = span(king, king_to.index()) | span(rook, rook_to.index());
    path & !(1 << king | 1 << rook)
}

/// The files from one to another, both included.
const fn span(one: usize, other: usize) -> usize {
    let (low, high) = if one < other {
        (one, other)
    } else {
        (other, one)
    };
    (2 << high) - (1 << low)
}
