//! What can go wrong so badly that the program ends.

use crate::error_text;
use crate::signals::INTERRUPTED;
use engine_core::PositionError;
use engine_core::notation::ReadPositionError;
use std::{fmt, io};

/// Why the program ends early.
#[derive(Debug)]
pub enum Error {
    /// Reading or writing failed. A closed pipe is no error: see [`Error::is_closed_pipe`].
    Io(io::Error),
    /// One line for the user.
    Message(String),
    /// Another error, told in one line, which a caller may look into.
    Other(Box<dyn std::error::Error + Send + Sync>),
    /// The command line asks for something impossible; one line for the user.
    Usage(String),
    /// A signal has stopped the work before it was done; the line says what was kept, if anything.
    Interrupted(String),
}

/// A result with [`Error`].
pub type Result<T = ()> = std::result::Result<T, Error>;

impl Error {
    /// Whether the output is closed, which ends a session as `quit` does.
    pub fn is_closed_pipe(&self) -> bool {
        matches!(self, Error::Io(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }

    /// The error of this type that it was made from, if it was.
    pub fn cause<E: std::error::Error + 'static>(&self) -> Option<&E> {
        match self {
            Error::Other(error) => error.downcast_ref(),
            _ => None,
        }
    }

    /// The exit code of a command that fails so.
    pub fn exit_code(&self) -> u8 {
        match self {
            Error::Io(_) | Error::Message(_) | Error::Other(_) => 1,
            Error::Usage(_) => 2,
            Error::Interrupted(_) => INTERRUPTED,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Io(error) => f.write_str(&error_text::of_system(error)),
            Error::Message(text) | Error::Usage(text) | Error::Interrupted(text) => {
                f.write_str(&error_text::plain(text))
            }
            Error::Other(error) => f.write_str(&error_text::plain(&error.to_string())),
        }
    }
}

impl std::error::Error for Error {}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Error {
        Error::Io(error)
    }
}

impl From<String> for Error {
    fn from(text: String) -> Error {
        Error::Message(text)
    }
}

impl From<ReadPositionError> for Error {
    fn from(error: ReadPositionError) -> Error {
        Error::Message(error.to_string())
    }
}

impl From<PositionError> for Error {
    fn from(error: PositionError) -> Error {
        Error::Message(error.to_string())
    }
}
