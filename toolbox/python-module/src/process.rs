//! Forks: a fork copies the memory of a process, but none of its other threads.

use engine_core::eval::Weights;
use engine_core::{AnyPosition, Variant};
use pgn::Opening;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::mem;
use std::sync::{Arc, Mutex, PoisonError};

/// The process in which an object was created.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Process(u32);

impl Process {
    /// The current process.
    pub(crate) fn this() -> Process {
        Process(std::process::id())
    }

    /// Fails for an object created before a fork: it would wait for its threads for ever.
    pub(crate) fn check(self) -> PyResult<()> {
        if self == Process::this() {
            return Ok(());
        }
        Err(PyRuntimeError::new_err(
            "created before a fork, which its threads do not survive: create a new one",
        ))
    }
}

/// Computes what is computed once in a process, before other threads run: a thread that forks meanwhile
/// would leave its child a lock that nobody frees.
pub(crate) fn prepare(_: Python<'_>, variant: Variant) {
    Weights::built_in(variant);
    Opening::of(&AnyPosition::start(variant));
}

/// The threads for bulk work, as many as processors. They are new after a fork.
///
/// The lock is held by who holds the interpreter, and a thread that forks does: no fork finds it
/// taken.
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
    // Leaked, as its threads do not exist in this process and cannot be joined.
    mem::forget(known.replace((Process::this(), Arc::clone(&pool))));
    Ok(pool)
}
