//! The weights of the evaluation, learned from games that Mola played against itself.
//!
//! Each variant's are a [file](super::file) that the program includes. `mola tune` writes them; the
//! files `weights.md` beside them describe how they were made.

use super::file::{WeightsError, WeightsFile};
use super::rules::EvalRules;
use super::tapered::Tapered;
use super::vectors::Vectors;
use crate::{AnyPosition, Position, Variant, dispatch};
use std::sync::{Arc, OnceLock};

/// The weights of a variant, ready for use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weights {
    variant: Variant,
    /// The bonus of the side to move.
    pub(super) tempo: Tapered,
    /// By the index of the feature.
    pub(super) tables: Box<[Tapered]>,
    pub(super) vectors: Option<Vectors>,
}

impl Weights {
    /// The weights that the program includes for a variant.
    pub fn built_in(variant: Variant) -> &'static Arc<Weights> {
        static BUILT_IN: [OnceLock<Arc<Weights>>; Variant::COUNT] =
            [const { OnceLock::new() }; Variant::COUNT];
        fn file<R: EvalRules>(_: &Position<R>) -> &'static [u8] {
            R::WEIGHTS
        }
        BUILT_IN[variant as usize].get_or_init(|| {
            let file = dispatch!(&AnyPosition::start(variant), |start| file(start));
            let Ok(file) = WeightsFile::from_bytes(file) else {
                unreachable!("the tests read all files that are included");
            };
            Arc::new(Weights::of(&WeightsFile { variant, ..file }))
        })
    }

    /// The weights in the bytes of a file.
    ///
    /// # Errors
    /// When the bytes are no weights, damaged, or cannot be used.
    pub fn from_bytes(bytes: &[u8]) -> Result<Weights, WeightsError> {
        Ok(Weights::of(&WeightsFile::from_bytes(bytes)?))
    }

    /// The weights of a checked file.
    fn of(file: &WeightsFile) -> Weights {
        let pair = |&[middlegame, endgame]: &[i16; 2]| Tapered::new(middlegame, endgame);
        Weights {
            variant: file.variant,
            tempo: pair(&file.tempo),
            tables: file.tables.iter().map(pair).collect(),
            vectors: file.vectors.as_ref().map(Vectors::new),
        }
    }

    /// The variant that they are for.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// Whether there are vectors beside the tables.
    pub fn has_vectors(&self) -> bool {
        self.vectors.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_built_in_weights_can_be_used() {
        for variant in Variant::all() {
            assert_eq!(Weights::built_in(variant).variant(), variant);
        }
    }
}
