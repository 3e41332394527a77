//! The one writer of protocol output: whole lines, flushed, so that no GUI waits for a buffer.

use std::fmt;
use std::io::{self, Write};

/// Writes a message to standard error, without control characters, which could drive a terminal; if
/// that fails, it is lost.
#[macro_export]
macro_rules! note {
    ($($argument:tt)*) => { $crate::output::write_note(&format!($($argument)*)) };
}

/// Writes the text of a [`note!`](crate::note), which may have several lines.
pub fn write_note(text: &str) {
    let is_unsafe = |c: char| c.is_control() && c != '\n';
    let _ = writeln!(io::stderr(), "{}", text.replace(is_unsafe, " "));
}

/// Text without control characters, which could drive a terminal: they become blanks.
pub fn readable(text: &str) -> String {
    text.replace(char::is_control, " ")
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readable_text_cannot_drive_a_terminal() {
        assert_eq!(readable("a\x1b[31m\u{9b}2J\r\nb"), "a [31m 2J  b");
    }
}
