//! The symmetries of the board.

use engine_core::{Bitboard, Square};

/// A turn or mirroring of the board: mirror the files, flip the ranks, then transpose about the
/// diagonal a1 h8, or some of these.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Symmetry {
    pub(super) mirror: bool,
    pub(super) flip: bool,
    pub(super) transpose: bool,
}

impl Symmetry {
    /// Where a square comes to lie.
    #[inline]
    pub(super) fn square(self, square: Square) -> Square {
        let mut index = square.index();
        if self.mirror {
            index ^= 0b000_111;
        }
        if self.flip {
            index ^= 0b111_000;
        }
        if self.transpose {
            index = index >> 3 | (index & 0b111) << 3;
        }
        Square::from_index_masked(index)
    }

    /// The set that comes to lie on these squares.
    #[inline]
    pub(super) fn undo(self, set: Bitboard) -> Bitboard {
        let mut bits = set.0;
        if self.transpose {
            bits = transpose(bits);
        }
        if self.flip {
            bits = bits.swap_bytes();
        }
        if self.mirror {
            bits = bits.reverse_bits().swap_bytes();
        }
        Bitboard(bits)
    }
}

/// Swaps rows and columns by exchanging ever smaller blocks (Hacker's Delight, section 7-3).
fn transpose(bits: u64) -> u64 {
    let exchange = |bits: u64, shift: u32, mask: u64| {
        let different = (bits ^ (bits >> shift)) & mask;
        bits ^ different ^ (different << shift)
    };
    let bits = exchange(bits, 28, 0x0000_0000_f0f0_f0f0);
    let bits = exchange(bits, 14, 0x0000_cccc_0000_cccc);
    exchange(bits, 7, 0x00aa_00aa_00aa_00aa)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_turn_as_their_squares_do() {
        for bits in 0..8 {
            let symmetry = Symmetry {
                mirror: bits & 1 != 0,
                flip: bits & 2 != 0,
                transpose: bits & 4 != 0,
            };
            for square in Bitboard::FULL {
                let turned = symmetry.square(square).bitboard();
                assert_eq!(symmetry.undo(turned), square.bitboard(), "{symmetry:?}");
            }
        }
    }
}
