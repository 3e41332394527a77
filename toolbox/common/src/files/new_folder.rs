//! Several new files in a folder.

use super::place::{exists, folder_not_file, refuse_irreplaceable};
use super::temporary::{self, put};
use super::unfinished::Unfinished;
use super::{MadeFolder, Replace, make_folder, named, same_file, sync_folder};
use crate::error::{Error, Result};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::{TempDir, TempPath};

/// Files that are written in a temporary folder inside theirs and put into their places together,
/// when all are whole. Dropped unfinished, it leaves nothing behind.
pub struct NewFolder {
    folder: PathBuf,
    replace: Replace,
    inputs: Vec<PathBuf>,
    /// The files so far, each with what is not written of it yet, if anything.
    files: BTreeMap<String, Option<Vec<u8>>>,
    waiting: usize,
    // Closed before the folder is removed.
    lock: File,
    temporary: TempDir,
    unfinished: Unfinished,
    // Dropped last, when the folder may be empty.
    _made: MadeFolder,
}

/// Bytes that wait to be written.
const MAX_WAITING: usize = 1 << 23;

impl NewFolder {
    /// Begins files in a folder, which is made where it is not.
    ///
    /// # Errors
    /// When it cannot be written to.
    pub fn create(
        folder: &Path,
        replace: Replace,
        inputs: &[impl AsRef<Path>],
    ) -> Result<NewFolder> {
        let made = MadeFolder::new(folder)?;
        let temporary = temporary::folder(folder);
        let (temporary, lock, unfinished) = temporary.map_err(|error| named(folder, &error))?;
        Ok(NewFolder {
            folder: folder.to_owned(),
            replace,
            inputs: inputs.iter().map(|input| input.as_ref().into()).collect(),
            files: BTreeMap::new(),
            waiting: 0,
            lock,
            unfinished,
            temporary,
            _made: made,
        })
    }

    /// Adds to a file; the first time, begins it. The name may have folders, with `/` between.
    ///
    /// # Errors
    /// When it is one of the inputs, or is there and not to be replaced or cannot be, and when it cannot
    /// be written.
    pub fn add(&mut self, name: &str, bytes: &[u8]) -> Result {
        if let Some(waiting) = self.files.get_mut(name) {
            waiting.get_or_insert_default().extend_from_slice(bytes);
        } else {
            let place = self.folder.join(name);
            same_file::refuse_input(&place, &self.inputs)?;
            if place.is_dir() {
                return Err(folder_not_file(&place));
            }
            if place.symlink_metadata().is_ok() && self.replace == Replace::No {
                return Err(exists(&place));
            }
            if let Ok(old) = place.metadata() {
                refuse_irreplaceable(&place, &place, &old, &self.lock)?;
            }
            self.files.insert(name.to_owned(), Some(bytes.to_vec()));
        }
        self.waiting += bytes.len();
        if self.waiting > MAX_WAITING {
            self.write()?;
        }
        Ok(())
    }

    /// Writes what waits. One file is open at a time, since there may be more than systems allow.
    fn write(&mut self) -> Result {
        Unfinished::undisturbed(|| self.write_waiting())
    }

    fn write_waiting(&mut self) -> Result {
        for (name, waiting) in &mut self.files {
            let Some(bytes) = waiting.take() else {
                continue;
            };
            let path = self.temporary.path().join(name);
            make_folder_of(&path)?;
            let mut options = File::options();
            let file = options.create(true).append(true).open(path);
            let written = file.and_then(|mut file| file.write_all(&bytes));
            written.map_err(|error| named(&self.folder.join(name), &error))?;
        }
        self.waiting = 0;
        Ok(())
    }

    /// Flushes the files to the disk, so that they survive a power failure. Linux can do it for all
    /// files at once; one by one, thousands take a minute.
    fn sync(&self) -> io::Result<()> {
        #[cfg(target_os = "linux")]
        rustix::fs::syncfs(File::open(self.temporary.path())?)?;
        #[cfg(not(target_os = "linux"))]
        for name in self.files.keys() {
            let path = self.temporary.path().join(name);
            // Windows flushes only files that are open for writing.
            File::options().write(true).open(path)?.sync_all()?;
        }
        Ok(())
    }

    /// How many files there are so far.
    pub fn count(&self) -> usize {
        self.files.len()
    }

    /// Puts the files into their places.
    ///
    /// # Errors
    /// When one cannot be written to the end, or another has taken its place meanwhile.
    pub fn finish(mut self) -> Result {
        self.write()?;
        let failed = |place: &Path, error: &io::Error| Error::Io(named(place, error));
        self.sync().map_err(|error| failed(&self.folder, &error))?;
        // A signal must not find a part of them in place.
        self.unfinished.finish(|| {
            let put = self.files.keys().try_for_each(|name| {
                let place = self.folder.join(name);
                let file = TempPath::try_from_path(self.temporary.path().join(name))?;
                make_folder_of(&place)?;
                put(file, &place, self.replace).map_err(|error| match error.kind() {
                    io::ErrorKind::AlreadyExists => exists(&place),
                    _ => failed(&place, &error),
                })
            });
            sync_folder(&self.folder.join("-"));
            drop(self.lock);
            let _ = self.temporary.close();
            put
        })
    }
}

/// Creates the folder of a file.
fn make_folder_of(path: &Path) -> Result {
    path.parent().map_or(Ok(()), make_folder)
}

#[cfg(test)]
mod tests {
    use super::super::NO_INPUTS;
    use super::*;
    use std::fs;

    #[test]
    fn all_or_none() {
        let above = tempfile::tempdir().unwrap();
        let folder = above.path().join("new/folder");
        let count = || fs::read_dir(&folder).unwrap().count();
        let mut files = NewFolder::create(&folder, Replace::No, &[above.path()]).unwrap();
        files.add("a", b"1").unwrap();
        files.add("b", b"2").unwrap();
        files.add("a", b"3").unwrap();
        assert_eq!((files.count(), count()), (2, 1));
        files.finish().unwrap();
        assert_eq!(count(), 2);
        assert_eq!(fs::read(folder.join("a")).unwrap(), b"13");

        let mut files = NewFolder::create(&folder, Replace::No, &[above.path()]).unwrap();
        files.add("c", b"1").unwrap();
        assert!(
            files
                .add("a", b"1")
                .unwrap_err()
                .to_string()
                .contains("--force")
        );
        drop(files);
        assert_eq!(count(), 2);

        let mut files = NewFolder::create(&folder, Replace::Yes, &[folder.join("b")]).unwrap();
        files.add("a", b"4").unwrap();
        assert!(files.add("b", b"4").is_err());
        files.finish().unwrap();
        assert_eq!(count(), 2);
        assert_eq!(fs::read(folder.join("a")).unwrap(), b"4");
    }

    #[test]
    fn folders_in_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let unfinished = folder.path().join("new");
        let mut files = NewFolder::create(&unfinished, Replace::No, NO_INPUTS).unwrap();
        files.add("a=1/b", b"1").unwrap();
        drop(files);
        assert!(!unfinished.exists());

        let mut files = NewFolder::create(folder.path(), Replace::No, NO_INPUTS).unwrap();
        files.add("a=1/b=2/c", b"1").unwrap();
        files.write().unwrap();
        files.add("a=1/b=2/c", b"2").unwrap();
        files.add("empty", b"").unwrap();
        assert!(!folder.path().join("a=1").exists());
        files.finish().unwrap();
        assert_eq!(fs::read(folder.path().join("a=1/b=2/c")).unwrap(), b"12");
        assert_eq!(fs::read(folder.path().join("empty")).unwrap(), b"");
    }
}
