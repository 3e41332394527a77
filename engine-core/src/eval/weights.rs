//! The numbers of the evaluation, learned from games that Mola played against itself.
//!
//! `weights.bin` holds pairs of 16-bit little-endian integers, middlegame before endgame, in
//! centipawns: the right to move, then one pair for each feature of a [`View`](super::View).
//! `mola tune` writes it; the file `weights.md` beside it tells how it was made.

use super::view::FEATURES;
use std::ops::{Add, AddAssign, Neg, Sub, SubAssign};

/// A middlegame and an endgame value in one number, so that one addition does both.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Tapered(i32);

impl Tapered {
    const fn new(middlegame: i16, endgame: i16) -> Tapered {
        Tapered(((endgame as i32) << 16).wrapping_add(middlegame as i32))
    }

    /// The value with all material on the board.
    #[inline(always)]
    pub(super) const fn middlegame(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The value with hardly any.
    #[inline(always)]
    pub(super) const fn endgame(self) -> i32 {
        // Undoes the borrow of a negative low half.
        (self.0.wrapping_add(0x8000) >> 16) as i16 as i32
    }
}

// Positions that no game leads to may overflow; their value is then odd, but never a panic.

impl Add for Tapered {
    type Output = Tapered;

    #[inline(always)]
    fn add(self, other: Tapered) -> Tapered {
        Tapered(self.0.wrapping_add(other.0))
    }
}

impl Sub for Tapered {
    type Output = Tapered;

    #[inline(always)]
    fn sub(self, other: Tapered) -> Tapered {
        Tapered(self.0.wrapping_sub(other.0))
    }
}

impl Neg for Tapered {
    type Output = Tapered;

    #[inline(always)]
    fn neg(self) -> Tapered {
        Tapered(self.0.wrapping_neg())
    }
}

impl AddAssign for Tapered {
    #[inline(always)]
    fn add_assign(&mut self, other: Tapered) {
        *self = *self + other;
    }
}

impl SubAssign for Tapered {
    #[inline(always)]
    fn sub_assign(&mut self, other: Tapered) {
        *self = *self - other;
    }
}

/// How much each role counts towards the middlegame.
pub(super) const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];
/// The sum at the start.
pub(super) const TOTAL_PHASE: i32 = 24;

const FILE: &[u8] = include_bytes!("weights.bin");

/// What the right to move is worth.
pub(super) const TEMPO: Tapered = pair(0);

/// The weight of each feature.
pub(super) static WEIGHTS: [Tapered; FEATURES] = {
    let pairs = FILE.len() / 4 - 1;
    let mut table = [Tapered(0); FEATURES];
    let mut feature = 0;
    while feature < FEATURES {
        // A file of fewer tables is repeated, so that a finer view can be built and then trained.
        table[feature] = pair(1 + feature % pairs);
        feature += 1;
    }
    table
};

const fn pair(number: usize) -> Tapered {
    let at = 4 * number;
    Tapered::new(
        i16::from_le_bytes([FILE[at], FILE[at + 1]]),
        i16::from_le_bytes([FILE[at + 2], FILE[at + 3]]),
    )
}
