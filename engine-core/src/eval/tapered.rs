//! A middlegame and an endgame value in one.

use std::ops::{Add, AddAssign, Neg, Sub, SubAssign};

/// A middlegame and an endgame value packed into one integer, so that one addition does both
/// (the "score" of Stockfish and others).
///
/// The halves have 32 bits: in 16, the usual size, some 25 queens overflow, and a FEN can have
/// more. No sum of 16-bit weights overflows: there are at most 64 from the tables of each side, 32
/// from the threats, and the tempo.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Tapered(i64);

impl Tapered {
    pub(super) const fn new(middlegame: i16, endgame: i16) -> Tapered {
        Tapered(((endgame as i64) << 32) + middlegame as i64)
    }

    /// The value with all material on the board.
    #[inline(always)]
    pub(super) const fn middlegame(self) -> i32 {
        self.0 as i32
    }

    /// The value in a bare endgame.
    #[inline(always)]
    pub(super) const fn endgame(self) -> i32 {
        // Undoes the borrow of a negative low half.
        (self.0.wrapping_add(1 << 31) >> 32) as i32
    }
}

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

/// The phase from which on a position is pure middlegame: that of the start position in standard chess.
pub(super) const TOTAL_PHASE: i32 = 24;

/// Interpolates between middlegame and endgame by phase.
#[inline(always)]
pub(super) fn taper(value: Tapered, phase: i32) -> i32 {
    // Promotions and the start position of Horde exceed it.
    let phase = phase.min(TOTAL_PHASE);
    (value.middlegame() * phase + value.endgame() * (TOTAL_PHASE - phase)) / TOTAL_PHASE
}
