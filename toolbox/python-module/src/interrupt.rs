//! Ctrl-C during long work, which another thread does meanwhile.

use crossbeam_channel::{Receiver, RecvTimeoutError, bounded};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, Builder};
use std::time::Duration;

/// The time between two checks.
const BETWEEN_CHECKS: Duration = Duration::from_millis(50);

/// Works on another thread while this one looks out for Ctrl-C, which sets the flag that the work is to
/// end by.
pub(crate) fn interruptible<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&Arc<AtomicBool>) -> T + Send,
) -> PyResult<T> {
    let stop = Arc::new(AtomicBool::new(false));
    let (sender, result) = bounded(1);
    py.detach(|| {
        thread::scope(|scope| {
            let stop = &stop;
            Builder::new().spawn_scoped(scope, move || sender.send(work(stop)))?;
            wait(&result, stop)
        })
    })
}

/// The same for work that may not see the flag for long, as it waits for something: after Ctrl-C nobody
/// waits for it.
pub(crate) fn abandonable<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&AtomicBool) -> PyResult<T> + Send + 'static,
) -> PyResult<T> {
    let stop = Arc::new(AtomicBool::new(false));
    let (sender, result) = bounded(1);
    py.detach(|| {
        let seen = Arc::clone(&stop);
        Builder::new().spawn(move || sender.send(work(&seen)))?;
        wait(&result, &stop)?
    })
}

/// Waits for the result of work, which is told to stop by Ctrl-C.
fn wait<T>(result: &Receiver<T>, stop: &AtomicBool) -> PyResult<T> {
    loop {
        match result.recv_timeout(BETWEEN_CHECKS) {
            Ok(found) => return Ok(found),
            Err(RecvTimeoutError::Timeout) => {}
            // The work has panicked.
            Err(error) => return Err(PyRuntimeError::new_err(error.to_string())),
        }
        Python::attach(|py| {
            let heard = py.check_signals();
            stop.store(heard.is_err(), Ordering::Relaxed);
            heard
        })?;
    }
}
