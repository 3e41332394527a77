//! Several new files in a folder.

use super::device::is_device;
use super::place::{exists, keep_rights, place, refuse_irreplaceable};
use super::temporary::{self, put};
use super::unfinished::Unfinished;
use super::{MadeFolder, Replace, make_folder, named, same_file, sync_folder};
use crate::error::{Error, Result};
use std::collections::BTreeMap;
use std::fs::{File, Metadata};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::{TempDir, TempPath};

/// Files that are written in a temporary folder inside theirs and put into their places together,
/// when all are whole. Dropped unfinished, it leaves nothing behind.
pub struct NewFolder {
    folder: PathBuf,
    replace: Replace,
    inputs: Vec<PathBuf>,
    /// The files so far, by name.
    files: BTreeMap<String, Begun>,
    waiting: usize,
    // Closed before the folder is removed.
    lock: File,
    temporary: TempDir,
    unfinished: Unfinished,
    // Dropped last, when the folder may be empty.
    _made: MadeFolder,
}

struct Begun {
    /// Where it goes.
    place: PathBuf,
    /// What it replaces.
    old: Option<Metadata>,
    /// What is not written of it yet, if anything.
    waiting: Option<Vec<u8>>,
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
        if let Some(begun) = self.files.get_mut(name) {
            let waiting = begun.waiting.get_or_insert_default();
            waiting.extend_from_slice(bytes);
        } else {
            let begun = self.begin(name, bytes)?;
            self.files.insert(name.to_owned(), begun);
        }
        self.waiting += bytes.len();
        if self.waiting > MAX_WAITING {
            self.write()?;
        }
        Ok(())
    }

    fn begin(&self, name: &str, bytes: &[u8]) -> Result<Begun> {
        let path = self.folder.join(name);
        same_file::refuse_input(&path, &self.inputs)?;
        if is_device(&path) {
            let message = format!("{}: a device or pipe, not a file", path.display());
            return Err(Error::Message(message));
        }
        if self.replace == Replace::No && path.is_file() {
            return Err(exists(&path));
        }
        let place = place(&path)?;
        let old = place.metadata().ok();
        if let Some(old) = &old {
            refuse_irreplaceable(&path, &place, old, &self.lock)?;
        }
        Ok(Begun {
            place,
            old,
            waiting: Some(bytes.to_vec()),
        })
    }

    /// Writes what waits. One file is open at a time, since there may be more than systems allow.
    fn write(&mut self) -> Result {
        Unfinished::undisturbed(|| self.write_waiting())
    }

    fn write_waiting(&mut self) -> Result {
        for (name, begun) in &mut self.files {
            let Some(bytes) = begun.waiting.take() else {
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

    /// Puts the files into their places. Those that cannot get there are kept in another folder, which the
    /// error tells.
    ///
    /// # Errors
    /// When one cannot be written to the end, or another has taken its place meanwhile.
    pub fn finish(mut self) -> Result {
        self.write()?;
        let synced = self.sync();
        synced.map_err(|error| Error::Io(named(&self.folder, &error)))?;
        // A signal must not find a part of them in place.
        self.unfinished.finish(|| {
            let written = self.temporary.path();
            let mut failed = None;
            for (name, begun) in &self.files {
                let path = self.folder.join(name);
                if let Err(error) = begun.put(&written.join(name), &path, self.replace) {
                    failed.get_or_insert(error);
                }
            }
            sync_folder(&self.folder.join("-"));
            drop(self.lock);
            let Some(error) = failed else {
                let _ = self.temporary.close();
                return Ok(());
            };
            let kept = temporary::keep_folder(self.temporary);
            let kept = kept.display();
            Err(Error::Message(format!(
                "{error}; what did not get into its place is kept in {kept}"
            )))
        })
    }
}

impl Begun {
    /// Puts what was written into its place; `path` is what the user calls it.
    fn put(&self, written: &Path, path: &Path, replace: Replace) -> Result {
        let failed = |error: &io::Error| Error::Io(named(path, error));
        if let Some(old) = &self.old {
            let file = File::open(written).map_err(|error| failed(&error))?;
            keep_rights(&file, old);
        }
        make_folder_of(&self.place)?;
        let mut file = TempPath::try_from_path(written).map_err(|error| failed(&error))?;
        file.disable_cleanup(true);
        put(file, &self.place, replace).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => exists(path),
            _ => failed(&error),
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
    fn what_loses_its_name_is_kept_with_all_that_comes_after_it() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let mut files = NewFolder::create(folder.path(), Replace::No, NO_INPUTS).unwrap();
        for name in ["a", "b", "c"] {
            files.add(name, b"mine").unwrap();
        }
        fs::write(at("b"), "theirs").unwrap();
        let error = files.finish().unwrap_err().to_string();
        assert!(error.contains("--force"), "{error}");
        let (_, kept) = error.split_once("is kept in ").unwrap();
        let name = Path::new(kept).file_name().unwrap();
        assert!(!temporary::is_temporary(name), "{error}");
        assert_eq!(fs::read_dir(kept).unwrap().count(), 1);
        assert_eq!(
            fs::read_to_string(Path::new(kept).join("b")).unwrap(),
            "mine"
        );
        for (name, text) in [("a", "mine"), ("b", "theirs"), ("c", "mine")] {
            assert_eq!(fs::read_to_string(at(name)).unwrap(), text);
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_and_rights_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let above = tempfile::tempdir().unwrap();
        let folder = above.path().join("folder");
        fs::create_dir(&folder).unwrap();
        let at = |name: &str| folder.join(name);
        let target = above.path().join("target");
        fs::write(&target, "old").unwrap();
        symlink(&target, at("link")).unwrap();
        fs::write(at("private"), "old").unwrap();
        let rights = fs::Permissions::from_mode(0o600);
        fs::set_permissions(at("private"), rights.clone()).unwrap();
        symlink(above.path().join("none"), at("dangling")).unwrap();

        let mut files = NewFolder::create(&folder, Replace::Yes, NO_INPUTS).unwrap();
        assert!(files.add("dangling", b"new").is_err());
        files.add("link", b"new").unwrap();
        files.add("private", b"new").unwrap();
        files.finish().unwrap();
        assert!(at("link").is_symlink());
        assert_eq!(fs::read_to_string(&target).unwrap(), "new");
        assert_eq!(fs::read_to_string(at("private")).unwrap(), "new");
        let found = fs::metadata(at("private")).unwrap().permissions().mode();
        assert_eq!(found & 0o777, rights.mode());
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
