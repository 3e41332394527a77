//! Attack sets of sliders, line by line, by obstruction difference
//! (<https://www.chessprogramming.org/Obstruction_Difference>): subtracting the nearest blocker below
//! a square from those above borrows through to the nearest above.

use super::rays::{BISHOP_STEPS, ROOK_STEPS, walk};
use crate::types::{Bitboard, Square};

/// The two lines of a rook or a bishop through each square.
pub(super) struct LineMasks([[LineMask; 2]; 64]);

/// A line through a square, less the square itself.
#[derive(Clone, Copy)]
struct LineMask {
    /// Its squares before that square.
    below: u64,
    /// Those after it.
    above: u64,
}

pub(super) static ROOK: LineMasks = LineMasks::new(ROOK_STEPS);
pub(super) static BISHOP: LineMasks = LineMasks::new(BISHOP_STEPS);

impl LineMasks {
    /// The lines of steps, where `steps[i]` and `steps[i + 2]` are opposite.
    const fn new(steps: [(i8, i8); 4]) -> LineMasks {
        let mut lines = [[LineMask::EMPTY; 2]; 64];
        let mut square = 0;
        while square < 64 {
            lines[square] = [
                LineMask::new(square, &[steps[0], steps[2]]),
                LineMask::new(square, &[steps[1], steps[3]]),
            ];
            square += 1;
        }
        LineMasks(lines)
    }

    /// The attack set for this occupancy.
    #[inline(always)]
    pub(super) const fn attacks(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let [one, other] = self.0[square.index()];
        Bitboard(one.attacks(occupied.0) | other.attacks(occupied.0))
    }
}

impl LineMask {
    const EMPTY: LineMask = LineMask { below: 0, above: 0 };

    const fn new(square: usize, steps: &[(i8, i8)]) -> LineMask {
        let line = walk(Square::ALL[square], steps, 0).0;
        let before = (1 << square) - 1;
        LineMask {
            below: line & before,
            above: line & !before,
        }
    }

    #[inline(always)]
    const fn attacks(self, occupied: u64) -> u64 {
        // Without a blocker below, the first square of the board is one.
        let below = occupied & self.below | 1;
        let above = occupied & self.above;
        let nearest = 1 << 63 >> below.leading_zeros();
        (self.below | self.above) & (above ^ above.wrapping_sub(nearest))
    }
}
