//! What a position of a variant holds beyond one of standard chess.

use super::Pockets;
use crate::{Bitboard, Color, Setup};
use std::fmt::Debug;
use std::hash::Hash;

/// What a position of a variant holds beyond one of standard chess.
pub trait Extra: Copy + Debug + Default + Eq + Hash + Send + Sync {
    /// Its part of the Zobrist key; none for nothing.
    fn key(&self) -> u64;
    /// What a setup says of it.
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

    /// Pieces that were pawns, as far as the variant needs to know.
    #[inline(always)]
    fn promoted(&self) -> Bitboard {
        Bitboard::EMPTY
    }
}

/// Nothing, as in standard chess.
impl Extra for () {
    #[inline(always)]
    fn key(&self) -> u64 {
        0
    }

    fn of(_: &Setup) {}

    fn write(&self, _: &mut Setup) {}
}
