//! What is not finished when a signal ends the program: temporary files go, runs say how to go on.

use crate::signals;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, Once, PoisonError};

/// What is to be done with each file.
static ENDINGS: Mutex<BTreeMap<u64, Box<dyn Fn() + Send>>> = Mutex::new(BTreeMap::new());

/// As long as this lives, a signal that ends the program looks after a file first.
pub(super) struct Unfinished(u64);

impl Unfinished {
    /// Removes a temporary file or folder.
    pub(super) fn temporary(path: &Path) -> Unfinished {
        let path = path.to_owned();
        Unfinished::new(move || {
            let _ = if path.is_dir() {
                fs::remove_dir_all(&path)
            } else {
                fs::remove_file(&path)
            };
        })
    }

    /// Calls a function.
    pub(super) fn new(ending: impl Fn() + Send + 'static) -> Unfinished {
        static WATCH: Once = Once::new();
        static NEXT: AtomicU64 = AtomicU64::new(0);
        WATCH.call_once(|| signals::before_end(end_all));
        let number = NEXT.fetch_add(1, Relaxed);
        let mut endings = ENDINGS.lock().unwrap_or_else(PoisonError::into_inner);
        endings.insert(number, Box::new(ending));
        Unfinished(number)
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        let mut endings = ENDINGS.lock().unwrap_or_else(PoisonError::into_inner);
        endings.remove(&self.0);
    }
}

fn end_all() {
    let endings = ENDINGS.lock().unwrap_or_else(PoisonError::into_inner);
    endings.values().for_each(|end| end());
    // The lock is kept: the program ends, and nothing more is to begin or to end.
    std::mem::forget(endings);
}
