//! The evaluation with real numbers: tapered tables and threats, and vectors of piece-square sums whose
//! activations are weighed by the outputs.

#![cfg_attr(
    not(test),
    expect(
        clippy::indexing_slicing,
        reason = "sizes follow from the shapes of the layers"
    )
)]

use super::features::{Positions, Seen};
use super::layers::Layers;
use super::units::{
    OUTPUT_BIAS_UNIT, OUTPUT_UNIT, SCALE, VECTOR_UNIT, largest_bias, largest_output, largest_vector,
};
use super::weights::{Shape, Weights};
use common::random::Random;
use engine_core::eval::{
    LIMIT_MAX, OUTPUT_BUCKETS, TABLE_SIZE, THREATS, VectorsFile, WeightsFile, WeightsLayout,
};
use engine_core::{Role, Variant};

/// The weights, with what is fixed.
#[derive(Clone, Debug)]
pub(super) struct Model {
    pub(super) variant: Variant,
    /// Numbers in a vector; without any, there are tables alone.
    pub(super) width: usize,
    /// The most that the vectors add to the tables or take from them, in centipawns.
    pub(super) limit: f32,
    pub(super) layers: Layers<Weights>,
}

/// Centipawns by role: where learning starts from.
const MATERIAL: [f32; 6] = [100.0, 300.0, 300.0, 500.0, 900.0, 0.0];
/// The same in Antichess, where pieces are to be lost.
const LIABILITIES: [f32; 6] = [-50.0; 6];

/// The shapes of the layers.
fn shapes(variant: Variant, width: usize) -> Layers<Shape> {
    let layout = WeightsLayout::of(variant);
    let size = layout.table_size();
    let vectors = layout.vector_rows() / size;
    let shape = |rows, buckets, width, bound| Shape {
        rows,
        buckets,
        width,
        bound,
    };
    let output_bias = usize::from(width > 0);
    Layers {
        tables: shape(size, layout.tables(), 2, 10_000.0),
        tempo: shape(1, 1, 2, 1000.0),
        threats: shape(0, 1, 2, 1000.0),
        vectors: shape(size, vectors, width, largest_vector()),
        bias: shape(1, 1, width, largest_bias()),
        outputs: shape(1, OUTPUT_BUCKETS, 2 * width, largest_output()),
        // Whatever the limit, the bias alone may reach it.
        output_bias: shape(1, OUTPUT_BUCKETS, output_bias, LIMIT_MAX as f32 / SCALE),
    }
}

impl Model {
    /// Plain material, of which each perspective has half, and random vectors.
    pub(super) fn material(variant: Variant, width: usize, limit: f32, seed: u64) -> Model {
        let material = match variant {
            Variant::Suicide | Variant::Giveaway | Variant::Antichess => LIABILITIES,
            _ => MATERIAL,
        };
        let value = |at: usize| {
            let feature = at / 2;
            if feature >= TABLE_SIZE {
                return 0.0;
            }
            let value = material[feature / 64 % 6] / 2.0;
            if feature < TABLE_SIZE / 2 {
                value
            } else {
                -value
            }
        };
        let mut random = Random::new(seed, 1);
        let shapes = shapes(variant, width);
        let mut any = |shape: Shape, largest: f32| {
            let mut draw = |_| (random.draw() >> 40) as f32 / (1 << 23) as f32 - 1.0;
            Weights::uniform(shape, |at| largest * draw(at))
        };
        // A sum of the vectors of all pieces shall be about as large as the activation's range.
        let vectors = any(shapes.vectors, 1.0 / 32_f32.sqrt());
        let bias = any(shapes.bias, 1.0 / 32_f32.sqrt());
        let outputs = any(shapes.outputs, 0.5 / (2.0 * width as f32).sqrt());
        Model {
            variant,
            width,
            limit,
            layers: Layers {
                tables: Weights::uniform(shapes.tables, value),
                tempo: Weights::uniform(shapes.tempo, |_| 0.0),
                threats: Weights::uniform(shapes.threats, |_| 0.0),
                vectors,
                bias,
                outputs,
                output_bias: Weights::uniform(shapes.output_bias, |_| 0.0),
            },
        }
    }

    /// The same with threats, which are worth nothing at first.
    pub(super) fn with_threats(mut self) -> Model {
        let shape = Shape {
            rows: THREATS,
            ..self.layers.threats.shape
        };
        self.layers.threats = Weights::uniform(shape, |_| 0.0);
        self
    }

