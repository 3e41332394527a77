//! Whose turn it is to look into a file.

use pyo3::prelude::*;
use std::sync::Mutex;

/// That a thread looks into a file, by the address of the object in Python.
pub(super) struct Turn(usize);

/// The files that threads look into.
static TURNS: Mutex<Vec<usize>> = Mutex::new(Vec::new());

impl Turn {
    /// A turn, unless somebody has it.
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
