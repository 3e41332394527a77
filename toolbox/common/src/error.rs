//! What can go wrong so badly that the program ends.

use crate::plain;
use std::{fmt, io};

/// Why the program ends early.
#[derive(Debug)]
pub enum Error {
    /// Reading or writing failed. A closed pipe is no error: see [`Error::is_closed_pipe`].
    Io(io::Error),
    /// One line for the user.
    Message(String),
}

/// A result with [`Error`].
pub type Result<T = ()> = std::result::Result<T, Error>;

impl Error {
    /// Whether the reader of our output has gone away, which ends a session as `quit` does.
    pub fn is_closed_pipe(&self) -> bool {
        matches!(self, Error::Io(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Io(error) => f.write_str(&plain::io_error(error)),
            Error::Message(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for Error {}
