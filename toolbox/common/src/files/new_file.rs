//! A file that appears complete or not at all.

use super::device::is_device;
use super::temporary::{self, Temporary};
use super::{Replace, named, refuse_dash, same_file, sync_folder};
use crate::error::{Error, Result};
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file that is written without a name, or under a temporary one where the system has no nameless
/// files, and gets its name when it is complete. Dropped unfinished, it leaves nothing behind. All
/// errors name the file.
pub struct NewFile {
    /// As the user calls it.
    path: PathBuf,
    writer: BufWriter<File>,
    place: Option<Destination>,
}

/// The final path and the temporary file; devices and pipes have neither and are written directly.
struct Destination {
    path: PathBuf,
    replace: Replace,
    temporary: Temporary,
}

const BUFFER: usize = 1 << 16;

impl NewFile {
    /// Begins a file.
    ///
    /// # Errors
    /// When the path is one of the inputs by any name, when it is there and not to be replaced, and
    /// when nothing can be written beside it.
    pub fn create(path: &Path, replace: Replace, inputs: &[impl AsRef<Path>]) -> Result<NewFile> {
        refuse_dash(path)?;
        same_file::refuse_input(path, inputs)?;
        let failed = |error| Error::Io(named(path, &error));
        if is_device(path) {
            let file = File::options().append(true).open(path).map_err(failed)?;
            return Ok(NewFile {
                path: path.to_owned(),
                writer: BufWriter::with_capacity(BUFFER, file),
                place: None,
            });
        }
        let place = place(path)?;
        let old = fs::metadata(&place).ok();
        if old.is_some() && replace == Replace::No {
            return Err(exists(path));
        }
        let (file, temporary) = temporary::file(&place).map_err(failed)?;
        if let Some(old) = old {
            // Fails where the old file has another owner.
            let _ = file.set_permissions(old.permissions());
        }
        Ok(NewFile {
            path: path.to_owned(),
            writer: BufWriter::with_capacity(BUFFER, file),
            place: Some(Destination {
                path: place,
                replace,
                temporary,
            }),
        })
    }

    /// Puts the file in its place.
    ///
    /// # Errors
    /// When it cannot be written to the end, or another file has taken its place meanwhile; nothing
    /// has changed then.
    pub fn finish(mut self) -> Result {
        self.flush()?;
        let Some(place) = self.place else {
            return Ok(());
        };
        let failed = |error: &io::Error| Error::Io(named(&self.path, error));
        let file = self.writer.get_ref();
        file.sync_all().map_err(|error| failed(&error))?;
        let Destination {
            path,
            replace,
            temporary,
        } = place;
        temporary
            .put(file, &path, replace)
            .map_err(|error| match error.kind() {
                io::ErrorKind::AlreadyExists => exists(&self.path),
                _ => failed(&error),
            })?;
        sync_folder(&path);
        Ok(())
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.writer.write(bytes);
        written.map_err(|error| named(&self.path, &error))
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.writer.flush();
        flushed.map_err(|error| named(&self.path, &error))
    }
}

/// Why a file that is there is not replaced.
pub(super) fn exists(path: &Path) -> Error {
    Error::Message(format!(
        "{} exists already: --force replaces it",
        path.display()
    ))
}

pub(super) fn folder_not_file(path: &Path) -> Error {
    Error::Message(format!("{}: a folder, not a file", path.display()))
}

/// The path itself, or the target of a link, so that the link is kept.
pub(super) fn place(path: &Path) -> Result<PathBuf> {
    let refuse = |why: &str| Err(Error::Message(format!("{}: {why}", path.display())));
    if path.is_dir() {
        return Err(folder_not_file(path));
    }
    if path.file_name().is_none_or(OsStr::is_empty) {
        return refuse("not the name of a file");
    }
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_symlink() => match path.canonicalize() {
            Ok(place) => Ok(place),
            Err(_) => refuse("a dangling symbolic link"),
        },
        _ => Ok(path.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::NO_INPUTS;
    use super::*;

    fn write(path: &Path, replace: Replace, text: &str) -> Result {
        let mut file = NewFile::create(path, replace, NO_INPUTS)?;
        file.write_all(text.as_bytes())?;
        file.finish()
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn nothing_is_replaced_unasked() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        write(&path, Replace::No, "one").unwrap();
        let refused = write(&path, Replace::No, "two").unwrap_err();
        assert!(refused.to_string().contains("--force"), "{refused}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "one");
        write(&path, Replace::Yes, "three").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "three");
        assert_eq!(names(folder.path()), ["out"]);
    }

    #[test]
    fn what_is_not_finished_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        write(&path, Replace::No, "old").unwrap();
        let mut file = NewFile::create(&path, Replace::Yes, NO_INPUTS).unwrap();
        file.write_all(&vec![b'x'; 1 << 17]).unwrap();
        drop(file);
        assert_eq!(names(folder.path()), ["out"]);
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    }

    #[test]
    fn a_file_that_appears_meanwhile_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        let mut file = NewFile::create(&path, Replace::No, NO_INPUTS).unwrap();
        file.write_all(b"mine").unwrap();
        fs::write(&path, "theirs").unwrap();
        assert!(file.finish().unwrap_err().to_string().contains("--force"));
        assert_eq!(fs::read_to_string(&path).unwrap(), "theirs");
        assert_eq!(names(folder.path()), ["out"]);
    }

    #[test]
    fn inputs_and_folders_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        fs::write(&path, "1-0").unwrap();
        assert!(NewFile::create(&path, Replace::Yes, &[&path]).is_err());
        assert!(NewFile::create(folder.path(), Replace::Yes, NO_INPUTS).is_err());
        assert!(NewFile::create(Path::new(""), Replace::Yes, NO_INPUTS).is_err());
        let nowhere = folder.path().join("none/out");
        let error = NewFile::create(&nowhere, Replace::No, NO_INPUTS)
            .err()
            .unwrap();
        assert!(error.to_string().starts_with(&*nowhere.to_string_lossy()));
    }

    #[cfg(unix)]
    #[test]
    fn links_and_rights_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("out"), folder.path().join("link"));
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        symlink("out", &link).unwrap();
        write(&link, Replace::Yes, "new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        let mode = fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
        symlink("nowhere", folder.path().join("broken")).unwrap();
        assert!(write(&folder.path().join("broken"), Replace::Yes, "").is_err());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_named() {
        let mut file = NewFile::create(Path::new("/dev/full"), Replace::No, NO_INPUTS).unwrap();
        file.write_all(b"x").unwrap();
        let error = file.finish().unwrap_err();
        assert_eq!(error.to_string(), "/dev/full: No space left on device");
    }
}
