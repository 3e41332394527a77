//! The process of an engine: its pipes, its last lines of output, its end.

use super::command::EngineCommand;
use super::error::{Error, ErrorKind, Result};
#[cfg(unix)]
use super::process_group::ProcessGroup;
use super::program::{in_games, is_path, path_in_current_folder, program_file};
use common::input;
use common::note;
use common::threads;
use crossbeam_channel::{Receiver, Sender, TrySendError, at, bounded, never, select};
use std::collections::VecDeque;
use std::io::{self, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// A line that an engine printed, and when.
#[derive(Clone, Debug)]
pub struct EngineLine {
    pub text: String,
    pub(super) at: Instant,
}

/// Longer lines are cut: a principal variation of 246 plies has 1.3 kB, long lists of options more.
const LONGEST_LINE: usize = 32 << 10;
/// The buffer of unread lines; when it is full, the oldest are dropped.
const UNREAD_LINES: usize = 1024;
/// Commands that the engine has not read yet.
const UNSENT_LINES: usize = 16 << 10;
/// How long an engine that has closed its output may take to end.
const LAST_WORDS: Duration = Duration::from_millis(500);
/// How often a silent engine is checked for whether it has ended: something that it has started may
/// hold its output open.
const CHECK: Duration = Duration::from_millis(500);
/// How many last lines are remembered for an error, and how many characters of each: an interpreter's
/// may begin with its long name.
const LAST_LINES: usize = 5;
const LAST_LINE_LENGTH: usize = 200;

/// A wait that no clock can express lasts as long as this.
const LONGEST_WAIT: Duration = Duration::from_hours(24 * 365);

/// When a wait ends that began at this time.
pub(super) fn deadline(began: Instant, wait: Duration) -> Instant {
    began.checked_add(wait).unwrap_or(began + LONGEST_WAIT)
}

/// An engine's process. Its end, of itself or when this is dropped, ends what it has started, too.
pub struct Process {
    name: String,
    program: String,
    child: Child,
    input: Option<Sender<String>>,
    lines: Receiver<EngineLine>,
    last: Arc<LastLines>,
    /// Closes when stderr does.
    complaints_end: Receiver<()>,
    interrupt: Receiver<()>,
    /// The process group, until it is ended.
    #[cfg(unix)]
    group: Option<ProcessGroup>,
    /// Ends whatever the engine has started when it is dropped, or when this program ends.
    #[cfg(windows)]
    job: Option<win32job::Job>,
}

#[derive(Default)]
struct LastLines(Mutex<VecDeque<String>>);

impl LastLines {
    fn push(&self, line: &str) {
        if line.trim().is_empty() {
            return;
        }
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.len() == LAST_LINES {
            lines.pop_front();
        }
        lines.push_back(input::shorten_to(LAST_LINE_LENGTH, line));
    }

    fn get(&self) -> Vec<String> {
        let lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        lines.iter().cloned().collect()
    }
}

impl Process {
    pub(super) fn start(command: &EngineCommand) -> Result<Process> {
        let last = Arc::new(LastLines::default());
        Process::start_and(command, last.clone(), Some(last), |_| {})
    }

    /// Starts a program whose standard error is shown on ours, too. Its last lines in errors are from there:
    /// its answers would tell a person nothing.
    ///
    /// # Errors
    /// When the program cannot be started.
    pub fn start_aloud(command: &EngineCommand) -> Result<Process> {
        Process::start_and(command, Arc::default(), None, |complaint| {
            // Failing to write it is not an error.
            note!("{complaint}");
        })
    }

    fn start_and(
        command: &EngineCommand,
        last: Arc<LastLines>,
        last_of_output: Option<Arc<LastLines>>,
        on_complaint: impl FnMut(&str) + Send + 'static,
    ) -> Result<Process> {
        let name = command.label();
        let started = spawn(command).and_then(|mut child| {
            let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
            match pipes {
                (Some(stdin), Some(stdout), Some(stderr)) => Ok((child, stdin, stdout, stderr)),
                _ => Err(io::ErrorKind::BrokenPipe.into()),
            }
        });
        let failed = |error| Error {
            engine: command.label(),
            program: command.program.clone(),
            kind: ErrorKind::Start(error),
            last_lines: Vec::new(),
        };
        let (mut child, stdin, stdout, stderr) = started.map_err(failed)?;
        let talk = || {
            let complaints_end = listener(stderr, Arc::clone(&last), on_complaint)?;
            let lines = reader(stdout, last_of_output, name.clone())?;
            Ok((writer(stdin)?, lines, complaints_end))
        };
        let (input, lines, complaints_end) = talk().map_err(|error| {
            // Nobody would talk to it.
            let _ = child.kill().and_then(|()| child.wait());
            failed(error)
        })?;
        Ok(Process {
            input: Some(input),
            lines,
            name,
            program: command.line(),
            #[cfg(unix)]
            group: Some(ProcessGroup::of(&child)),
            #[cfg(windows)]
            job: job_of(&child),
            child,
            last,
            complaints_end,
            interrupt: never(),
        })
    }

    /// What the program is called in messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn rename(&mut self, name: &str) {
        name.clone_into(&mut self.name);
    }

    /// Waits end with [`ErrorKind::Interrupted`] when this channel closes.
    pub fn set_interrupt(&mut self, interrupt: Receiver<()>) {
        self.interrupt = interrupt;
    }

    /// Sends a line; does not wait until the engine reads it. One that no longer reads is noticed
    /// by the deadline of the wait for its answer.
    pub fn send(&mut self, line: &str) {
        log::trace!("{} < {line}", self.name);
        if let Some(input) = &self.input {
            let line = format!("{}\n", line.replace(['\n', '\r'], " "));
            if let Err(TrySendError::Disconnected(_)) = input.try_send(line) {
                self.input = None;
            }
        }
    }

    /// The next line.
    ///
    /// # Errors
    /// When none comes before the deadline, or ever again.
    pub fn receive(&mut self, deadline: Instant, doing: &'static str) -> Result<EngineLine> {
        self.receive_since(Instant::now(), deadline, doing)
    }

    /// The next line of a wait that began at this time, maybe for an earlier line.
    pub(super) fn receive_since(
        &mut self,
        began: Instant,
        deadline: Instant,
        doing: &'static str,
    ) -> Result<EngineLine> {
        loop {
            let check = deadline.min(Instant::now() + CHECK);
            select! {
                recv(self.lines) -> line => return line.map_err(|_| self.ended(doing)),
                recv(self.interrupt) -> _ => return Err(self.error(ErrorKind::Interrupted)),
                // If it has ended, this closes its output, after the last lines.
                recv(at(check)) -> _ => drop(self.try_wait()),
            }
            if Instant::now() >= deadline {
                let after = began.elapsed();
                return Err(self.error(ErrorKind::TimedOut { doing, after }));
            }
        }
    }

    /// A line that has come already.
    pub(super) fn try_receive(&self) -> Option<EngineLine> {
        self.lines.try_recv().ok()
    }

    pub(super) fn error(&self, kind: ErrorKind) -> Error {
        Error {
            engine: self.name.clone(),
            program: self.program.clone(),
            kind,
            last_lines: self.last.get(),
        }
    }

    /// The output is closed: the process has ended, or does so in a moment.
    fn ended(&mut self, doing: &'static str) -> Error {
        let status = self.wait(LAST_WORDS);
        let _ = self.complaints_end.recv_timeout(LAST_WORDS);
        self.error(ErrorKind::Ended {
            doing,
            status: status.map(|status| status.to_string()),
        })
    }

    /// Closes the input and waits for the end.
    pub fn wait(&mut self, timeout: Duration) -> Option<ExitStatus> {
        self.input = None;
        let deadline = deadline(Instant::now(), timeout);
        loop {
            match self.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < deadline => {
                    thread::sleep(Duration::from_millis(2));
                }
                Ok(None) | Err(_) => return None,
            }
        }
    }

    /// How the process has ended, if it has; what it has started ends with it.
    fn try_wait(&mut self) -> io::Result<Option<ExitStatus>> {
        let status = self.child.try_wait()?;
        if status.is_some() {
            self.end_group();
        }
        Ok(status)
    }

    /// Ends the process with whatever it has started.
    fn end_group(&mut self) {
        #[cfg(unix)]
        drop(self.group.take());
        #[cfg(windows)]
        drop(self.job.take());
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end_group();
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn spawn(command: &EngineCommand) -> io::Result<Child> {
    let mut program = command.program.clone();
    // A relative path is relative to our folder, not to the one that the engine will run in.
    if command.dir.is_some() && is_path(&program) {
        let path = std::path::absolute(Path::new(&program))?;
        program = path.to_string_lossy().into_owned();
    }
    // The system would say that the program is not found.
    if let Some(dir) = command.dir.as_ref().filter(|dir| !dir.is_dir()) {
        let message = format!("there is no folder {}", dir.display());
        return Err(io::Error::new(io::ErrorKind::NotADirectory, message));
    }
    match start_program(&program, command) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let elsewhere = in_games(&program).ok_or_else(|| not_found(&program, error))?;
            start_program(&elsewhere, command)
        }
        started => started,
    }
}

