//! Which rooks may castle past the pieces of their rank.

use crate::position::castling_targets;
use crate::types::{Bitboard, Color, Square};

/// Squares of a side's first rank, where its king stands, from which a rook castles: nothing stands
/// on those that either passes or reaches, by the rules of Chess960, but king and rook themselves.
/// In standard chess, they are the rooks that the king sees.
#[inline(always)]
pub(super) fn free_rooks(us: Color, king: Square, occupied: Bitboard) -> Bitboard {
    let rank = 8 * us.backrank().index();
    let on_rank = (occupied.0 >> rank) & 0xff;
    Bitboard(u64::from(FREE[king.file().index()][on_rank as usize]) << rank)
}

/// The files of such rooks, by the king's file and the files where pieces stand.
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
    let path = stretch(king, king_to.index()) | stretch(rook, rook_to.index());
    path & !(1 << king | 1 << rook)
}

/// The files from one to another, both included.
const fn stretch(one: usize, other: usize) -> usize {
    let (low, high) = if one < other {
        (one, other)
    } else {
        (other, one)
    };
    (2 << high) - (1 << low)
}
