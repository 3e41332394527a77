//! A folder that goes again if nothing came into it.

use super::make_folder;
use super::unfinished::Unfinished;
use crate::error::Result;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A folder for files to come. Dropped, or when a signal ends the program, it removes what it made,
/// as far as that is empty.
pub struct MadeFolder {
    /// The folders that were not there, the innermost first.
    made: Arc<Vec<PathBuf>>,
    // Held for its `Drop`.
    _unfinished: Unfinished,
}

impl MadeFolder {
    /// Makes the folder and those above it, where they are not.
    ///
    /// # Errors
    /// When it cannot be made; the message names it.
    pub fn new(folder: &Path) -> Result<MadeFolder> {
        let is_new = |path: &&Path| !path.as_os_str().is_empty() && !path.exists();
        let made = folder.ancestors().take_while(is_new).map(PathBuf::from);
        let made = Arc::new(made.collect::<Vec<_>>());
        let of_signal = Arc::clone(&made);
        let make = || make_folder(folder).inspect_err(|_| remove(&made));
        let ((), unfinished) = Unfinished::opened(make, move || remove(&of_signal))?;
        Ok(MadeFolder {
            made,
            _unfinished: unfinished,
        })
    }
}

impl Drop for MadeFolder {
    fn drop(&mut self) {
        remove(&self.made);
    }
}

/// Removes these folders; one with a file cannot be removed.
fn remove(folders: &[PathBuf]) {
    let _ = folders.iter().try_for_each(fs::remove_dir);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_empty_and_new_goes() {
        let above = tempfile::tempdir().unwrap();
        let folder = above.path().join("a/b");
        drop(MadeFolder::new(&folder).unwrap());
        assert!(!above.path().join("a").exists());
        assert!(above.path().exists());

        let made = MadeFolder::new(&folder).unwrap();
        fs::write(folder.join("file"), "").unwrap();
        drop(made);
        assert!(folder.join("file").exists());

        let inner = folder.join("c");
        drop(MadeFolder::new(&inner).unwrap());
        assert!(!inner.exists() && folder.exists());
        fs::create_dir(&inner).unwrap();
        drop(MadeFolder::new(&inner).unwrap());
        assert!(inner.exists());
    }
}
