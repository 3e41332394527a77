//! The lock of a file that is replaced, not written.

use super::same_file::{leads_to, resolved};
use super::temporary::{lock_of, remove_abandoned};
use super::unfinished::Unfinished;
use super::{folder_of, lock_for};
use crate::error::Result;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// The lock of a file that is replaced, not written, so that it cannot be locked itself: a temporary
/// file beside it, which goes when this is dropped, or as those that a killed program has left.
pub struct LockFile {
    path: PathBuf,
    _file: File,
    // Held for its `Drop`.
    _unfinished: Unfinished,
}

impl LockFile {
    /// Locks a file, which need not exist.
    ///
    /// # Errors
    /// When another program holds it, or there can be no file beside it.
    pub fn of(path: &Path) -> Result<LockFile> {
        // That of a link is the one of the file that will be replaced.
        let name = lock_of(&resolved(path));
        remove_abandoned(folder_of(&name));
        loop {
            let ending = {
                let name = name.clone();
                move || drop(fs::remove_file(&name))
            };
            let (file, unfinished) = Unfinished::opened(|| lock_for(&name, path), ending)?;
            // Who held it before may have removed it after it was opened here.
            if leads_to(&name, &file) {
                return Ok(LockFile {
                    path: name,
                    _file: file,
                    _unfinished: unfinished,
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

    #[cfg(unix)]
    #[test]
    fn a_link_is_held_with_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("state"), folder.path().join("link"));
        fs::write(&path, "").unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        let _held = LockFile::of(&path).unwrap();
        assert!(LockFile::of(&link).is_err());
    }

    #[test]
    fn one_program_holds_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state");
        for _ in 0..2 {
            let held = LockFile::of(&path).unwrap();
            let error = LockFile::of(&path).err().unwrap().to_string();
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
