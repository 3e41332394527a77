//! The lines of Python's text files.
//!
//! Any object with a method `readline` will do. Calling that for each line takes longer than
//! reading the line, so files on disk and strings are read directly, and then moved to the end of
//! what was read.

use super::io_class::io_class;
use super::text_file;
use super::window::{self, LineBreaks, Outcome, Part, Rest, Task};
use pyo3::prelude::*;
use pyo3::types::{PyString, PyType};
use pyo3::{intern, sync::PyOnceLock};
use python_chess::games::{Lines, Reader};
use std::io;

/// A method that gives a line.
struct Method<'py> {
    readline: Bound<'py, PyAny>,
    line: String,
}

impl Lines for Method<'_> {
    fn next_line(&mut self) -> io::Result<()> {
        let read = self.readline.call0()?;
        let read = read.cast::<PyString>().map_err(PyErr::from)?;
        self.line.clear();
        self.line.push_str(&read.to_string_lossy());
        Ok(())
    }

    fn line(&self) -> &str {
        &self.line
    }
}

/// Reads from a file, and leaves it behind what was read.
pub(super) fn read<T: Task>(handle: &Bound<'_, PyAny>, task: &T) -> PyResult<T::Result> {
    if let Some(read) = text_file::read(handle, task)? {
        return Ok(read);
    }
    if let Some(read) = read_string(handle, task)? {
        return Ok(read);
    }
    let readline = handle.getattr(intern!(handle.py(), "readline"))?;
    let line = String::new();
    Ok(task.read(&mut Reader::of(Method { readline, line }))?)
}

/// Reads from a text in memory.
fn read_string<T: Task>(handle: &Bound<'_, PyAny>, task: &T) -> PyResult<Option<T::Result>> {
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
            Ok(text) => read_part(&text, characters < size, task),
            // Lone surrogates.
            Err(_) => Outcome::Unfit,
        };
        let end = match outcome {
            Outcome::Read(_, length) => length,
            Outcome::TooShort | Outcome::Unfit => 0,
        };
        handle.call_method1(seek, (start + end,))?;
        match outcome {
            Outcome::Read(value, _) => return Ok(Some(value)),
            Outcome::TooShort => size = size.saturating_mul(4),
            Outcome::Unfit => return Ok(None),
        }
    }
}

/// Reads from a part of a text, and counts the characters that it took.
fn read_part<T: Task>(text: &str, is_last: bool, task: &T) -> Outcome<T::Result> {
    let part = Part {
        text,
        rest: if is_last { Rest::Nothing } else { Rest::Text },
        breaks: LineBreaks::Unknown,
    };
    match window::read(part, task) {
        Outcome::Read(value, bytes) => {
            let before = text.get(..bytes).unwrap_or_default();
            Outcome::Read(value, before.chars().count())
        }
        outcome => outcome,
    }
}
