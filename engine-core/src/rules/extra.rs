//! The state that variants add to a position.

use super::Pockets;
use crate::{Bitboard, Color, Setup};
use core::fmt::Debug;
use core::hash::Hash;

/// The state that a variant adds to a position.
pub trait Extra: Copy + Debug + Default + Eq + Hash + Send + Sync {
    /// Its part of the Zobrist key; 0 if the variant adds nothing.
    fn key(&self) -> u64;
    /// Reads it from a setup.
    fn of(setup: &Setup) -> Self;
    /// Writes it into a setup.
    fn write(&self, setup: &mut Setup);

    /// The pieces in hand; none in a variant without drops.
    #[inline(always)]
    fn pockets(&self) -> Pockets {
        Pockets::default()
    }

    /// The checks that a side must still give, in a variant that counts them.
    #[inline(always)]
    fn remaining_checks(&self, _color: Color) -> u8 {
        3
    }

    /// The promoted pieces, in variants where that matters.
    #[inline(always)]
    fn promoted(&self) -> Bitboard {
        Bitboard::EMPTY
    }
}

/// No state, as in standard chess.
impl Extra for () {
    #[inline(always)]
    fn key(&self) -> u64 {
        0
    }

    fn of(_: &Setup) {}

    fn write(&self, _: &mut Setup) {}
}
