//! Files of weights.
//!
//! All integers are little-endian.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `MolaEval` |
//! | 1, 1 | the version of the format, 1; the number of the variant |
//! | 2, 2, 2 | tables; width of the vectors, 0 without vectors; rows of vectors |
//! | 2, 2 | the tempo bonus in centipawns, middlegame and endgame |
//! | 4 for each weight | tables of [`Layout::table_size`] such pairs |
//!
//! With vectors there follow, `width` being N:
//!
//! | bytes | content |
//! |---|---|
//! | 4 | the limit of what the vectors add, in centipawns |
//! | 2 N | the bias of each sum, in 255ths |
//! | 2 N for each row | the vector of each feature, in 255ths |
//! | 2 N, 2 N for each output bucket | output weights of the own and of the opponent's sums, in 64ths |
//! | 4 for each output bucket | its bias, in [`OUTPUT_UNIT`]ths of a centipawn |
//!
//! The last 8 bytes are the FNV-1a hash of all before.

use super::perspective::Layout;
use super::vectors::{
    BIAS_MAX, LIMIT_MAX, OUTPUT_BUCKETS, OUTPUT_MAX, OUTPUT_UNIT, WEIGHT_MAX, WIDTH,
};
use crate::Variant;
use std::fmt;

const MAGIC: &[u8; 8] = b"MolaEval";
const VERSION: u8 = 1;

/// The weights of a variant as a file has them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WeightsFile {
    /// The variant that they are for.
    pub variant: Variant,
    /// The bonus of the side to move, middlegame and endgame, in centipawns.
    pub tempo: [i16; 2],
    /// By feature, see [`Perspective`](super::Perspective): middlegame and endgame, in centipawns.
    pub tables: Vec<[i16; 2]>,
    /// The vectors, if there are any.
    pub vectors: Option<VectorsFile>,
}

/// Piece-square vectors as a file has them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VectorsFile {
    /// Numbers in a vector.
    pub width: usize,
    /// The vector of each feature, one after the other, in 255ths.
    pub features: Vec<i16>,
    /// What each sum begins with, in 255ths.
    pub bias: Vec<i16>,
    /// For each output bucket the output weights of the own sums, then of the opponent's, in 64ths.
    pub outputs: Vec<i16>,
    /// By output bucket, in [`OUTPUT_UNIT`]ths of a centipawn.
    pub output_bias: Vec<i32>,
    /// What the vectors add at most, in centipawns.
    pub limit: i32,
}

/// Why a file of weights cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WeightsError {
    /// It does not begin as files of weights do.
    NotWeights,
    /// It is of another version of the format.
    Version(u8),
    /// It is cut off, or has bytes too many.
    Length {
        /// The bytes that it should have.
        expected: usize,
        /// The bytes that it has.
        found: usize,
    },
    /// Its hash is wrong.
    Damaged,
    /// Its tables or vectors are not those of the variant.
    Shape(Variant),
    /// A number is so large that sums could overflow.
    TooLarge(&'static str),
}

impl fmt::Display for WeightsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WeightsError::NotWeights => f.write_str("not a file of weights"),
            WeightsError::Version(version) => {
                write!(
                    f,
                    "weights of version {version}; this program reads version {VERSION}"
                )
            }
            WeightsError::Length { expected, found } => {
                write!(f, "weights of {found} bytes instead of {expected}")
            }
            WeightsError::Damaged => f.write_str("damaged weights: their hash is wrong"),
            WeightsError::Shape(variant) => {
                write!(
                    f,
                    "tables or vectors of another shape than those of {variant} here"
                )
            }
            WeightsError::TooLarge(what) => write!(f, "{what} that could overflow"),
        }
    }
}

impl std::error::Error for WeightsError {}

