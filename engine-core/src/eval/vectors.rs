//! Piece-square vectors: what pieces are worth together.
//!
//! Each piece on each square, seen from a king, adds a vector to that side's sums, as it adds one
//! number to the sum of the tables. The sums go through a squared clipped rectifier (`SCReLU`) and
//! are weighed by the outputs of the bucket of the position's number of pieces:
//!
//! value = clip((bias + Σ own\[k\] · s(sum\[k\]) + Σ opponent\[k\] · s(opponent's sum\[k\])) /
//! [`OUTPUT_UNIT`], ±limit)
//!
//! with s(x) = min(max(x, 0), 255)². Everything is an integer, so that the value is the same on
//! every processor: this is a layer of an efficiently updatable network
//! (<https://www.chessprogramming.org/NNUE>) on top of the tables. A sum of 255 stands for 1, an
//! output of 64 for 400 centipawns.
//!
//! Nothing overflows: a sum has one vector for each of 64 squares at most, so that it stays within
//! 64 · [`WEIGHT_MAX`] + [`BIAS_MAX`] < 2¹⁵; a rectified sum times its output within 255 ·
//! [`OUTPUT_MAX`] < 2¹⁵; and all of them within 2 · [`WIDTH`] · 255² · [`OUTPUT_MAX`] plus the
//! output's bias < 2³¹.

use std::array::from_fn;
use wide::{i16x16, i32x8};

/// Numbers in a vector.
pub const WIDTH: usize = 128;
/// The sum that stands for 1, where the rectifier clips.
const ONE: i16 = 255;
/// The largest number of a feature's vector.
pub const WEIGHT_MAX: i16 = 500;
/// The largest bias of a sum.
pub const BIAS_MAX: i16 = 767;
/// The largest output weight.
pub const OUTPUT_MAX: i16 = 127;
/// The most that vectors may add, in centipawns.
pub const LIMIT_MAX: i32 = 2000;
/// A centipawn in units of the output: 255² · 64 / 400.
pub const OUTPUT_UNIT: i32 = 10_404;

const _: () = {
    let (one, width) = (ONE as i64, WIDTH as i64);
    assert!(64 * WEIGHT_MAX as i64 + BIAS_MAX as i64 <= i16::MAX as i64);
    assert!(one * OUTPUT_MAX as i64 <= i16::MAX as i64);
    let bias = LIMIT_MAX as i64 * OUTPUT_UNIT as i64;
    assert!(2 * width * one * one * OUTPUT_MAX as i64 + bias <= i32::MAX as i64);
};

/// Outputs by the number of pieces.
pub const OUTPUT_BUCKETS: usize = 8;

/// The output bucket of a position with this many pieces. More than 32, as in Horde, share the buckets of
/// 32 fewer.
pub fn output_bucket(pieces: usize) -> usize {
    (pieces.max(1) - 1) / 4 % OUTPUT_BUCKETS
}

/// Piece-square vectors, as in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VectorsFile {
    /// The width: numbers in a vector.
    pub width: usize,
    /// The vector of each feature, one after the other, in 255ths.
    pub features: Vec<i16>,
    /// The bias of each sum, in 255ths.
    pub bias: Vec<i16>,
    /// For each output bucket the output weights of the own sums, then of the opponent's, in 64ths.
    pub outputs: Vec<i16>,
    /// By output bucket, in [`OUTPUT_UNIT`]ths of a centipawn.
    pub output_bias: Vec<i32>,
    /// The limit of what the vectors add, in centipawns.
    pub limit: i32,
}

/// A vector of a feature, or sums of vectors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub(super) struct Vector([i16; WIDTH]);

impl Vector {
    pub(super) const ZERO: Vector = Vector([0; WIDTH]);

    /// Narrower vectors are filled with zeros.
    fn read(values: &[i16]) -> Vector {
        let mut values = values.iter();
        Vector(from_fn(|_| values.next().copied().unwrap_or(0)))
    }

