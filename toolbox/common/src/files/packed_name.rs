//! Names of packed files.

use crate::error::{Error, Result};
use std::path::Path;

/// Whether a file name's extension is that of a packed file.
pub fn is_packing(extension: &str) -> bool {
    const PACKINGS: [&str; 4] = ["gz", "zst", "bz2", "xz"];
    PACKINGS
        .iter()
        .any(|name| extension.eq_ignore_ascii_case(name))
}

/// Refuses an output with the name of a packed file, as what is written is not packed.
///
/// # Errors
/// When the name ends like that of a packed file.
pub fn refuse_packed(path: &Path) -> Result {
    let ending = path.extension().and_then(|ending| ending.to_str());
    if let Some(ending) = ending.filter(|ending| is_packing(ending)) {
        let path = path.display();
        return Err(Error::Message(format!(
            "{path}: output is not packed: leave out .{ending}, or pipe standard output through a \
             program that packs"
        )));
    }
    Ok(())
}
