//! A file that appears complete or not at all.

use super::device::is_device;
use super::place::{exists, keep_rights, place, refuse_irreplaceable};
use super::temporary::{self, Temporary};
use super::{Replace, named, refuse_dash, same_file, sync_folder};
use crate::error::{Error, Result};
use crate::error_text::of_system;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Seek, Write};
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
    /// when nothing can be written beside it, or could get its name.
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
            refuse_irreplaceable(path, &place, &old, &file)?;
            keep_rights(&file, &old);
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

    /// Has the disk keep room for so many bytes, which are not known yet. Call it before anything is written; a
    /// device takes nothing.
    ///
    /// # Errors
    /// When there is no room.
    pub fn reserve(&mut self, length: u64) -> io::Result<()> {
        if self.place.is_none() {
            return Ok(());
        }
        io::copy(&mut io::repeat(0).take(length), self)?;
        let rewound = self.writer.rewind();
        rewound.map_err(|error| named(&self.path, &error))
    }

    /// Puts the file in its place. If it cannot get its name after all, it is kept under another, which
    /// the error tells.
    ///
    /// # Errors
    /// When it cannot be written to the end, or another file has taken its place meanwhile, which
    /// stays as it is.
    pub fn finish(self) -> Result {
        self.put(|file, place, error| {
            let kept = temporary::keep(file, place);
            let kept = kept.map(|kept| kept.display().to_string());
            Error::Message(match kept {
                Ok(kept) => format!("{error}; what was written is kept in {kept}"),
                Err(why) => format!("{error}; what was written is lost: {}", of_system(&why)),
            })
        })
    }

    /// The same for a file whose contents can be had again: if it cannot get its name, it is gone.
    ///
    /// # Errors
    /// As [`NewFile::finish`].
    pub fn finish_or_drop(self) -> Result {
        self.put(|_, _, error| error)
    }

    fn put(mut self, without_name: impl Fn(&File, &Path, Error) -> Error) -> Result {
        self.flush()?;
        let Some(place) = self.place else {
            return Ok(());
        };
        let failed = |error: &io::Error| Error::Io(named(&self.path, error));
        // More may have been reserved than was written.
        let mut file = self.writer.get_ref();
        let cut = file.stream_position().and_then(|end| file.set_len(end));
        cut.and_then(|()| file.sync_all())
            .map_err(|error| failed(&error))?;
        let Destination {
            path,
            replace,
            temporary,
        } = place;
        temporary.put(file, &path, replace).map_err(|error| {
            let error = match error.kind() {
                io::ErrorKind::AlreadyExists => exists(&self.path),
                _ => failed(&error),
            };
            without_name(file, &path, error)
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
        let error = file.finish().unwrap_err().to_string();
        assert!(error.contains("--force"), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "theirs");
        let (_, kept) = error.split_once("is kept in ").unwrap();
        assert_eq!(fs::read_to_string(kept).unwrap(), "mine");
        assert_eq!(Path::new(kept).parent(), Some(folder.path()));
        assert_eq!(names(folder.path()).len(), 2);
        assert!(!temporary::is_temporary(
            Path::new(kept).file_name().unwrap()
        ));

        let mut file = NewFile::create(&folder.path().join("new"), Replace::No, NO_INPUTS).unwrap();
        fs::write(folder.path().join("new"), "theirs").unwrap();
        file.write_all(b"mine").unwrap();
        assert!(file.finish_or_drop().is_err());
        assert_eq!(names(folder.path()).len(), 3);
    }

    #[test]
    fn what_is_reserved_is_written_over() {
        let folder = tempfile::tempdir().unwrap();
        for (text, length) in [("short", 1 << 17), ("longer than that", 3)] {
            let path = folder.path().join(text);
            let mut file = NewFile::create(&path, Replace::No, NO_INPUTS).unwrap();
            file.reserve(length).unwrap();
            file.write_all(text.as_bytes()).unwrap();
            file.finish().unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
    }

    /// Under Windows, a folder with an open file cannot be removed.
    #[cfg(unix)]
    #[test]
    fn a_file_whose_folder_is_gone_is_kept_elsewhere() {
        let above = tempfile::tempdir().unwrap();
        let folder = above.path().join("folder");
        fs::create_dir(&folder).unwrap();
        let mut file = NewFile::create(&folder.join("out"), Replace::Yes, NO_INPUTS).unwrap();
        file.write_all(b"mine").unwrap();
        fs::remove_dir_all(&folder).unwrap();
        let error = file.finish().unwrap_err().to_string();
        let (_, kept) = error.split_once("is kept in ").unwrap();
        assert_eq!(fs::read_to_string(kept).unwrap(), "mine");
        fs::remove_file(kept).unwrap();
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