/// The same error; another one where the program is found but cannot be run, and with a hint where it lies
/// in the current folder.
fn not_found(program: &str, error: io::Error) -> io::Error {
    if program_file(program).is_some_and(|path| path.is_file()) {
        return io::Error::other("its interpreter or loader is not found");
    }
    path_in_current_folder(program).map_or(error, |path| {
        let hint = format!("the one in this folder is {path}");
        io::Error::new(io::ErrorKind::NotFound, hint)
    })
}

fn start_program(program: &str, command: &EngineCommand) -> io::Result<Child> {
    let mut process = std::process::Command::new(program);
    process.args(&command.args);
    if let Some(dir) = &command.dir {
        process.current_dir(dir);
    }
    // A separate process group: the terminal's Ctrl-C does not reach it, and its children can be killed.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut process, 0);
    #[cfg(windows)]
    {
        const CREATE_NEW_PROCESS_GROUP: u32 = 0x0000_0200;
        /// Opens no console window for the engine.
        const CREATE_NO_WINDOW: u32 = 0x0800_0000;
        std::os::windows::process::CommandExt::creation_flags(
            &mut process,
            CREATE_NEW_PROCESS_GROUP | CREATE_NO_WINDOW,
        );
    }
    process
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
}

/// A job that holds a process with all that it starts. Inside some older jobs there can be no
/// other: the engine is then ended alone.
#[cfg(windows)]
fn job_of(child: &Child) -> Option<win32job::Job> {
    use std::os::windows::io::AsRawHandle;
    let mut limits = win32job::ExtendedLimitInfo::new();
    limits.limit_kill_on_job_close();
    let made = win32job::Job::create_with_limit_info(&limits).and_then(|job| {
        job.assign_process(child.as_raw_handle() as isize)
            .map(|()| job)
    });
    if let Err(error) = &made {
        log::warn!("an engine's child processes may outlive it: {error}");
    }
    made.ok()
}

