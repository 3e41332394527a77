//! The one writer of protocol output: whole lines, flushed, so that no GUI waits for a buffer.

use std::fmt;
use std::io::{self, Write};

/// Where lines go.
pub struct Output {
    sink: Box<dyn Write + Send>,
    line: String,
}

impl Output {
    /// The standard output.
    pub fn stdout() -> Output {
        Output::to(io::stdout())
    }

    /// Any other output.
    pub fn to(sink: impl Write + Send + 'static) -> Output {
        Output {
            sink: Box::new(sink),
            line: String::new(),
        }
    }

    /// Writes a piece of a line, such as a prompt, and flushes it.
    ///
    /// # Errors
    /// When writing fails.
    pub fn part(&mut self, text: &str) -> io::Result<()> {
        self.sink.write_all(text.as_bytes())?;
        self.sink.flush()
    }

    /// Writes one line and flushes it.
    ///
    /// # Errors
    /// When writing fails; because the pipe is closed among other reasons.
    pub fn line(&mut self, text: impl fmt::Display) -> io::Result<()> {
        use fmt::Write;
        self.line.clear();
        // Writing to a string cannot fail.
        let _ = write!(self.line, "{text}");
        log::debug!("> {}", self.line);
        self.line.push('\n');
        self.sink.write_all(self.line.as_bytes())?;
        self.sink.flush()
    }
}
