//! Files of weights.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `MolaEval` |
//! | 1, 1 | the version of the format, 3, or 2 without threats; the number of the variant |
//! | 2, 2, 2 | tables; width of the vectors, 0 without vectors; rows of vectors (little-endian) |
//!
//! Then integers, each as a variable-length quantity, as most are small: zigzag (0, -1, 1, -2, …) in
//! groups of seven bits, the low ones first, all but the last with the high bit set
//! (<https://protobuf.dev/programming-guides/encoding/#signed-ints>).
//!
//! | integers | content |
//! |---|---|
//! | 2 | the tempo bonus in centipawns, middlegame and endgame |
//! | 2 for each of 32 | version 3: what the [threats](super::threats()) are worth to the side to move, likewise |
//! | 2 for each weight | tables of [`WeightsLayout::table_size`] such pairs |
//!
//! With vectors there follow, `width` being N:
//!
//! | integers | content |
//! |---|---|
//! | 1 | the limit of what the vectors add, in centipawns |
//! | N | the bias of each sum, in 255ths |
//! | N for each row | the vector of each feature, in 255ths |
//! | N, N for each output bucket | output weights of the own and of the opponent's sums, in 64ths |
//! | 1 for each output bucket | its bias, in [`OUTPUT_UNIT`]ths of a centipawn |
//!
//! The last 8 bytes are the FNV-1a hash of all before.

use super::perspective::WeightsLayout;
use super::threats::THREATS;
use super::vectors::{
    BIAS_MAX, LIMIT_MAX, OUTPUT_BUCKETS, OUTPUT_MAX, OUTPUT_UNIT, VectorsFile, WEIGHT_MAX, WIDTH,
};
use crate::Variant;
use fnv::FnvHasher;
use std::fmt;
use std::hash::Hasher;

const MAGIC: &[u8; 8] = b"MolaEval";
const VERSION: u8 = 3;
/// The version of files without threats.
const WITHOUT_THREATS: u8 = 2;

/// The weights of a variant, as in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WeightsFile {
    /// The variant that they are for.
    pub variant: Variant,
    /// The bonus of the side to move, middlegame and endgame, in centipawns.
    pub tempo: [i16; 2],
    /// What each threat of [`threats`](super::threats()) is worth to the side to move, in the same way;
    /// empty if the evaluation is to do without them.
    pub threats: Vec<[i16; 2]>,
    /// By feature, see [`Perspective`](super::Perspective): middlegame and endgame, in centipawns.
    pub tables: Vec<[i16; 2]>,
    /// The vectors, if there are any.
    pub vectors: Option<VectorsFile>,
}

/// Why a file of weights cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WeightsError {
    /// It does not begin with the magic bytes.
    NotWeights,
    /// It has another version of the format.
    Version(u8),
    /// Its hash is wrong: it is truncated or damaged.
    Damaged,
    /// Its tables or vectors are not those of the variant.
    Shape(Variant),
    /// Weights of the vectors or outputs are so large that their sums could overflow.
    TooLarge(&'static str),
}

impl fmt::Display for WeightsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WeightsError::NotWeights => f.write_str("not a weights file"),
            WeightsError::Version(version) => {
                write!(
                    f,
                    "weights of version {version}; this program reads versions {WITHOUT_THREATS} to {VERSION}"
                )
            }
            WeightsError::Damaged => f.write_str("the weights are damaged or truncated"),
            WeightsError::Shape(variant) => {
                write!(
                    f,
                    "the shape of the tables or vectors is not that of {variant} in this program"
                )
            }
            WeightsError::TooLarge(what) => write!(
                f,
                "the weights of the {what} are so large that the evaluation could overflow"
            ),
        }
    }
}

impl std::error::Error for WeightsError {}

impl WeightsFile {
    /// Checks the shape, and that no sum of the vectors can overflow. Those of the tables, threats
    /// and tempo cannot: they have 32 bits for at most 161 numbers of 16.
    ///
    /// # Errors
    /// When the weights are not of the variant's shape or too large.
    pub fn check(&self) -> Result<(), WeightsError> {
        let layout = WeightsLayout::of(self.variant);
        let wrong_shape = Err(WeightsError::Shape(self.variant));
        if self.tables.len() != layout.tables() * layout.table_size()
            || ![0, THREATS].contains(&self.threats.len())
        {
            return wrong_shape;
        }
        let Some(vectors) = &self.vectors else {
            return Ok(());
        };
        let width = vectors.width;
        if !(1..=WIDTH).contains(&width)
            || vectors.features.len() != layout.vector_rows() * width
            || vectors.bias.len() != width
            || vectors.outputs.len() != OUTPUT_BUCKETS * 2 * width
            || vectors.output_bias.len() != OUTPUT_BUCKETS
        {
            return wrong_shape;
        }
        let fits =
            |values: &[i16], most: i16| values.iter().all(|value| value.abs_diff(0) <= most as u16);
        if !fits(&vectors.features, WEIGHT_MAX) || !fits(&vectors.bias, BIAS_MAX) {
            return Err(WeightsError::TooLarge("vectors"));
        }
        let limits = 0..=LIMIT_MAX;
        let bias_max = (LIMIT_MAX * OUTPUT_UNIT) as u32;
        if !fits(&vectors.outputs, OUTPUT_MAX)
            || vectors
                .output_bias
                .iter()
                .any(|bias| bias.unsigned_abs() > bias_max)
            || !limits.contains(&vectors.limit)
        {
            return Err(WeightsError::TooLarge("outputs"));
        }
        Ok(())
    }

