//! Cleaning up when a signal ends the program: temporary files are removed, and runs say how to go
//! on.

use crate::signals;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::{fs, io};

/// The function to call for each unfinished file, by increasing numbers.
static ENDINGS: Mutex<Endings> = Mutex::new(BTreeMap::new());

type Endings = BTreeMap<u64, Box<dyn Fn() + Send>>;

/// While this lives, a signal that ends the program cleans up after a file first.
pub(super) struct Unfinished(u64);

impl Unfinished {
    /// Creates a temporary file or folder, to be removed. A signal that comes meanwhile waits until
    /// it is created, so that none is missed.
    ///
    /// # Errors
    /// When it cannot be made.
    pub(super) fn temporary<T: AsRef<Path>>(
        make: impl FnOnce() -> io::Result<T>,
    ) -> io::Result<(T, Unfinished)> {
        let endings = watched();
        let made = make()?;
        let path = made.as_ref().to_owned();
        Ok((made, Unfinished::add(endings, move || remove(&path))))
    }

    /// Opens what a signal is to clean up after by this function, likewise.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub(super) fn opened<T, E>(
        open: impl FnOnce() -> Result<T, E>,
        ending: impl Fn() + Send + 'static,
    ) -> Result<(T, Unfinished), E> {
        let endings = watched();
        Ok((open()?, Unfinished::add(endings, ending)))
    }

    /// Does a part of the work. A signal that comes meanwhile waits until it is done, so that nothing
    /// is made anew in a folder that is being removed.
    pub(super) fn undisturbed<T>(work: impl FnOnce() -> T) -> T {
        let _endings = watched();
        work()
    }

    /// Does what is left to do for a file to be finished. A signal that comes meanwhile waits until it
    /// is done, and cleans up nothing.
    pub(super) fn finish<T>(self, finish: impl FnOnce() -> T) -> T {
        let mut endings = watched();
        endings.remove(&self.0);
        finish()
    }

    fn add(mut endings: MutexGuard<'_, Endings>, ending: impl Fn() + Send + 'static) -> Unfinished {
        let number = endings.last_key_value().map_or(0, |(last, _)| last + 1);
        endings.insert(number, Box::new(ending));
        Unfinished(number)
    }
}

/// The registered functions; the first call starts to watch signals.
fn watched() -> MutexGuard<'static, Endings> {
    static WATCH: Once = Once::new();
    WATCH.call_once(|| signals::before_end(end_all));
    ENDINGS.lock().unwrap_or_else(PoisonError::into_inner)
}

fn remove(path: &Path) {
    let _ = if path.is_dir() {
        fs::remove_dir_all(path)
    } else {
        fs::remove_file(path)
    };
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        let mut endings = ENDINGS.lock().unwrap_or_else(PoisonError::into_inner);
        endings.remove(&self.0);
    }
}

fn end_all() {
    let endings = ENDINGS.lock().unwrap_or_else(PoisonError::into_inner);
    // The last first: a temporary folder before the one that was made for it.
    endings.values().rev().for_each(|end| end());
    // The lock is kept: the program ends, and nothing more is to begin or to end.
    std::mem::forget(endings);
}
