//! The weights of the evaluation, learned from self-play.
//!
//! Each variant has a built-in [file](super::file) of them. `mola tune` writes such files; the
//! files `weights.md` beside them describe the training.

use super::file::{WeightsError, WeightsFile};
use super::rules::EvalRules;
use super::tapered::Tapered;
use super::threats::{THREATS, threats};
use super::vectors::Vectors;
use crate::types::{Bitboard, Color};
use crate::{AnyPosition, Board, Position, Variant, dispatch};
use std::fmt;
use std::sync::{Arc, OnceLock};

/// The weights of a variant, ready for use.
#[derive(Clone, PartialEq, Eq)]
pub struct Weights {
    variant: Variant,
    /// The hash of the file.
    hash: u64,
    /// The bonus of the side to move.
    pub(super) tempo: Tapered,
    /// What the threats are worth to the side to move, if they are evaluated.
    pub(super) threats: Option<[Tapered; THREATS]>,
    /// By the index of the feature.
    pub(super) tables: Box<[Tapered]>,
    pub(super) vectors: Option<Vectors>,
}

impl Weights {
    /// The built-in weights of a variant.
    pub fn built_in(variant: Variant) -> &'static Arc<Weights> {
        static WEIGHTS: BuiltIn = [const { OnceLock::new() }; Variant::COUNT];
        let [file, _] = files_of(variant);
        included(&WEIGHTS, variant, file)
    }

    /// These weights if they are of a variant, else the built-in ones: the features of another are not its.
    pub(crate) fn or_built_in(given: Option<&Arc<Weights>>, variant: Variant) -> &Arc<Weights> {
        given
            .filter(|weights| weights.variant() == variant)
            .unwrap_or_else(|| Weights::built_in(variant))
    }

    /// The built-in weights without vectors: tables trained for use alone.
    pub fn built_in_tables(variant: Variant) -> &'static Arc<Weights> {
        static TABLES: BuiltIn = [const { OnceLock::new() }; Variant::COUNT];
        let [_, file] = files_of(variant);
        included(&TABLES, variant, file)
    }

    /// The weights in the bytes of a file.
    ///
    /// # Errors
    /// When the bytes are not weights, damaged, or cannot be used.
    pub fn from_bytes(bytes: &[u8]) -> Result<Weights, WeightsError> {
        let file = WeightsFile::from_bytes(bytes)?;
        Ok(Weights::of(&file, bytes))
    }

    /// The weights of a checked file and its bytes.
    fn of(file: &WeightsFile, bytes: &[u8]) -> Weights {
        let pair = |&[middlegame, endgame]: &[i16; 2]| Tapered::new(middlegame, endgame);
        Weights {
            variant: file.variant,
            hash: bytes
                .last_chunk()
                .map_or(0, |&hash| u64::from_le_bytes(hash)),
            tempo: pair(&file.tempo),
            threats: file
                .threats
                .first_chunk()
                .map(|pairs| pairs.each_ref().map(pair)),
            tables: file.tables.iter().map(pair).collect(),
            vectors: file.vectors.as_ref().map(Vectors::new),
        }
    }

    /// The variant that they are for.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// The hash of their file, which identifies them.
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// What the threats on a board are worth to the side to move.
    #[inline(always)]
    pub(super) fn threats(&self, board: &Board, turn: Color) -> Tapered {
        let mut sum = Tapered::default();
        if let Some(worth) = &self.threats {
            for threat in Bitboard(threats(board, turn).into()) {
                sum += worth[threat.index()];
            }
        }
        sum
    }

    /// Whether there are vectors beside the tables.
    pub fn has_vectors(&self) -> bool {
        self.vectors.is_some()
    }
}

impl fmt::Debug for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut fields = f.debug_struct("Weights");
        fields.field("variant", &self.variant);
        fields.field("has_vectors", &self.has_vectors());
        fields.finish_non_exhaustive()
    }
}

/// By variant, read on first use.
type BuiltIn = [OnceLock<Arc<Weights>>; Variant::COUNT];

fn included(read: &'static BuiltIn, variant: Variant, bytes: &[u8]) -> &'static Arc<Weights> {
    read[variant as usize].get_or_init(|| {
        #[cfg(feature = "packed")]
        let bytes = &super::packed::unpack(bytes).unwrap_or_default();
        let Ok(file) = WeightsFile::from_bytes(bytes) else {
            unreachable!("the tests read all files that are included");
        };
        // Variants may share a file.
        Arc::new(Weights::of(&WeightsFile { variant, ..file }, bytes))
    })
}

/// The files of a variant: with vectors, if there are any, and tables alone.
fn files_of(variant: Variant) -> [&'static [u8]; 2] {
    fn files<R: EvalRules>(_: &Position<R>) -> [&'static [u8]; 2] {
        [R::WEIGHTS, R::TABLES]
    }
    dispatch!(&AnyPosition::start(variant), |start| files(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_built_in_weights_can_be_used() {
        for variant in Variant::all() {
            assert_eq!(Weights::built_in(variant).variant(), variant);
            assert!(!Weights::built_in_tables(variant).has_vectors());
        }
    }
}
