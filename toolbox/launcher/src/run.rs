//! Running a program in the place of this one.

use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::Command;

/// A call of the program with the arguments of this one.
fn command(program: &Path, arguments: impl Iterator<Item = OsString>) -> Command {
    let mut command = Command::new(program);
    command.args(arguments);
    command
}

/// Becomes the program, which has the name that this one was called by. Comes back only with an error.
#[cfg(unix)]
pub(crate) fn run(program: &Path) -> io::Error {
    use std::os::unix::process::CommandExt;
    let mut arguments = std::env::args_os();
    let name = arguments.next();
    let mut command = command(program, arguments);
    if let Some(name) = name {
        command.arg0(name);
    }
    command.exec()
}

/// Windows cannot put a program in the place of another: this one waits, and ends as the other did.
/// Comes back only with an error.
#[cfg(windows)]
pub(crate) fn run(program: &Path) -> io::Error {
    // What the console tells reaches both, and the other decides what comes of it. As long as these
    // live, none of it ends this program: else its job would end the other, before that has saved a
    // game when the window of the console is closed.
    use tokio::signal::windows::{ctrl_break, ctrl_c, ctrl_close, ctrl_logoff, ctrl_shutdown};
    let start = || {
        let ignored = (ctrl_c()?, ctrl_break()?, ctrl_close()?);
        let at_end = (ctrl_logoff()?, ctrl_shutdown()?);
        let child = command(program, std::env::args_os().skip(1)).spawn()?;
        Ok((child, ignored, at_end))
    };
    let (mut child, _ignored, _at_end) = match start() {
        Ok(started) => started,
        Err(error) => return error,
    };
    // Whoever ends this process ends the other.
    let _job = job_of(&child);
    match child.wait() {
        Ok(status) => std::process::exit(status.code().unwrap_or(1)),
        Err(error) => error,
    }
}

/// A job that ends the process when this one has ended in whatever way. Older systems cannot
/// nest jobs: inside another one the child survives.
#[cfg(windows)]
fn job_of(child: &std::process::Child) -> Option<win32job::Job> {
    use std::os::windows::io::AsRawHandle;
    let mut limits = win32job::ExtendedLimitInfo::new();
    limits.limit_kill_on_job_close();
    let job = win32job::Job::create_with_limit_info(&limits).ok()?;
    job.assign_process(child.as_raw_handle() as isize).ok()?;
    Some(job)
}
