//! Locks of files, so that only one thread reads a file directly.

use pyo3::prelude::*;
use std::sync::Mutex;

/// The lock of a file that a thread reads, by the address of the object in Python.
pub(super) struct Turn(usize);

/// The files that threads are reading.
static TURNS: Mutex<Vec<usize>> = Mutex::new(Vec::new());

impl Turn {
    /// Takes the lock, unless another thread has it.
    pub(super) fn take(handle: &Bound<'_, PyAny>) -> Option<Turn> {
        let address = handle.as_ptr() as usize;
        let mut turns = TURNS.lock().ok()?;
        if turns.contains(&address) {
            return None;
        }
        turns.push(address);
        Some(Turn(address))
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if let Ok(mut turns) = TURNS.lock() {
            turns.retain(|&address| address != self.0);
        }
    }
}