    /// Takes the weights of a file, of this variant or another: the tables, and the vectors unless they
    /// are wider. If they are narrower, the other numbers stay random with outputs of zero, so that
    /// values are the file's.
    pub(super) fn take(&mut self, file: &WeightsFile) {
        let shapes = shapes(self.variant, self.width);
        let size = WeightsLayout::of(file.variant).table_size();
        let layers = &mut self.layers;
        layers.tables = from_layout(&layers.tables, size, &file.tables, 1.0);
        layers.tempo = Weights::given(shapes.tempo, |_, _, column| f32::from(file.tempo[column]));
        if !file.threats.is_empty() {
            let shape = Shape {
                rows: file.threats.len(),
                ..layers.threats.shape
            };
            let worth = |row: usize, _, column: usize| f32::from(file.threats[row][column]);
            layers.threats = Weights::given(shape, worth);
        }
        let width = self.width;
        let fits = |vectors: &&VectorsFile| (1..=width).contains(&vectors.width);
        let Some(vectors) = file.vectors.as_ref().filter(fits) else {
            return;
        };
        let given = vectors.width;
        let rows: Vec<&[i16]> = vectors.features.chunks_exact(given).collect();
        layers.vectors = from_layout(&layers.vectors, size, &rows, VECTOR_UNIT);
        let random = &layers.bias.sums;
        layers.bias = Weights::given(shapes.bias, |_, _, column| {
            let bias = vectors.bias.get(column);
            bias.map_or(random[column], |&bias| f32::from(bias) / VECTOR_UNIT)
        });
        layers.outputs = Weights::given(shapes.outputs, |_, bucket, column| {
            let (side, column) = (column / width, column % width);
            if column >= given {
                return 0.0;
            }
            f32::from(vectors.outputs[(2 * bucket + side) * given + column]) / OUTPUT_UNIT
        });
        layers.output_bias = Weights::given(shapes.output_bias, |_, bucket, _| {
            vectors.output_bias[bucket] as f32 / OUTPUT_BIAS_UNIT
        });
    }

    /// Scales the tables so that pawns are worth 100 centipawns on average, which is the scale of
    /// the search's margins.
    pub(super) fn scale_to_pawn(&mut self, positions: &Positions) {
        let tables = &self.layers.tables;
        let (mut sum, mut count) = (0.0, 0.0);
        let mut room = Seen::EMPTY;
        for sample in &positions.samples {
            let middlegame = sample.middlegame();
            let seen = positions.seen(sample, &mut room);
            for (pieces, &table) in seen.into_iter().zip(&sample.tables) {
                for piece in pieces.iter().map(|&piece| usize::from(piece)) {
                    if piece / 64 % 6 != Role::Pawn.index() {
                        continue;
                    }
                    let own = if piece < TABLE_SIZE / 2 { 1.0 } else { -1.0 };
                    let at = tables.shape.at(piece, usize::from(table));
                    let [early, late] = [tables.sums[at], tables.sums[at + 1]];
                    sum += f64::from(own * (early * middlegame + late * (1.0 - middlegame)));
                    count += 0.5;
                }
            }
        }
        let scale = (100.0 * count / f64::max(sum, 1.0)) as f32;
        self.layers.tables.scale(scale);
        self.layers.tempo.scale(scale);
        self.layers.threats.scale(scale);
    }
}

/// The weights of these rows in tables of another size. Tables of another number are the mean of
/// those given; counts and columns that are not given stay as they are.
fn from_layout(layer: &Weights, size: usize, rows: &[impl AsRef<[i16]>], unit: f32) -> Weights {
    let shape = layer.shape;
    let tables = rows.len() / size;
    Weights::given(shape, |row, bucket, column| {
        let value = |table: usize| {
            let value = rows[table * size + row].as_ref().get(column)?;
            Some(f32::from(*value) / unit)
        };
        let given = if row >= TABLE_SIZE && size != shape.rows {
            None
        } else if tables == shape.buckets {
            value(bucket)
        } else {
            let sum: Option<f32> = (0..tables).map(value).sum();
            sum.map(|sum| sum / tables.max(1) as f32)
        };
        given.unwrap_or(layer.sums[shape.at(row, bucket) + column])
    })
}
