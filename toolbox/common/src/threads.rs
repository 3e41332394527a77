//! Threads where the system may allow no more of them, as in a container with a limit.

use crate::error_text::of_system;
use std::fs;
use std::io;
use std::sync::{Mutex, PoisonError};
use std::thread::{self, Builder, JoinHandle, Scope, ScopedJoinHandle};
use std::time::Duration;

/// Starts a thread.
///
/// # Errors
/// When the system allows no more.
pub fn spawn<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> io::Result<JoinHandle<T>> {
    let started = Builder::new().spawn(work);
    started.map_err(|error| none_left(&error))
}

/// Starts a thread that ends before its scope.
///
/// # Errors
/// When the system allows no more.
pub fn spawn_scoped<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, T>> {
    let started = Builder::new().spawn_scoped(scope, work);
    started.map_err(|error| none_left(&error))
}

/// The system's error, which alone would not say what of.
pub fn none_left(error: &io::Error) -> io::Error {
    let text = format!("no thread can be started: {}", of_system(error));
    io::Error::new(error.kind(), text)
}

/// Works on each item in a thread of its own, and waits until all are done. Where the system allows
/// fewer threads, these do the work of the others; the current one works, too.
pub fn for_each<I: Send>(items: impl IntoIterator<Item = I>, work: impl Fn(I) + Sync) {
    let items: Vec<I> = items.into_iter().collect();
    let others = items.len().saturating_sub(1);
    let items = Mutex::new(items.into_iter());
    let next = || items.lock().unwrap_or_else(PoisonError::into_inner).next();
    let run = || {
        while let Some(item) = next() {
            work(item);
        }
    };
    thread::scope(|scope| {
        for _ in 0..others {
            if spawn_scoped(scope, run).is_err() {
                break;
            }
        }
        run();
    });
}

/// Starts so many threads at once, and ends them: for libraries that panic where they cannot start theirs.
///
/// # Errors
/// When the system does not allow so many.
pub fn require(count: usize) -> io::Result<()> {
    let before = running();
    let started = thread::scope(|scope| {
        // Each waits until the end of the channel.
        let (end, wait) = crossbeam_channel::bounded::<()>(0);
        let started = (0..count).try_for_each(|_| {
            let wait = wait.clone();
            let waiting = spawn_scoped(scope, move || {
                let _ = wait.recv();
            });
            waiting.map(drop)
        });
        drop(end);
        started
    });
    // The system still counts threads that have just ended.
    for _ in 0..100 {
        if running() <= before {
            break;
        }
        thread::sleep(Duration::from_millis(1));
    }
    started
}

/// The threads of this program, where the system tells.
fn running() -> usize {
    let threads = cfg!(target_os = "linux").then(|| fs::read_dir("/proc/self/task"));
    threads.and_then(io::Result::ok).map_or(0, Iterator::count)
}

/// Starts the threads of rayon's parallel iterators, as many as processors, unless they run already.
/// Without this, rayon panics where it cannot start them.
///
/// # Errors
/// When the system does not allow so many.
#[cfg(feature = "pool")]
pub fn start_pool() -> io::Result<()> {
    use std::error::Error as _;
    use std::sync::OnceLock;
    static FAILURE: OnceLock<Option<(io::ErrorKind, String)>> = OnceLock::new();
    // In WebAssembly the current thread is the pool.
    if cfg!(target_family = "wasm") || rayon::current_thread_index().is_some() {
        return Ok(());
    }
    let failure = FAILURE.get_or_init(|| {
        let error = rayon::ThreadPoolBuilder::new().build_global().err()?;
        // That they run already has no cause.
        let error = none_left(error.source()?.downcast_ref()?);
        Some((error.kind(), error.to_string()))
    });
    match failure {
        Some((kind, text)) => Err(io::Error::new(*kind, text.as_str())),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    #[test]
    fn each_item_is_worked_on_once() {
        for count in [0, 1, 5] {
            let sum = AtomicU64::new(0);
            let mut items: Vec<u64> = (0..count).collect();
            for_each(&mut items, |item| {
                sum.fetch_add(1 << *item, Relaxed);
                *item += 1;
            });
            assert_eq!(sum.into_inner(), (1 << count) - 1);
            assert!(items.into_iter().eq(1..=count));
        }
        require(3).unwrap();
    }
}
