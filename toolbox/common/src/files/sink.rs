//! A file or the standard output.

use super::{NewFile, Replace, is_dash, same_file};
use crate::console::TextOutput;
use crate::error::{Error, Result};
use crate::note;
use std::io::{self, BufWriter, IsTerminal, Write, stdout};
use std::path::Path;

/// The output of a command that has an option for a file.
pub enum Sink {
    /// Without the option.
    Stdout(BufWriter<TextOutput>),
    /// With it.
    File(Box<NewFile>),
}

impl Sink {
    /// Begins the file; without one, or for `-`, it is the standard output.
    ///
    /// # Errors
    /// As [`NewFile::create`], and when the standard output is one of the inputs.
    pub fn open(
        path: Option<&Path>,
        replace: Replace,
        inputs: &[impl AsRef<Path>],
    ) -> Result<Sink> {
        const SIZE: usize = 1 << 16;
        if let Some(path) = path.filter(|path| !is_dash(path)) {
            let file = NewFile::create(path, replace, inputs)?;
            return Ok(Sink::File(Box::new(file)));
        }
        same_file::refuse_stdout(inputs)?;
        Ok(Sink::Stdout(BufWriter::with_capacity(
            SIZE,
            TextOutput::new(),
        )))
    }

    /// Refuses a terminal for what is no text; `what` begins the message.
    ///
    /// # Errors
    /// When this is the standard output, and that a terminal.
    pub fn refuse_terminal(&self, what: &str) -> Result {
        if matches!(self, Sink::Stdout(_)) && stdout().is_terminal() {
            let message = format!("{what} cannot be written to a terminal: name a file");
            return Err(Error::Usage(message));
        }
        Ok(())
    }

    /// Writes the rest, and moves the file to its final path.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(self) -> Result {
        match self {
            Sink::Stdout(mut writer) => Ok(writer.flush()?),
            Sink::File(file) => file.finish(),
        }
    }

    /// Finishes, and tells the user how it went: on standard error where the standard output has
    /// the output itself.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish_with(self, summary: &str) -> Result {
        let is_stdout = matches!(self, Sink::Stdout(_));
        self.finish()?;
        if is_stdout {
            note!("{summary}");
        } else {
            writeln!(stdout(), "{summary}")?;
        }
        Ok(())
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Sink::Stdout(writer) => writer.write(bytes),
            Sink::File(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Sink::Stdout(writer) => writer.flush(),
            Sink::File(file) => file.flush(),
        }
    }
}