    /// The bytes of the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let width = self.vectors.as_ref().map_or(0, |vectors| vectors.width);
        let rows = self
            .vectors
            .as_ref()
            .map_or(0, |vectors| vectors.features.len() / width.max(1));
        let table_size = WeightsLayout::of(self.variant).table_size();
        let mut bytes = MAGIC.to_vec();
        let version = if self.threats.is_empty() {
            WITHOUT_THREATS
        } else {
            VERSION
        };
        bytes.extend([version, self.variant as u8]);
        for count in [self.tables.len() / table_size, width, rows] {
            bytes.extend((count as u16).to_le_bytes());
        }
        let mut push = |value: i32| push_integer(&mut bytes, value);
        let pairs = std::iter::once(&self.tempo).chain(&self.threats);
        let pairs = pairs.chain(&self.tables).flatten();
        pairs.for_each(|&value| push(value.into()));
        if let Some(vectors) = &self.vectors {
            push(vectors.limit);
            let parts = [&vectors.bias, &vectors.features, &vectors.outputs];
            parts
                .into_iter()
                .flatten()
                .for_each(|&value| push(value.into()));
            vectors.output_bias.iter().for_each(|&bias| push(bias));
        }
        bytes.extend(hash(&bytes).to_le_bytes());
        bytes
    }

    /// Reads and checks the bytes of a file.
    ///
    /// # Errors
    /// When the bytes are not weights, damaged, or cannot be used.
    pub fn from_bytes(bytes: &[u8]) -> Result<WeightsFile, WeightsError> {
        let Some(([version, variant], rest)) = bytes
            .strip_prefix(MAGIC)
            .and_then(|rest| rest.split_first_chunk())
        else {
            return Err(WeightsError::NotWeights);
        };
        if !(WITHOUT_THREATS..=VERSION).contains(version) {
            return Err(WeightsError::Version(*version));
        }
        let whole = bytes.split_last_chunk::<8>();
        if whole.is_none_or(|(body, hashed)| hash(body).to_le_bytes() != *hashed) {
            return Err(WeightsError::Damaged);
        }
        let variant = Variant::all().find(|&known| known as u8 == *variant);
        let body = rest.split_last_chunk::<8>().map(|(body, _)| body);
        let (Some(variant), Some(rest)) = (variant, body) else {
            return Err(WeightsError::Damaged);
        };
        let threats = if *version == WITHOUT_THREATS {
            0
        } else {
            THREATS
        };
        let file = WeightsReader { rest }.weights(variant, threats);
        let file = file.ok_or(WeightsError::Damaged)?;
        file.check()?;
        Ok(file)
    }
}

/// Adds a variable-length integer.
fn push_integer(bytes: &mut Vec<u8>, value: i32) {
    push_unsigned(bytes, ((value << 1) ^ (value >> 31)) as u32);
}

/// The same without a sign.
pub(super) fn push_unsigned(bytes: &mut Vec<u8>, mut rest: u32) {
    while rest >= 0x80 {
        bytes.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    bytes.push(rest as u8);
}

/// FNV-1a, 64 bits (<https://datatracker.ietf.org/doc/draft-eastlake-fnv/>).
fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = FnvHasher::default();
    hasher.write(bytes);
    hasher.finish()
}

/// The bytes left to read.
struct WeightsReader<'a> {
    rest: &'a [u8],
}

