//! The lock of a file that is replaced, not written.

use super::same_file::leads_to;
use super::temporary::{lock_of, remove_abandoned};
use super::{folder_of, lock_for};
use crate::error::Result;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// The lock of a file that is replaced, not written, so that it cannot be locked itself: a temporary
/// file beside it, which goes when this is dropped, or as those that a killed program has left.
#[derive(Debug)]
pub struct LockFile {
    path: PathBuf,
    _file: File,
}

impl LockFile {
    /// Locks a file, which need not exist.
    ///
    /// # Errors
    /// When another program holds it, or there can be no file beside it.
    pub fn of(path: &Path) -> Result<LockFile> {
        let name = lock_of(path);
        remove_abandoned(folder_of(path));
        loop {
            let file = lock_for(&name, path)?;
            // Who held it before may have removed it after it was opened here.
            if leads_to(&name, &file) {
                return Ok(LockFile {
                    path: name,
                    _file: file,
                });
            }
        }
    }
}

impl Drop for LockFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::is_temporary;

    #[test]
    fn one_program_holds_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state");
        for _ in 0..2 {
            let held = LockFile::of(&path).unwrap();
            let error = LockFile::of(&path).unwrap_err().to_string();
            let wanted = format!("{}: another program is writing to it", path.display());
            assert_eq!(error, wanted);
            drop(held);
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        }
        assert!(LockFile::of(&folder.path().join("none/state")).is_err());
        let _held = LockFile::of(&path).unwrap();
        let names = fs::read_dir(folder.path()).unwrap();
        let names: Vec<_> = names.map(|entry| entry.unwrap().file_name()).collect();
        assert!(names.iter().all(|name| is_temporary(name)) && names.len() == 1);
    }
}