impl WeightsFile {
    /// Checks the shape, and that no sum can overflow.
    ///
    /// # Errors
    /// When the weights are not of the variant's shape or too large.
    pub fn check(&self) -> Result<(), WeightsError> {
        let layout = Layout::of(self.variant);
        let wrong_shape = Err(WeightsError::Shape(self.variant));
        if self.tables.len() != layout.tables() * layout.table_size() {
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
        let table_size = Layout::of(self.variant).table_size();
        let mut bytes = MAGIC.to_vec();
        bytes.extend([VERSION, self.variant as u8]);
        for count in [self.tables.len() / table_size, width, rows] {
            bytes.extend((count as u16).to_le_bytes());
        }
        let pairs = std::iter::once(&self.tempo).chain(&self.tables).flatten();
        bytes.extend(pairs.flat_map(|value| value.to_le_bytes()));
        if let Some(vectors) = &self.vectors {
            bytes.extend(vectors.limit.to_le_bytes());
            for part in [&vectors.bias, &vectors.features, &vectors.outputs] {
                bytes.extend(part.iter().flat_map(|value| value.to_le_bytes()));
            }
            bytes.extend(
                vectors
                    .output_bias
                    .iter()
                    .flat_map(|bias| bias.to_le_bytes()),
            );
        }
        bytes.extend(hash(&bytes).to_le_bytes());
        bytes
    }

    /// Reads and checks the bytes of a file.
    ///
    /// # Errors
    /// When the bytes are no weights, damaged, or cannot be used.
    pub fn from_bytes(bytes: &[u8]) -> Result<WeightsFile, WeightsError> {
        let mut reader = Reader { rest: bytes };
        if reader.take(8) != Some(MAGIC) {
            return Err(WeightsError::NotWeights);
        }
        let cut = || WeightsError::Length {
            expected: HEAD + HASH,
            found: bytes.len(),
        };
        let &[version, variant] = reader.take(2).ok_or_else(cut)? else {
            return Err(cut());
        };
        if version != VERSION {
            return Err(WeightsError::Version(version));
        }
        let [tables, width, rows] = reader.numbers::<3>().ok_or_else(cut)?.map(usize::from);
        let variant = Variant::all().find(|&known| known as u8 == variant);
        let table_size = Layout::of(variant.unwrap_or_default()).table_size();
        let expected = HEAD + 4 * tables * table_size + vectors_size(width, rows) + HASH;
        if bytes.len() != expected {
            let found = bytes.len();
            return Err(WeightsError::Length { expected, found });
        }
        let (body, hashed) = bytes.split_at(expected - HASH);
        let (Some(variant), true) = (variant, hash(body).to_le_bytes() == hashed) else {
            return Err(WeightsError::Damaged);
        };
        let file = reader
            .weights(variant, tables * table_size, width, rows)
            .ok_or_else(cut)?;
        file.check()?;
        Ok(file)
    }
}

/// The bytes before the tables, and of the hash.
const HEAD: usize = 8 + 2 + 6 + 4;
const HASH: usize = 8;

fn vectors_size(width: usize, rows: usize) -> usize {
    if width == 0 {
        return 0;
    }
    4 + 2 * width * (1 + rows + 2 * OUTPUT_BUCKETS) + 4 * OUTPUT_BUCKETS
}

/// FNV-1a, 64 bits (<https://datatracker.ietf.org/doc/draft-eastlake-fnv/>).
fn hash(bytes: &[u8]) -> u64 {
    let step = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

/// What is left to read.
struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        Some(taken)
    }

    fn bytes<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    fn numbers<const N: usize>(&mut self) -> Option<[u16; N]> {
        let mut numbers = [0; N];
        for number in &mut numbers {
            *number = u16::from_le_bytes(self.bytes()?);
        }
        Some(numbers)
    }

    fn integers(&mut self, count: usize) -> Option<Vec<i16>> {
        let bytes = self.take(count.checked_mul(2)?)?;
        Some(
            bytes
                .as_chunks()
                .0
                .iter()
                .map(|&two| i16::from_le_bytes(two))
                .collect(),
        )
    }

    fn pairs(&mut self, count: usize) -> Option<Vec<[i16; 2]>> {
        let values = self.integers(count.checked_mul(2)?)?;
        Some(values.as_chunks().0.to_vec())
    }

    fn weights(
        &mut self,
        variant: Variant,
        tables: usize,
        width: usize,
        rows: usize,
    ) -> Option<WeightsFile> {
        let tempo = self.pairs(1)?.pop()?;
        let tables = self.pairs(tables)?;
        let vectors = if width == 0 {
            None
        } else {
            Some(VectorsFile {
                width,
                limit: i32::from_le_bytes(self.bytes()?),
                bias: self.integers(width)?,
                features: self.integers(rows * width)?,
                outputs: self.integers(OUTPUT_BUCKETS * 2 * width)?,
                output_bias: {
                    let bytes = self.take(4 * OUTPUT_BUCKETS)?;
                    let biases = bytes.as_chunks().0.iter();
                    biases.map(|&four| i32::from_le_bytes(four)).collect()
                },
            })
        };
        Some(WeightsFile {
            variant,
            tempo,
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
        let rows = Layout::of(Variant::Atomic).vector_rows();
        WeightsFile {
            variant: Variant::Atomic,
            tempo: [-3, 4],
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
        let wanted = format!("weights of 100 bytes instead of {}", bytes.len());
        assert_eq!(error.to_string(), wanted);
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
