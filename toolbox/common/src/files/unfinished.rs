//! What is not finished when a signal ends the program: temporary files go, runs say how to go on.

use super::record_file::Kept;
use crate::signals;
use std::collections::BTreeMap;
use std::fs;
use std::io::{Write, stderr};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, Once, PoisonError};

/// What is to be done with a file.
enum Ending {
    /// It is a temporary file or folder.
    Remove(PathBuf),
    /// It belongs to a run.
    Keep(Arc<Kept>),
}

static ENDINGS: Mutex<BTreeMap<u64, Ending>> = Mutex::new(BTreeMap::new());

/// As long as this lives, a signal that ends the program looks after the file first.
pub(super) struct Unfinished(u64);

impl Unfinished {
    /// A temporary file or folder.
    pub(super) fn temporary(path: &Path) -> Unfinished {
        Unfinished::new(Ending::Remove(path.to_owned()))
    }

    /// The records of a run.
    pub(super) fn run(kept: &Arc<Kept>) -> Unfinished {
        Unfinished::new(Ending::Keep(kept.clone()))
    }

    fn new(ending: Ending) -> Unfinished {
        static WATCH: Once = Once::new();
        static NEXT: AtomicU64 = AtomicU64::new(0);
        WATCH.call_once(|| signals::before_end(end_all));
        let number = NEXT.fetch_add(1, Relaxed);
        let mut endings = ENDINGS.lock().unwrap_or_else(PoisonError::into_inner);
        endings.insert(number, ending);
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
    for ending in endings.values() {
        match ending {
            Ending::Remove(path) => {
                let _ = if path.is_dir() {
                    fs::remove_dir_all(path)
                } else {
                    fs::remove_file(path)
                };
            }
            Ending::Keep(kept) => {
                // Nobody is left to tell when stderr is closed.
                let _ = writeln!(stderr(), "\nmola: {}", kept.how_to_go_on());
                kept.clear();
            }
        }
    }
    // The lock is kept: the program ends, and nothing more is to begin or to end.
    std::mem::forget(endings);
}
