//! The weights of the evaluation, learned from games that Mola played against itself.
//!
//! `weights.bin`, and for some variants a file in `variants`, holds pairs of 16-bit little-endian
//! integers, middlegame before endgame, in centipawns: the tempo bonus, then one pair for each
//! feature of a [`Perspective`](super::Perspective). `mola tune` writes them; the files
//! `weights.md` beside them describe how they were made.

use super::perspective::{FEATURES, TABLE_SIZE};
use crate::rules::Variant;
use std::ops::{Add, AddAssign, Neg, Sub, SubAssign};

/// A middlegame and an endgame value packed into one integer, so that one addition does both
/// (the "score" of Stockfish and others).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Tapered(i32);

impl Tapered {
    pub(super) const fn new(middlegame: i16, endgame: i16) -> Tapered {
        Tapered(((endgame as i32) << 16).wrapping_add(middlegame as i32))
    }

    /// The value with all material on the board.
    #[inline(always)]
    pub(super) const fn middlegame(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The value in a bare endgame.
    #[inline(always)]
    pub(super) const fn endgame(self) -> i32 {
        // Undoes the borrow of a negative low half.
        (self.0.wrapping_add(0x8000) >> 16) as i16 as i32
    }
}

// Artificial positions may overflow: their value is then meaningless, but never a panic.

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

/// What each role adds to the game phase. In Horde it is the pawns that are used up.
pub(super) const fn phase(variant: Variant) -> &'static [i32; 6] {
    match variant {
        Variant::Horde => &[1, 0, 0, 0, 0, 0],
        _ => &[0, 1, 1, 2, 4, 0],
    }
}
/// The phase of the start position: pure middlegame.
pub(super) const TOTAL_PHASE: i32 = 24;

/// The weights file of a variant; variants close to standard chess share its weights.
const fn file(variant: Variant) -> &'static [u8] {
    match variant {
        Variant::Standard | Variant::KingOfTheHill | Variant::ThreeCheck | Variant::Crazyhouse => {
            include_bytes!("weights.bin")
        }
        Variant::Suicide | Variant::Giveaway | Variant::Antichess => {
            include_bytes!("variants/losing.bin")
        }
        Variant::Atomic => include_bytes!("variants/atomic.bin"),
        Variant::RacingKings => include_bytes!("variants/racing.bin"),
        Variant::Horde => include_bytes!("variants/horde.bin"),
    }
}

/// The tempo bonus of the side to move.
pub(super) const fn tempo(variant: Variant) -> Tapered {
    pair(file(variant), 0)
}

/// The weight of each feature.
pub(super) const fn weights(variant: Variant) -> &'static [Tapered] {
    match variant {
        Variant::Standard | Variant::KingOfTheHill | Variant::ThreeCheck | Variant::Crazyhouse => {
            &STANDARD
        }
        Variant::Suicide | Variant::Giveaway | Variant::Antichess => &LOSING,
        Variant::Atomic => &ATOMIC,
        Variant::RacingKings => &RACING,
        Variant::Horde => &HORDE,
    }
}

static STANDARD: [Tapered; FEATURES] = read(file(Variant::Standard));
static LOSING: [Tapered; TABLE_SIZE] = read(file(Variant::Suicide));
static ATOMIC: [Tapered; TABLE_SIZE] = read(file(Variant::Atomic));
static RACING: [Tapered; TABLE_SIZE] = read(file(Variant::RacingKings));
static HORDE: [Tapered; 2 * TABLE_SIZE] = read(file(Variant::Horde));

const fn read<const N: usize>(file: &[u8]) -> [Tapered; N] {
    let pairs = file.len() / 4 - 1;
    let mut table = [Tapered(0); N];
    let mut feature = 0;
    while feature < N {
        // A file of fewer tables is repeated, so that a finer division into king buckets can be built and then trained.
        table[feature] = pair(file, 1 + feature % pairs);
        feature += 1;
    }
    table
}

const fn pair(file: &[u8], number: usize) -> Tapered {
    let at = 4 * number;
    Tapered::new(
        i16::from_le_bytes([file[at], file[at + 1]]),
        i16::from_le_bytes([file[at + 2], file[at + 3]]),
    )
}
