//! The process: a fork copies what is in memory, but none of the threads that work on it.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::mem;
use std::sync::{Arc, Mutex, PoisonError};

/// The process in which something was made.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Process(u32);

impl Process {
    /// This one.
    pub(crate) fn this() -> Process {
        Process(std::process::id())
    }

    /// Refuses what was made before a fork: it would wait for its threads for ever.
    pub(crate) fn check(self) -> PyResult<()> {
        if self == Process::this() {
            return Ok(());
        }
        Err(PyRuntimeError::new_err(
            "made before a fork, which threads do not survive: make another",
        ))
    }
}

/// The threads for bulk work, as many as processors. They are new after a fork.
///
/// The lock is held by who holds the interpreter, and a thread that forks does: no fork finds it taken.
pub(crate) fn threads(_: Python<'_>) -> PyResult<Arc<ThreadPool>> {
    static POOL: Mutex<Option<(Process, Arc<ThreadPool>)>> = Mutex::new(None);
    let mut known = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((process, pool)) = &*known
        && *process == Process::this()
    {
        return Ok(Arc::clone(pool));
    }
    let pool = ThreadPoolBuilder::new()
        .build()
        .map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
    let pool = Arc::new(pool);
    // Threads that a fork has left behind cannot be told to end.
    mem::forget(known.replace((Process::this(), Arc::clone(&pool))));
    Ok(pool)
}
