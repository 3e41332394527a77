//! The weights of the evaluation that the options ask for.

use crate::options::{OptionId, Options};
use common::error_text::of_system;
use engine_core::Variant;
use engine_core::eval::Weights;
use std::fs::{self, File};
use std::io::{self, Read};
use std::sync::Arc;

/// Weights that were loaded instead of the built-in ones.
#[derive(Default)]
pub(crate) struct LoadedWeights {
    weights: Option<Arc<Weights>>,
}

/// The largest file that is looked at, many times what any weights take.
const MAX_FILE_SIZE: u64 = 64 << 20;

impl LoadedWeights {
    /// Loads a file and gives its weights; an empty name goes back to the built-in ones. Those
    /// before stay if the file cannot be used.
    ///
    /// # Errors
    /// Says why the file cannot be used.
    pub(crate) fn load(&mut self, name: &str) -> Result<Option<&Weights>, String> {
        self.weights = if name.is_empty() {
            None
        } else {
            Some(Arc::new(read(name)?))
        };
        Ok(self.weights.as_deref())
    }

    /// The weights to evaluate a variant with.
    pub(crate) fn of(&self, variant: Variant, options: &Options) -> Arc<Weights> {
        let tables_alone = options.text(OptionId::Evaluation) == "Tables";
        let loaded = self.weights.as_ref().filter(|loaded| {
            loaded.variant() == variant && !(tables_alone && loaded.has_vectors())
        });
        let built_in = || {
            if tables_alone {
                Weights::built_in_tables(variant)
            } else {
                Weights::built_in(variant)
            }
        };
        Arc::clone(loaded.unwrap_or_else(built_in))
    }
}

fn read(name: &str) -> Result<Weights, String> {
    let cannot_read =
        |error: io::Error| format!("cannot read weights {name}: {}", of_system(&error));
    require_file(name).map_err(cannot_read)?;
    let mut bytes = Vec::new();
    let read = File::open(name).and_then(|file| file.take(MAX_FILE_SIZE).read_to_end(&mut bytes));
    read.map_err(cannot_read)?;
    Weights::from_bytes(&bytes).map_err(|error| format!("{name}: {error}"))
}

/// Refuses what is no file: reading a pipe or a device may never end, or never begin.
fn require_file(name: &str) -> io::Result<()> {
    if fs::metadata(name)?.is_file() {
        Ok(())
    } else {
        Err(io::Error::other("not a file"))
    }
}
