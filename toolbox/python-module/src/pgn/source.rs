//! The lines of Python's text files.
//!
//! Any object with a method `readline` will do. To ask it for each line takes longer than to read
//! a line, so files on disk and strings are looked into, and then put behind what was read.

use super::text_file;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyType};
use pyo3::{intern, sync::PyOnceLock};
use python_chess::games::{Lines, Reader};
use std::io;

/// What a game is read from.
pub(super) enum Source<'a> {
    /// A method that gives a line.
    Method(Bound<'a, PyAny>),
    /// A part of a text.
    Window(Window<'a>),
}

impl Lines for Source<'_> {
    fn next_line(&mut self, line: &mut String) -> io::Result<()> {
        match self {
            Source::Method(readline) => {
                let read = readline.call0()?;
                line.push_str(
                    &read
                        .cast::<PyString>()
                        .map_err(PyErr::from)?
                        .to_string_lossy(),
                );
                Ok(())
            }
            Source::Window(window) => window.next_line(line),
        }
    }
}

/// A part of a text, from where a reader is.
pub(super) struct Window<'a> {
    text: &'a [u8],
    at: usize,
    /// Whether the text ends here.
    is_last: bool,
    breaks: LineBreaks,
    /// Whether a line of it is longer than it.
    is_too_short: bool,
}

/// What becomes of line breaks that are not `\n` alone.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum LineBreaks {
    /// Nobody knows, so that there may be none.
    Unknown,
    /// `\r\n` becomes `\n`.
    Translated,
    /// `\r\n` stays.
    Kept,
}

impl Window<'_> {
    #[inline]
    fn next_line(&mut self, line: &mut String) -> io::Result<()> {
        let mut rest = self.text.get(self.at..).unwrap_or_default();
        let length = match memchr::memchr(b'\n', rest) {
            Some(at) => at + 1,
            None if self.is_last => rest.len(),
            None => {
                self.is_too_short = true;
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        };
        self.at += length;
        rest = rest.get(..length).unwrap_or_default();
        let Ok(mut text) = std::str::from_utf8(rest) else {
            return Err(io::ErrorKind::InvalidData.into());
        };
        let mut line_break = "";
        if let Some(at) = memchr::memchr(b'\r', rest) {
            if at + 2 != length || rest.last() != Some(&b'\n') || self.breaks == LineBreaks::Unknown
            {
                return Err(io::ErrorKind::InvalidData.into());
            }
            if self.breaks == LineBreaks::Translated {
                (text, line_break) = (text.get(..at).unwrap_or_default(), "\n");
            }
        }
        line.push_str(text);
        line.push_str(line_break);
        Ok(())
    }
}

/// What came of reading from a part of a text.
pub(super) enum Outcome<T> {
    /// What was read, and the number of bytes that it took.
    Read(T, usize),
    /// A longer part is needed.
    TooShort,
    /// The file has to be asked for its lines.
    Unfit,
}

/// What is read from a file.
pub(super) trait Task<T>: Fn(&mut Reader<Source<'_>>) -> io::Result<T> {}

impl<T, F: Fn(&mut Reader<Source<'_>>) -> io::Result<T>> Task<T> for F {}

/// Reads from a part of a text.
pub(super) fn read_window<T>(
    text: &[u8],
    is_last: bool,
    breaks: LineBreaks,
    task: &impl Task<T>,
) -> Outcome<T> {
    let mut reader = Reader::of(Source::Window(Window {
        text,
        at: 0,
        is_last,
        breaks,
        is_too_short: false,
    }));
    let read = task(&mut reader);
    match (reader.lines(), read) {
        (Source::Window(window), Ok(read)) => Outcome::Read(read, window.at),
        (Source::Window(window), _) if window.is_too_short => Outcome::TooShort,
        _ => Outcome::Unfit,
    }
}

/// Reads from a file, and leaves it behind what was read.
pub(super) fn read<T>(handle: &Bound<'_, PyAny>, task: impl Task<T>) -> PyResult<T> {
    if let Some(read) = text_file::read(handle, &task)? {
        return Ok(read);
    }
    if let Some(read) = read_string(handle, &task)? {
        return Ok(read);
    }
    let readline = handle.getattr(intern!(handle.py(), "readline"))?;
    Ok(task(&mut Reader::of(Source::Method(readline)))?)
}

/// A class of the module `io`.
pub(super) fn io_class<'py>(
    py: Python<'py>,
    name: &str,
    cell: &'static PyOnceLock<Py<PyType>>,
) -> PyResult<&'py Bound<'py, PyType>> {
    let find = || -> PyResult<Py<PyType>> {
        Ok(py
            .import("io")?
            .getattr(name)?
            .cast_into::<PyType>()?
            .unbind())
    };
    Ok(cell.get_or_try_init(py, find)?.bind(py))
}

/// Reads from a text in memory.
fn read_string<T>(handle: &Bound<'_, PyAny>, task: &impl Task<T>) -> PyResult<Option<T>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    const FIRST: usize = 1 << 12;
    let py = handle.py();
    if !handle.get_type().is(io_class(py, "StringIO", &CLASS)?) {
        return Ok(None);
    }
    let (read, seek) = (intern!(py, "read"), intern!(py, "seek"));
    let start = handle
        .call_method0(intern!(py, "tell"))?
        .extract::<usize>()?;
    let mut size = FIRST;
    loop {
        let part = handle.call_method1(read, (size,))?;
        let part = part.cast::<PyString>()?;
        let characters = part.len()?;
        let outcome = match part.to_cow() {
            Ok(text) => {
                let is_last = characters < size;
                let outcome = read_window(text.as_bytes(), is_last, LineBreaks::Unknown, task);
                match outcome {
                    Outcome::Read(value, bytes) if text.len() == characters => Ok((value, bytes)),
                    Outcome::Read(value, bytes) => {
                        let before = text.get(..bytes).unwrap_or_default();
                        Ok((value, before.chars().count()))
                    }
                    Outcome::TooShort => Err(true),
                    Outcome::Unfit => Err(false),
                }
            }
            // Halves of characters.
            Err(_) => Err(false),
        };
        let end = outcome.as_ref().map_or(0, |(_, length)| *length);
        handle.call_method1(seek, (start + end,))?;
        match outcome {
            Ok((value, _)) => return Ok(Some(value)),
            Err(true) => size = size.saturating_mul(4),
            Err(false) => return Ok(None),
        }
    }
}
