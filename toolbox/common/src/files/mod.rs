//! Files. [`read`] reads a whole one. Every file that Mola makes is made here, by one of these:
//!
//! - [`NewFile`]: a file that is there whole or not at all; most commands write one.
//! - [`NewFolder`]: several such files in a folder.
//! - [`RecordFile`]: the output of a long run, record by record, which can be stopped and resumed.
//! - [`AppendFile`]: whole records added to a file that others add to as well.
//! - [`replace`]: a small file that belongs to the program alone.
//!
//! None of them loses what was there: an output that is an input is refused, a file that is there
//! is replaced on demand alone, and a program that is killed leaves the old file or the new one.

mod append_file;
mod device;
mod input_name;
mod lock_file;
mod made_folder;
mod new_file;
mod new_folder;
mod packed_name;
mod place;
mod read;
mod record_file;
mod same_file;
mod sink;
mod temporary;
mod unfinished;
mod windows_name;

pub use append_file::AppendFile;
pub use device::{is_device, is_pipe, refuse_named_pipe, refuse_unresumable};
pub use input_name::{input_name, named_input};
pub use lock_file::LockFile;
pub use made_folder::MadeFolder;
pub use new_file::NewFile;
pub use new_folder::NewFolder;
pub use packed_name::{is_packing, refuse_packed};
pub use read::{
    READ_ONCE, identity, read, read_input, read_input_text, read_stream, read_text, refuse_stdin,
    refuse_stdin_twice, refuse_utf16, text_of, without_mark,
};
pub use record_file::{RecordFile, refuse_outputs_of_run};
pub use same_file::{refuse_input, refuse_same_outputs, refuse_stdout, resolved};
pub use sink::Sink;
pub use temporary::is_temporary;
pub use windows_name::{as_windows_compares, is_windows_device};

use crate::error::{Error, Result};
use crate::error_text;
use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::Path;

/// The inputs of a command that reads no file.
pub const NO_INPUTS: &[&Path] = &[];

/// Whether a file that is there may be replaced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Replace {
    /// It is kept, and the command fails.
    No,
    /// It is replaced as soon as the new one is whole.
    Yes,
}

/// The option that allows a command to replace files.
#[derive(clap::Args, Clone, Copy, Default, Debug)]
pub struct Force {
    /// Replace a file that exists
    #[arg(long)]
    force: bool,
}

impl Force {
    /// Whether files may be replaced.
    pub fn replace(self) -> Replace {
        if self.force {
            Replace::Yes
        } else {
            Replace::No
        }
    }
}

/// Replaces a file atomically: writes a temporary one beside it and renames that. No reader sees
/// half of it, a memory map of the old file stays valid, and the old file stays if writing fails.
///
/// # Errors
/// When the file cannot be written; the message names it.
pub fn replace(path: &Path, contents: &[u8]) -> Result {
    let mut file = NewFile::create(path, Replace::Yes, NO_INPUTS)?;
    file.write_all(contents)?;
    file.finish_or_drop()
}

/// Opens and locks a lock file, which is created if it is missing, and never removed. The lock ends
/// when the file is dropped.
///
/// # Errors
/// When it cannot be opened, or another program holds it.
pub fn lock(path: &Path) -> Result<File> {
    lock_for(path, path)
}

/// Opens and locks a lock file for a path, which the message names if another program holds it.
fn lock_for(lock: &Path, path: &Path) -> Result<File> {
    let mut options = File::options();
    options.read(true).write(true).create(true).truncate(false);
    let file = options.open(lock).map_err(|error| named(lock, &error))?;
    hold(&file, path)?;
    Ok(file)
}

/// Locks an open file.
fn hold(file: &File, path: &Path) -> Result {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(writing(path)),
        // Some file systems have no locks; files there are written without.
        Err(TryLockError::Error(error)) => {
            log::warn!("{} is not locked: {error}", path.display());
            Ok(())
        }
    }
}

fn writing(path: &Path) -> Error {
    let path = path.display();
    Error::Message(format!("{path}: another program is writing to it"))
}

/// Whether an open file is a file, not a pipe or a device. Of some devices, such as `NUL` of Windows,
/// the system says nothing.
fn is_plain(file: &File) -> bool {
    file.metadata().is_ok_and(|found| found.is_file())
}

/// Whether an argument means the standard input or output instead of a file: `-`.
pub fn is_dash(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Refuses `-` where only a file will do: a file of that name is `./-`.
///
/// # Errors
/// When the path is `-`.
fn refuse_dash(path: &Path) -> Result {
    if is_dash(path) {
        let message = "-: a file is expected, not standard output";
        return Err(Error::Usage(message.to_owned()));
    }
    Ok(())
}

/// The same error, but its message names the file.
pub fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(
        error.kind(),
        format!(
            "{}: {}{}",
            path.display(),
            error_text::of_system(error),
            windows_name::of_wildcards(path)
        ),
    )
}

/// Makes a folder and those above it, where they are not.
///
/// # Errors
/// When it cannot be made; the message names it.
pub fn make_folder(folder: &Path) -> Result {
    fs::create_dir_all(folder).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => {
            Error::Message(format!("{}: a file, not a folder", folder.display()))
        }
        _ => Error::Io(named(folder, &error)),
    })
}

/// The current folder.
const CURRENT: &str = ".";

/// The folder that a path names a file of.
fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new(CURRENT),
    }
}

/// Makes a new name in the folder of a file survive a power failure. Not all systems can, so an
/// error is ignored.
fn sync_folder(path: &Path) {
    #[cfg(unix)]
    if let Ok(folder) = File::open(folder_of(path)) {
        let _ = folder.sync_all();
    }
    #[cfg(not(unix))]
    let _ = path;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_file_and_no_numbers() {
        let error = File::open("/nowhere").unwrap_err();
        let named = named(Path::new("/nowhere"), &error);
        assert_eq!(named.kind(), io::ErrorKind::NotFound);
        assert_eq!(named.to_string(), "/nowhere: No such file or directory");
    }

    #[test]
    fn a_file_is_no_folder() {
        let folder = tempfile::tempdir().unwrap();
        make_folder(&folder.path().join("a/b")).unwrap();
        make_folder(folder.path()).unwrap();
        let path = folder.path().join("games");
        fs::write(&path, "1-0").unwrap();
        let error = make_folder(&path).unwrap_err().to_string();
        assert!(error.ends_with("games: a file, not a folder"), "{error}");
        assert_eq!(fs::read(&path).unwrap(), b"1-0");
    }

    #[test]
    fn a_lock_is_held_by_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let held = lock(&path).unwrap();
        assert!(
            lock(&path)
                .unwrap_err()
                .to_string()
                .contains("another program")
        );
        drop(held);
        lock(&path).unwrap();
    }
}
