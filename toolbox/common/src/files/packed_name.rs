//! Names of packed files.

use crate::error::{Error, Result};
use std::path::Path;

/// Refuses an output with the name of a packed file, as what is written is not packed.
///
/// # Errors
/// When the name ends like that of a packed file.
pub fn refuse_packed(path: &Path) -> Result {
    const PACKINGS: [&str; 4] = ["gz", "zst", "bz2", "xz"];
    let ending = path.extension().unwrap_or_default();
    if PACKINGS
        .iter()
        .any(|name| ending.eq_ignore_ascii_case(name))
    {
        let (path, ending) = (path.display(), ending.display());
        return Err(Error::Message(format!(
            "{path}: output is not packed: leave out .{ending}, or pipe standard output through a \
             program that packs"
        )));
    }
    Ok(())
}
