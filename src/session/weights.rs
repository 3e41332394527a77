//! The weights of the evaluation that the options ask for.

use crate::options::{OptionId, Options};
use engine_core::Variant;
use engine_core::eval::Weights;
use std::fs::File;
use std::io::Read;
use std::sync::Arc;

/// Weights that were loaded instead of the built-in ones.
#[derive(Default)]
pub(crate) struct LoadedWeights {
    weights: Option<Arc<Weights>>,
}

/// The largest file that is looked at, many times what any weights take.
const LARGEST: u64 = 64 << 20;

impl LoadedWeights {
    /// Loads a file; an empty name goes back to the built-in weights. Those before stay if the file
    /// cannot be used.
    ///
    /// # Errors
    /// Says why the file cannot be used.
    pub(crate) fn load(&mut self, name: &str) -> Result<(), String> {
        if name.is_empty() {
            self.weights = None;
            return Ok(());
        }
        let mut bytes = Vec::new();
        let read = File::open(name).and_then(|file| file.take(LARGEST).read_to_end(&mut bytes));
        read.map_err(|error| format!("cannot read weights {name}: {error}"))?;
        let weights = Weights::from_bytes(&bytes).map_err(|error| format!("{name}: {error}"))?;
        self.weights = Some(Arc::new(weights));
        Ok(())
    }

    /// The weights to evaluate a variant with.
    pub(crate) fn of(&self, variant: Variant, options: &Options) -> Arc<Weights> {
        if options.text(OptionId::Evaluation) == "Tables" {
            return Arc::clone(Weights::built_in_tables(variant));
        }
        let loaded = self.weights.as_ref();
        let loaded = loaded.filter(|weights| weights.variant() == variant);
        Arc::clone(loaded.unwrap_or_else(|| Weights::built_in(variant)))
    }
}
