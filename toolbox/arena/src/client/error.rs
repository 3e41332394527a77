//! Errors of engines, with the last lines that they printed.

use std::time::Duration;
use std::{fmt, io};

/// An engine failed, or was asked for what it cannot do.
#[derive(Debug)]
pub struct Error {
    /// The engine's name.
    pub engine: String,
    /// The program that was started, with its arguments unless it could not be started.
    pub program: String,
    /// What happened.
    pub kind: ErrorKind,
    /// The last lines that the engine printed, the latest last.
    pub last_lines: Vec<String>,
}

/// What happened.
#[derive(Debug)]
pub enum ErrorKind {
    /// The program could not be started.
    Start(io::Error),
    /// The process ended or closed its output.
    Ended {
        /// What it was asked to do.
        doing: &'static str,
        /// How it ended, in words; `None` while it still runs.
        status: Option<String>,
    },
    /// There was no answer in time.
    TimedOut {
        /// What it was asked to do.
        doing: &'static str,
        /// How long it had.
        after: Duration,
    },
    /// A move that is not legal, or no move where there is one.
    IllegalMove {
        /// What it printed.
        text: String,
        /// Where.
        fen: String,
    },
    /// It refused a legal move or position, in these words.
    Refused(String),
    /// It has no option of a name: which, and which it has.
    NoOption(String),
    /// It offers no such value of an option, variant or limit.
    Unsupported(String),
    /// The caller's interrupt ended the wait.
    Interrupted,
}

/// A result with [`Error`].
pub type Result<T = ()> = std::result::Result<T, Error>;

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Error {
            engine, program, ..
        } = self;
        let is_about_process = matches!(
            self.kind,
            ErrorKind::Ended { .. } | ErrorKind::TimedOut { .. }
        );
        if is_about_process && engine != program {
            write!(f, "{engine} ({program}): ")?;
        } else {
            write!(f, "{engine}: ")?;
        }
        match &self.kind {
            ErrorKind::Start(error) if error.kind() == io::ErrorKind::NotFound => {
                // An engine without a name has that of its program.
                let which = if engine == program {
                    String::new()
                } else {
                    format!("{program} ")
                };
                write!(f, "cannot be started: program {which}not found")?;
                if let Some(hint) = error.get_ref() {
                    write!(f, "; {hint}")?;
                }
            }
            ErrorKind::Start(error) => write!(f, "cannot be started: {program}: {error}")?,
            ErrorKind::Ended { doing, status } => {
                let status = status.as_deref().unwrap_or("its output was closed");
                write!(f, "ended while {doing} ({status})")?;
            }
            ErrorKind::TimedOut { doing, after } => {
                write!(f, "no answer in {:.1} s while {doing}", after.as_secs_f64())?;
            }
            ErrorKind::IllegalMove { text, fen } => write!(f, "illegal move {text:?} in {fen}")?,
            ErrorKind::Refused(what) => write!(f, "refused: {what}")?,
            ErrorKind::NoOption(what) | ErrorKind::Unsupported(what) => f.write_str(what)?,
            ErrorKind::Interrupted => f.write_str("interrupted")?,
        }
        let is_engines_fault = !matches!(
            self.kind,
            ErrorKind::NoOption(_)
                | ErrorKind::Unsupported(_)
                | ErrorKind::Interrupted
                | ErrorKind::Start(_)
        );
        if is_engines_fault && !self.last_lines.is_empty() {
            write!(f, "; its last lines: {}", self.last_lines.join(" | "))?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {}

impl From<Error> for common::error::Error {
    fn from(error: Error) -> common::error::Error {
        common::error::Error::Other(Box::new(error))
    }
}
