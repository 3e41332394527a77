//! One server for a folder.

use common::error::Result;
use std::fs::OpenOptions;
use std::path::Path;

/// A folder that is used by this server alone, until this is dropped or the process ends.
#[cfg(unix)]
pub(super) struct FolderLock(
    #[expect(dead_code, reason = "the lock lasts as long as the file is open")]
    nix::fcntl::Flock<std::fs::File>,
);

#[cfg(unix)]
impl FolderLock {
    /// Takes a folder.
    ///
    /// # Errors
    /// When another server uses it.
    pub(super) fn take(folder: &Path) -> Result<FolderLock> {
        use nix::errno::Errno;
        use nix::fcntl::{Flock, FlockArg};
        let path = folder.join("lock");
        let mut options = OpenOptions::new();
        let file = options.create(true).append(true).open(&path);
        let file = file.map_err(|error| format!("{}: {error}", path.display()))?;
        match Flock::lock(file, FlockArg::LockExclusiveNonblock) {
            Ok(lock) => Ok(FolderLock(lock)),
            Err((_, Errno::EAGAIN)) => {
                let text = "another server uses this folder: end it, or choose another --folder";
                Err(format!("{}: {text}", folder.display()).into())
            }
            Err((_, error)) => Err(format!("{}: {error}", path.display()).into()),
        }
    }
}

/// A folder that is used by this server alone.
#[cfg(not(unix))]
pub(super) struct FolderLock;

#[cfg(not(unix))]
impl FolderLock {
    /// Nothing is locked on this system.
    ///
    /// # Errors
    /// None.
    pub(super) fn take(_: &Path) -> Result<FolderLock> {
        Ok(FolderLock)
    }
}
