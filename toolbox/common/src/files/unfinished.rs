//! Temporary files and folders, which are not to stay when a signal ends the program.

use crate::signals;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, Once, PoisonError};

static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// As long as this lives, a signal that ends the program removes the file or folder first.
pub(super) struct Unfinished(PathBuf);

impl Unfinished {
    pub(super) fn new(path: &Path) -> Unfinished {
        static WATCH: Once = Once::new();
        WATCH.call_once(|| signals::before_end(remove_all));
        let mut all = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
        all.insert(path.to_owned());
        Unfinished(path.to_owned())
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        let mut all = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
        all.remove(&self.0);
    }
}

fn remove_all() {
    // The lock is kept: nothing more is to begin, and nothing to be finished half.
    let all = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
    for path in all.iter() {
        let _ = if path.is_dir() {
            fs::remove_dir_all(path)
        } else {
            fs::remove_file(path)
        };
    }
    std::mem::forget(all);
}