/// Writes on a separate thread, so that an engine which does not read blocks nobody.
fn writer(mut stdin: ChildStdin) -> io::Result<Sender<String>> {
    let (sender, lines) = bounded::<String>(UNSENT_LINES);
    threads::spawn(move || {
        for line in lines {
            if stdin.write_all(line.as_bytes()).is_err() {
                break;
            }
        }
    })?;
    Ok(sender)
}

/// Reads the standard error on a separate thread; the channel closes at its end.
fn listener(
    stderr: impl Read + Send + 'static,
    complaints: Arc<LastLines>,
    mut on_complaint: impl FnMut(&str) + Send + 'static,
) -> io::Result<Receiver<()>> {
    let (open, end) = bounded(0);
    threads::spawn(move || {
        each_line(stderr, |text| {
            on_complaint(&text);
            complaints.push(&text);
        });
        drop(open);
    })?;
    Ok(end)
}

/// Reads on a separate thread, which never blocks: if lines are not received, the oldest are
/// dropped.
fn reader(
    stdout: impl Read + Send + 'static,
    last: Option<Arc<LastLines>>,
    name: String,
) -> io::Result<Receiver<EngineLine>> {
    let (sender, lines) = bounded(UNREAD_LINES);
    let oldest = lines.clone();
    threads::spawn(move || {
        each_line(stdout, |text| {
            log::trace!("{name} > {text}");
            if let Some(last) = &last {
                last.push(&text);
            }
            let mut line = EngineLine {
                text,
                at: Instant::now(),
            };
            while let Err(TrySendError::Full(unsent)) = sender.try_send(line) {
                let _ = oldest.try_recv();
                line = unsent;
            }
        });
    })?;
    Ok(lines)
}

fn each_line(stream: impl Read, mut handle: impl FnMut(String)) {
    let mut reader = BufReader::new(stream);
    while let Ok(Some(line)) = input::read_line_within(&mut reader, LONGEST_LINE) {
        handle(line.text);
    }
}
