//! The weights as integers, and how they lie in a file.

use common::error::{Error, Result};
use engine_core::Variant;
use engine_core::eval::TABLE_SIZE;

/// The weights of the evaluation of a variant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct WeightsFile {
    pub(super) variant: Variant,
    /// The bonus of the side to move, in centipawns: middlegame and endgame.
    pub(super) tempo: [i16; 2],
    /// The same for each feature.
    pub(super) tables: Vec<[i16; 2]>,
    pub(super) vectors: Option<VectorWeights>,
}

/// The weights of the vectors.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct VectorWeights {
    /// Numbers in a vector.
    pub(super) width: usize,
    /// A vector for each feature, in 1/255.
    pub(super) features: Vec<i16>,
    /// What the sums start from, in 1/255.
    pub(super) bias: Vec<i16>,
    /// For each output bucket the side to move's, then the opponent's, in 1/64.
    pub(super) outputs: Vec<i16>,
    /// For each output bucket, in 1/10404 centipawn.
    pub(super) output_bias: Vec<i32>,
    /// The most that the vectors add, in centipawns.
    pub(super) limit: i32,
}

const MAGIC: &[u8; 8] = b"MolaVec0";

impl WeightsFile {
    /// As written to a file.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let pairs = std::iter::once(&self.tempo).chain(&self.tables).flatten();
        let mut bytes: Vec<u8> = pairs.flat_map(|value| value.to_le_bytes()).collect();
        let Some(vectors) = &self.vectors else {
            return bytes;
        };
        let sizes = [self.tables.len(), vectors.width, vectors.features.len()];
        let sizes = sizes.iter().flat_map(|&size| (size as u32).to_le_bytes());
        let mut whole: Vec<u8> = MAGIC.iter().copied().chain(sizes).collect();
        whole.extend(vectors.limit.to_le_bytes());
        whole.append(&mut bytes);
        let short = vectors.features.iter();
        let short = short.chain(&vectors.bias).chain(&vectors.outputs);
        whole.extend(short.flat_map(|value| value.to_le_bytes()));
        let long = vectors.output_bias.iter();
        whole.extend(long.flat_map(|value| value.to_le_bytes()));
        whole
    }

    /// As read from a file.
    pub(super) fn from_bytes(variant: Variant, bytes: &[u8]) -> Result<WeightsFile> {
        let wrong = || Error::Message("not a file of weights".to_owned());
        let mut from = Bytes(bytes);
        if !bytes.starts_with(MAGIC) {
            let pairs = bytes.len() / 4;
            let tables = pairs
                .checked_sub(1)
                .filter(|tables| tables % TABLE_SIZE == 0);
            let tables = tables.filter(|&tables| tables > 0 && bytes.len().is_multiple_of(4));
            return from
                .file(variant, tables.ok_or_else(wrong)?)
                .ok_or_else(wrong);
        }
        from.0 = from.0.get(MAGIC.len()..).unwrap_or_default();
        let read = |from: &mut Bytes| {
            let [tables, width, features] = [from.long()?, from.long()?, from.long()?];
            let [tables, width, features] = [tables, width, features].map(|size| size as usize);
            let limit = from.long()?;
            if tables == 0 || features == 0 || features % (width.max(1) * TABLE_SIZE) != 0 {
                return None;
            }
            let mut file = from.file(variant, tables)?;
            let outputs = super::layers::OUTPUT_BUCKETS;
            file.vectors = Some(VectorWeights {
                width,
                features: from.shorts(features)?,
                bias: from.shorts(width)?,
                outputs: from.shorts(2 * width * outputs)?,
                output_bias: (0..outputs).map(|_| from.long()).collect::<Option<_>>()?,
                limit,
            });
            Some(file)
        };
        read(&mut from)
            .filter(|_| from.0.is_empty())
            .ok_or_else(wrong)
    }
}

/// Bytes that are read from the start.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn long(&mut self) -> Option<i32> {
        let (bytes, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(i32::from_le_bytes(*bytes))
    }

    fn shorts(&mut self, count: usize) -> Option<Vec<i16>> {
        let (bytes, rest) = self.0.split_at_checked(count.checked_mul(2)?)?;
        self.0 = rest;
        let (pairs, _) = bytes.as_chunks();
        Some(pairs.iter().map(|&pair| i16::from_le_bytes(pair)).collect())
    }

    /// The tempo bonus and so many tapered weights.
    fn file(&mut self, variant: Variant, tables: usize) -> Option<WeightsFile> {
        let pairs = self.shorts(tables.checked_add(1)?.checked_mul(2)?)?;
        let (pairs, _) = pairs.as_chunks();
        let (&tempo, tables) = pairs.split_first()?;
        Some(WeightsFile {
            variant,
            tempo,
            tables: tables.to_vec(),
            vectors: None,
        })
    }
}
