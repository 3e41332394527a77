//! Locks of files, so that only one thread reads a file directly.

use pyo3::prelude::*;
use std::sync::Mutex;

/// The lock of a file that a thread reads, by the address of the object in Python.
pub(super) struct FileLock(usize);

/// The files that threads are reading.
static LOCKED: Mutex<Vec<usize>> = Mutex::new(Vec::new());

impl FileLock {
    /// Takes the lock, unless another thread has it.
    pub(super) fn take(handle: &Bound<'_, PyAny>) -> Option<FileLock> {
        let address = handle.as_ptr() as usize;
        let mut locked = LOCKED.lock().ok()?;
        if locked.contains(&address) {
            return None;
        }
        locked.push(address);
        Some(FileLock(address))
    }
}

impl Drop for FileLock {
    fn drop(&mut self) {
        if let Ok(mut locked) = LOCKED.lock() {
            locked.retain(|&address| address != self.0);
        }
    }
}
