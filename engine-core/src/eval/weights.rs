//! The weights of the evaluation, learned from games that Mola played against itself.
//!
//! `weights.bin`, and for some variants a file in `variants`, holds pairs of 16-bit little-endian
//! integers, middlegame before endgame, in centipawns: the tempo bonus, then one pair for each
//! feature of a [`Perspective`](super::Perspective). `mola tune` writes them; the files
//! `weights.md` beside them describe how they were made.

use super::perspective::{FEATURES, TABLE_SIZE};
use std::ops::{Add, AddAssign, Neg, Sub, SubAssign};

/// A middlegame and an endgame value packed into one integer, so that one addition does both
/// (the "score" of Stockfish and others).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tapered(i32);

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

/// The phase of the start position: pure middlegame.
pub(super) const TOTAL_PHASE: i32 = 24;

/// The weights of a variant.
#[derive(Clone, Copy, Debug)]
pub struct Weights {
    /// The bonus of the side to move.
    pub(super) tempo: Tapered,
    /// By the index of the feature.
    pub(super) features: &'static [Tapered],
}

/// The contents of a weights file, and a static table made of them at compile time.
macro_rules! weights {
    ($($name:ident: $len:expr, $file:literal;)*) => {
        $(pub(super) const $name: Weights = {
            const FILE: &[u8] = include_bytes!($file);
            static FEATURES_OF_FILE: [Tapered; $len] = read(FILE);
            Weights {
                tempo: pair(FILE, 0),
                features: &FEATURES_OF_FILE,
            }
        };)*
    };
}

weights! {
    STANDARD: FEATURES, "weights.bin";
    ATOMIC: TABLE_SIZE, "variants/atomic.bin";
    RACING: TABLE_SIZE, "variants/racing.bin";
    LOSING: TABLE_SIZE, "variants/losing.bin";
    HORDE: 2 * TABLE_SIZE, "variants/horde.bin";
}

const fn read<const N: usize>(file: &[u8]) -> [Tapered; N] {
    let pairs = file.len() / 4 - 1;
    let mut table = [Tapered(0); N];
    let mut feature = 0;
    while feature < N {
        // A file of fewer tables is repeated: a start for training with more king buckets.
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
