//! Devices, which have no place that a file could be put into.

use super::is_dash;
use super::windows_name::is_path_of_windows_device;
use crate::error::{Error, Result};
use std::fs;
use std::path::Path;

/// Whether a path is a device, a pipe, or an open file of a process, such as `/dev/stdout`: none of
/// these can be replaced, so they are written directly.
pub fn is_device(path: &Path) -> bool {
    is_open_file(path)
        || cfg!(windows) && is_path_of_windows_device(&path.to_string_lossy())
        || fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

/// Refuses what no stopped run can be resumed from: a device, a pipe or the standard output.
///
/// # Errors
/// When the path is one of these.
pub fn refuse_unresumable(path: &Path) -> Result {
    let why = "a file is expected, as a stopped run is resumed from it";
    let message = format!("{}: {why}", path.display());
    // What a device is, only the system tells; a dash is wrong anywhere.
    if is_dash(path) {
        Err(Error::Usage(message))
    } else if is_device(path) {
        Err(Error::Message(message))
    } else {
        Ok(())
    }
}

/// Whether a path leads to a pipe of Unix: to open it may wait for ever for the other end.
pub fn is_pipe(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        fs::metadata(path).is_ok_and(|found| found.file_type().is_fifo())
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        false
    }
}

/// Refuses a pipe that has a name in a folder, and is not an open file of a process.
///
/// # Errors
/// When the path is that of such a pipe.
pub fn refuse_named_pipe(path: &Path) -> Result {
    if is_pipe(path) && !is_open_file(path) {
        let path = path.display();
        let message = format!("{path}: a file is expected, not a pipe");
        return Err(Error::Message(message));
    }
    Ok(())
}

/// The names that Unix gives to the open files of a process. (`/dev` itself has ordinary files, too,
/// in `/dev/shm`.)
fn is_open_file(path: &Path) -> bool {
    let is_standard = |name: &str| path == Path::new("/dev").join(name);
    ["stdin", "stdout", "stderr"].into_iter().any(is_standard)
        || path.starts_with("/dev/fd")
        || path.starts_with("/proc") && path.parent().is_some_and(|folder| folder.ends_with("fd"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_takes_what_is_written() {
        for path in [
            "/dev/stdout",
            "/dev/fd/3",
            "/proc/self/fd/1",
            "/proc/7/task/7/fd/0",
        ] {
            assert!(is_device(Path::new(path)), "{path}");
        }
        for path in [
            "games.pgn",
            "/dev/shm/games.pgn",
            "/dev/stdout.svg",
            "/proc/self/cwd/fd",
        ] {
            assert!(!is_device(Path::new(path)), "{path}");
        }
        #[cfg(unix)]
        assert!(is_device(Path::new("/dev/null")));
    }
}
