//! `mola.chess.polyglot`: keys of opening books.

use engine_core::polyglot_random;
use pyo3::prelude::*;

/// Fills the module `polyglot`.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(random_array, module)?)
}

/// The random numbers of the format.
#[pyfunction]
fn random_array() -> Vec<u64> {
    polyglot_random().to_vec()
}