    #[inline(always)]
    pub(super) fn add(&mut self, other: &Vector) {
        for (sum, value) in self.0.iter_mut().zip(&other.0) {
            *sum = sum.wrapping_add(*value);
        }
    }

    #[inline(always)]
    pub(super) fn subtract(&mut self, other: &Vector) {
        for (sum, value) in self.0.iter_mut().zip(&other.0) {
            *sum = sum.wrapping_sub(*value);
        }
    }

    /// The sums after a move to another square.
    #[inline(always)]
    pub(super) fn moved(&self, added: &Vector, removed: &Vector) -> Vector {
        Vector(from_fn(|k| {
            self.0[k]
                .wrapping_add(added.0[k])
                .wrapping_sub(removed.0[k])
        }))
    }

    /// The sums after a capture.
    #[inline(always)]
    pub(super) fn captured(&self, added: &Vector, removed: [&Vector; 2]) -> Vector {
        let [one, two] = removed;
        Vector(from_fn(|k| {
            let moved = self.0[k].wrapping_add(added.0[k]).wrapping_sub(one.0[k]);
            moved.wrapping_sub(two.0[k])
        }))
    }

    /// The rectified sums times their outputs, in eight parts.
    #[inline(always)]
    fn weigh(&self, outputs: &Vector) -> i32x8 {
        let (sums, outputs) = (self.0.as_chunks::<16>().0, outputs.0.as_chunks::<16>().0);
        let mut total = i32x8::ZERO;
        for (&sums, &outputs) in sums.iter().zip(outputs) {
            let rectified = i16x16::new(sums).max(i16x16::ZERO).min(i16x16::splat(ONE));
            total += rectified.dot(rectified * i16x16::new(outputs));
        }
        total
    }
}

/// The vectors of a variant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Vectors {
    features: Box<[Vector]>,
    pub(super) bias: Vector,
    /// By output bucket: for the own sums, and for the opponent's.
    outputs: [[Vector; 2]; OUTPUT_BUCKETS],
    output_bias: [i32; OUTPUT_BUCKETS],
    limit: i32,
}

impl Vectors {
    /// The vectors of a checked file.
    pub(super) fn new(file: &VectorsFile) -> Vectors {
        let width = file.width;
        let output = |at: usize| Vector::read(file.outputs.chunks(width).nth(at).unwrap_or(&[]));
        Vectors {
            features: file.features.chunks(width).map(Vector::read).collect(),
            bias: Vector::read(&file.bias),
            outputs: from_fn(|bucket| [output(2 * bucket), output(2 * bucket + 1)]),
            output_bias: from_fn(|bucket| file.output_bias.get(bucket).copied().unwrap_or(0)),
            limit: file.limit,
        }
    }

    /// The vector of a feature.
    #[inline(always)]
    pub(super) fn feature(&self, row: usize) -> &Vector {
        &self.features[row]
    }

    /// What the sums of both sides are worth for the side to move, in centipawns.
    #[inline(always)]
    pub(super) fn value(&self, own: &Vector, opponent: &Vector, pieces: usize) -> i32 {
        self.clip(self.unclipped(own, opponent, pieces))
    }

    /// The value clipped to the limit.
    #[inline(always)]
    pub(super) fn clip(&self, value: i32) -> i32 {
        value.clamp(-self.limit, self.limit)
    }

    /// The same without the limit.
    #[inline(always)]
    pub(super) fn unclipped(&self, own: &Vector, opponent: &Vector, pieces: usize) -> i32 {
        let bucket = output_bucket(pieces);
        let [own_outputs, opponent_outputs] = &self.outputs[bucket];
        let total = own.weigh(own_outputs) + opponent.weigh(opponent_outputs);
        let sum = total.reduce_add() + self.output_bias[bucket];
        sum / OUTPUT_UNIT
    }
}
