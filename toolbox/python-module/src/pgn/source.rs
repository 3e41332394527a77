//! The lines of Python's text files.
//!
//! Any object with a method `readline` will do. Calling that for each line takes longer than
//! reading the line, so files on disk and strings are read directly, and then moved to the end of
//! what was read.
//!
//! Games with lines of two kinds are not read here: with lone surrogates, by which Python keeps bytes
//! that are no text, and with a `\n` that ends no line, as the file was opened for other line breaks.

use super::io_class::io_class;
use super::text_file;
use super::text_part::{self, LineBreaks, ReadOutcome, ReadTask, Rest, TextPart};
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyType};
use pyo3::{intern, sync::PyOnceLock};
use python_chess::games::{LineSource, Reader};
use std::io;
use std::mem;

pyo3::create_exception!(
    mola._mola.pgn,
    UnsupportedLine,
    PyException,
    "Raised with the lines that have been read when only Python can read the last of them."
);

/// A method that gives a line.
struct Method<'py> {
    readline: Bound<'py, PyAny>,
    line: String,
    /// The lines so far, where texts are kept.
    lines: Option<Vec<Bound<'py, PyString>>>,
}

impl LineSource for Method<'_> {
    fn next_line(&mut self) -> io::Result<()> {
        let read = self.readline.call0()?;
        let read = read.cast_into::<PyString>().map_err(PyErr::from)?;
        self.line.clear();
        let Some(lines) = &mut self.lines else {
            self.line.push_str(&read.to_string_lossy());
            return Ok(());
        };
        let text = read.to_cow().ok().filter(|text| is_one_line(text));
        let is_unsupported = text.is_none();
        self.line.push_str(&text.unwrap_or_default());
        lines.push(read);
        if is_unsupported {
            let lines = PyList::new(self.readline.py(), mem::take(lines))?;
            return Err(UnsupportedLine::new_err(lines.unbind()).into());
        }
        Ok(())
    }

    fn line(&self) -> &str {
        &self.line
    }
}

/// Whether there is no line break before the end.
fn is_one_line(text: &str) -> bool {
    memchr::memchr(b'\n', text.as_bytes()).is_none_or(|at| at + 1 == text.len())
}

/// Reads from a file, and leaves it behind what was read.
pub(super) fn read<T: ReadTask>(handle: &Bound<'_, PyAny>, task: &T) -> PyResult<T::Result> {
    if let Some(read) = text_file::read(handle, task)? {
        return Ok(read);
    }
    if let Some(read) = read_string(handle, task)? {
        return Ok(read);
    }
    let readline = handle.getattr(intern!(handle.py(), "readline"))?;
    let method = Method {
        readline,
        line: String::new(),
        lines: task.keeps_text().then(Vec::new),
    };
    Ok(task.read(&mut Reader::of(method))?)
}

/// Reads from a text in memory.
fn read_string<T: ReadTask>(handle: &Bound<'_, PyAny>, task: &T) -> PyResult<Option<T::Result>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    const FIRST_PART: usize = 1 << 12;
    let py = handle.py();
    if !handle.get_type().is(io_class(py, "StringIO", &CLASS)?) {
        return Ok(None);
    }
    let (read, seek) = (intern!(py, "read"), intern!(py, "seek"));
    let start = handle
        .call_method0(intern!(py, "tell"))?
        .extract::<usize>()?;
    let mut size = FIRST_PART;
    loop {
        let part = handle.call_method1(read, (size,))?;
        let part = part.cast::<PyString>()?;
        let characters = part.len()?;
        let outcome = match part.to_cow() {
            Ok(text) => read_part(&text, characters < size, task),
            // Lone surrogates.
            Err(_) => ReadOutcome::Unfit,
        };
        let end = match outcome {
            ReadOutcome::Read(_, length) => length,
            ReadOutcome::TooShort | ReadOutcome::Unfit => 0,
        };
        handle.call_method1(seek, (start + end,))?;
        match outcome {
            ReadOutcome::Read(value, _) => return Ok(Some(value)),
            ReadOutcome::TooShort => size = size.saturating_mul(4),
            ReadOutcome::Unfit => return Ok(None),
        }
    }
}

/// Reads from a part of a text, and counts the characters that it took.
fn read_part<T: ReadTask>(text: &str, is_last: bool, task: &T) -> ReadOutcome<T::Result> {
    let part = TextPart {
        text,
        rest: if is_last { Rest::Nothing } else { Rest::Text },
        breaks: LineBreaks::Unknown,
    };
    match text_part::read(part, task) {
        ReadOutcome::Read(value, bytes) => {
            let before = text.get(..bytes).unwrap_or_default();
            ReadOutcome::Read(value, before.chars().count())
        }
        outcome => outcome,
    }
}