impl WeightsReader<'_> {
    fn count(&mut self) -> Option<usize> {
        let (two, rest) = self.rest.split_first_chunk()?;
        self.rest = rest;
        Some(u16::from_le_bytes(*two).into())
    }

    /// A variable-length integer.
    fn integer(&mut self) -> Option<i32> {
        let mut value: u32 = 0;
        for group in 0..5 {
            let (&byte, rest) = self.rest.split_first()?;
            self.rest = rest;
            value |= u32::from(byte & 0x7F).checked_shl(7 * group)?;
            if byte < 0x80 {
                return Some((value >> 1) as i32 ^ -((value & 1) as i32));
            }
        }
        None
    }

    /// This many integers, each of at least one byte.
    fn integers(&mut self, count: usize) -> Option<Vec<i16>> {
        if count > self.rest.len() {
            return None;
        }
        let integers = (0..count).map(|_| self.integer()?.try_into().ok());
        integers.collect()
    }

    /// This many pairs.
    fn pairs(&mut self, count: usize) -> Option<Vec<[i16; 2]>> {
        Some(self.integers(2 * count)?.as_chunks().0.to_vec())
    }

    fn weights(mut self, variant: Variant, threats: usize) -> Option<WeightsFile> {
        let [tables, width, rows] = [self.count()?, self.count()?, self.count()?];
        let tempo = self.integers(2)?.try_into().ok()?;
        let threats = self.pairs(threats)?;
        let tables = self.pairs(tables * WeightsLayout::of(variant).table_size())?;
        let vectors = if width == 0 {
            None
        } else {
            Some(VectorsFile {
                width,
                limit: self.integer()?,
                bias: self.integers(width)?,
                features: self.integers(rows * width)?,
                outputs: self.integers(OUTPUT_BUCKETS * 2 * width)?,
                output_bias: (0..OUTPUT_BUCKETS)
                    .map(|_| self.integer())
                    .collect::<Option<_>>()?,
            })
        };
        self.rest.is_empty().then_some(WeightsFile {
            variant,
            tempo,
            threats,
            tables,
            vectors,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::TABLE_SIZE;

    fn small() -> WeightsFile {
        let rows = WeightsLayout::of(Variant::Atomic).vector_rows();
        WeightsFile {
            variant: Variant::Atomic,
            tempo: [-3, 4],
            threats: (0..THREATS as i16).map(|at| [at, 5 - at]).collect(),
            tables: (0..TABLE_SIZE as i16)
                .map(|weight| [weight, -weight])
                .collect(),
            vectors: Some(VectorsFile {
                width: 2,
                features: (0..2 * rows as i16).map(|at| at % 500).collect(),
                bias: vec![5, -6],
                outputs: (0..4 * OUTPUT_BUCKETS as i16).collect(),
                output_bias: vec![-7; OUTPUT_BUCKETS],
                limit: 800,
            }),
        }
    }

    #[test]
    fn bytes_and_back() {
        let mut file = small();
        assert_eq!(WeightsFile::from_bytes(&file.to_bytes()), Ok(file.clone()));
        file.vectors = None;
        assert_eq!(WeightsFile::from_bytes(&file.to_bytes()), Ok(file.clone()));
        file.threats.clear();
        assert_eq!(WeightsFile::from_bytes(&file.to_bytes()), Ok(file));
    }

    #[test]
    fn broken_files_are_refused() {
        let bytes = small().to_bytes();
        for end in 0..bytes.len() {
            assert!(
                WeightsFile::from_bytes(&bytes[..end]).is_err(),
                "{end} bytes"
            );
        }
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x40;
            assert!(WeightsFile::from_bytes(&damaged).is_err(), "byte {at}");
        }
        assert_eq!(
            WeightsFile::from_bytes(b"something else"),
            Err(WeightsError::NotWeights)
        );
        let error = WeightsFile::from_bytes(&bytes[..100]).unwrap_err();
        assert_eq!(error.to_string(), "the weights are damaged or truncated");
    }

    #[test]
    fn integers_and_back() {
        let integers = [0, -1, 1, 63, -64, 64, 8191, -8193, i32::MAX, i32::MIN];
        let mut bytes = Vec::new();
        for integer in integers {
            push_integer(&mut bytes, integer);
        }
        let mut reader = WeightsReader { rest: &bytes };
        assert_eq!(integers.map(|_| reader.integer()), integers.map(Some));
        assert_eq!(reader.integer(), None);
        assert_eq!(WeightsReader { rest: &[0xFF; 9] }.integer(), None);
    }

    #[test]
    fn weights_that_could_overflow_are_refused() {
        let refused = |change: fn(&mut VectorsFile)| {
            let mut file = small();
            change(file.vectors.as_mut().expect("vectors"));
            assert!(WeightsFile::from_bytes(&file.to_bytes()).is_err());
        };
        refused(|vectors| vectors.features[9] = -WEIGHT_MAX - 1);
        refused(|vectors| vectors.bias[0] = i16::MIN);
        refused(|vectors| vectors.outputs[3] = OUTPUT_MAX + 1);
        refused(|vectors| vectors.output_bias[0] = i32::MIN);
        refused(|vectors| vectors.limit = LIMIT_MAX + 1);
        refused(|vectors| vectors.limit = -1);
    }
}
