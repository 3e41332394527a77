//! The process groups of engines, which end with this program also where a signal ends it at once.

use common::signals;
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use std::process::Child;
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

/// An engine with whatever it has started. They end when this is dropped, or before a signal ends
/// this program: an engine that hangs would not notice that its input is closed.
///
/// It is dropped as soon as the engine has ended: the number of a group in which nothing runs any
/// more may be given to another.
pub(super) struct ProcessGroup(Pid);

/// Those that run.
static RUNNING: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

fn running() -> MutexGuard<'static, Vec<Pid>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

impl ProcessGroup {
    /// The group that a process leads.
    pub(super) fn of(child: &Child) -> ProcessGroup {
        static CLEAN: Once = Once::new();
        CLEAN.call_once(|| signals::before_end(|| running().drain(..).for_each(end)));
        let group = Pid::from_raw(child.id() as i32);
        running().push(group);
        ProcessGroup(group)
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        let mut running = running();
        if let Some(at) = running.iter().position(|group| *group == self.0) {
            end(running.swap_remove(at));
        }
    }
}

fn end(group: Pid) {
    // It fails where all have ended.
    let _ = killpg(group, Signal::SIGKILL);
}
