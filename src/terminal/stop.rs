//! Ctrl-Z: the shell comes back, until its `fg` lets the program go on.
//!
//! A signal to stop may be taken by any thread, and the others run for a moment longer. What is to be drawn when the
//! program goes on must be drawn by a thread that has stopped for sure: else it is drawn too early.

#[cfg(unix)]
use nix::sys::signal::{SigSet, Signal, raise};

/// Leaves the signal to stop to other threads: this thread, and those that it starts from now on, do not take it.
pub(super) fn leave_to_others() {
    #[cfg(unix)]
    // Without it, the program stops all the same.
    let _ = SigSet::from(Signal::SIGTSTP).thread_block();
}

/// Lets this thread take the signal.
pub(super) fn take() {
    #[cfg(unix)]
    let _ = SigSet::from(Signal::SIGTSTP).thread_unblock();
}

/// Stops the program, and comes back when it goes on; at once where there is no shell to let it.
pub(super) fn stop() {
    #[cfg(unix)]
    let _ = raise(Signal::SIGTSTP);
}
