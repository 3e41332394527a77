//! Factorised weights: those of each bucket are common ones plus a delta, so that rare buckets
//! learn from frequent ones. Source: the virtual features of nnue-pytorch
//! (<https://github.com/official-stockfish/nnue-pytorch/blob/master/docs/nnue.md>, "Feature
//! factorization").

#![cfg_attr(
    not(test),
    expect(
        clippy::indexing_slicing,
        reason = "sizes follow from the shapes of the layers"
    )
)]

/// A matrix with a slice of `width` weights for every row and bucket.
#[derive(Clone, Debug)]
pub(super) struct Weights {
    pub(super) shape: Shape,
    /// The weights common to all buckets.
    pub(super) common: Learned,
    /// The difference of each bucket from the common weights; stays zero if there is only one bucket.
    pub(super) deltas: Learned,
    /// The sums of both, which the model computes with.
    pub(super) sums: Vec<f32>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub(super) rows: usize,
    pub(super) buckets: usize,
    pub(super) width: usize,
    /// The largest absolute value that can be written.
    pub(super) bound: f32,
}

impl Shape {
    /// The number of weights.
    pub(super) fn size(self) -> usize {
        self.rows * self.buckets * self.width
    }

    /// The index of the first weight of a row and bucket.
    #[inline(always)]
    pub(super) fn at(self, row: usize, bucket: usize) -> usize {
        (row * self.buckets + bucket) * self.width
    }
}

/// Weights with the moments of their gradients, which Adam needs (Kingma and Ba 2015).
#[derive(Clone, Debug)]
pub(super) struct Learned {
    pub(super) values: Vec<f32>,
    /// The moving mean of the gradients.
    pub(super) first_moment: Vec<f32>,
    /// The moving mean of their squares.
    pub(super) second_moment: Vec<f32>,
}

impl Learned {
    fn new(values: Vec<f32>) -> Learned {
        Learned {
            first_moment: vec![0.0; values.len()],
            second_moment: vec![0.0; values.len()],
            values,
        }
    }
}

impl Weights {
    /// The same weights in every bucket.
    pub(super) fn uniform(shape: Shape, mut value: impl FnMut(usize) -> f32) -> Weights {
        let common = (0..shape.rows * shape.width).map(&mut value).collect();
        let mut weights = Weights {
            shape,
            common: Learned::new(common),
            deltas: Learned::new(vec![0.0; shape.size()]),
            sums: vec![0.0; shape.size()],
        };
        weights.add_up();
        weights
    }

    /// The weights whose value for a row, bucket and column is given: the common part is the mean.
    pub(super) fn given(shape: Shape, value: impl Fn(usize, usize, usize) -> f32) -> Weights {
        let mean = |at: usize| {
            let sum = |bucket| value(at / shape.width, bucket, at % shape.width);
            (0..shape.buckets).map(sum).sum::<f32>() / shape.buckets as f32
        };
        let mut weights = Weights::uniform(shape, mean);
        for (at, delta) in weights.deltas.values.iter_mut().enumerate() {
            let (slice, column) = (at / shape.width, at % shape.width);
            let (row, bucket) = (slice / shape.buckets, slice % shape.buckets);
            *delta = value(row, bucket, column) - weights.common.values[row * shape.width + column];
        }
        weights.add_up();
        weights
    }

    /// Multiplies all weights.
    pub(super) fn scale(&mut self, factor: f32) {
        let values = self.common.values.iter_mut();
        for value in values.chain(&mut self.deltas.values) {
            *value *= factor;
        }
        self.add_up();
    }

    fn add_up(&mut self) {
        let Shape { buckets, width, .. } = self.shape;
        for (at, (sum, delta)) in self.sums.iter_mut().zip(&self.deltas.values).enumerate() {
            let row = at / (width * buckets);
            *sum = delta + self.common.values[row * width + at % width];
        }
    }
}
