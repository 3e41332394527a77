//! Text files on disk.

use super::source::{LineBreaks, Outcome, Task, io_class, read_window};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyString, PyType, PyWeakrefMethods, PyWeakrefReference};
use std::fs::File;
use std::sync::Mutex;

/// Files that were read last, the latest at the end.
static FILES: Mutex<Vec<TextFile>> = Mutex::new(Vec::new());

/// How many files are kept in mind.
const MOST_FILES: usize = 8;

/// How much is read at once at first.
const FIRST: usize = 1 << 16;

/// A file that Python reads, and the part of it that was read here.
struct TextFile {
    handle: Py<PyWeakrefReference>,
    buffer: Py<PyAny>,
    file: File,
    window: Vec<u8>,
    /// Where in the file the window begins.
    start: u64,
    /// Where the file was left, in which state what Python has buffered is empty.
    end: Option<u64>,
    breaks: LineBreaks,
    /// Whether all bytes must be those of ASCII.
    is_ascii: bool,
}

/// Reads from a file, unless it is none on disk or one with something odd.
pub(super) fn read<T>(handle: &Bound<'_, PyAny>, task: &impl Task<T>) -> PyResult<Option<T>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    if !handle
        .get_type()
        .is(io_class(handle.py(), "TextIOWrapper", &CLASS)?)
    {
        return Ok(None);
    }
    // Threads that share a file take turns at asking it for lines, as in Python. One that looks into
    // it meanwhile would put it back to where the others have been.
    let Some(_turn) = Turn::take(handle) else {
        return Ok(None);
    };
    let Some(mut file) = take(handle) else {
        return Ok(None);
    };
    let read = file.read(handle, task);
    // What is forgotten is dropped when the lock is free again: closing a file lets others run.
    let mut forgotten = None;
    if let Ok(mut files) = FILES.lock() {
        if files.len() >= MOST_FILES {
            forgotten = Some(files.remove(0));
        }
        files.push(file);
    }
    drop(forgotten);
    read
}

/// That a thread looks into a file, by the address of the object in Python.
struct Turn(usize);

/// The files that threads look into.
static TURNS: Mutex<Vec<usize>> = Mutex::new(Vec::new());

impl Turn {
    /// A turn, unless somebody has it.
    fn take(handle: &Bound<'_, PyAny>) -> Option<Turn> {
        let address = handle.as_ptr() as usize;
        let mut turns = TURNS.lock().ok()?;
        if turns.contains(&address) {
            return None;
        }
        turns.push(address);
        Some(Turn(address))
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if let Ok(mut turns) = TURNS.lock() {
            turns.retain(|&address| address != self.0);
        }
    }
}

/// What is known of a file.
fn take(handle: &Bound<'_, PyAny>) -> Option<TextFile> {
    let py = handle.py();
    let (known, closed) = FILES.lock().ok().map_or((None, Vec::new()), |mut files| {
        let owner = |file: &TextFile| file.handle.bind(py).upgrade();
        let is_it = |file: &TextFile| owner(file).is_some_and(|known| known.is(handle));
        if let Some(at) = files.iter().rposition(is_it) {
            return (Some(files.remove(at)), Vec::new());
        }
        let is_closed = |file: &mut TextFile| owner(file).is_none();
        (None, files.extract_if(.., is_closed).collect())
    });
    drop(closed);
    known.or_else(|| TextFile::new(handle).ok().flatten())
}

impl TextFile {
    fn new(handle: &Bound<'_, PyAny>) -> PyResult<Option<TextFile>> {
        static BUFFERED: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        static RAW: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        let py = handle.py();
        let buffer = handle.getattr(intern!(py, "buffer"))?;
        if !buffer
            .get_type()
            .is(io_class(py, "BufferedReader", &BUFFERED)?)
        {
            return Ok(None);
        }
        let raw = buffer.getattr(intern!(py, "raw"))?;
        if !raw.get_type().is(io_class(py, "FileIO", &RAW)?) {
            return Ok(None);
        }
        let encoding = handle.getattr(intern!(py, "encoding"))?;
        let encoding = encoding
            .cast::<PyString>()?
            .to_string_lossy()
            .to_ascii_lowercase();
        let is_ascii = match encoding.as_str() {
            "utf-8" | "utf8" => false,
            "ascii" | "us-ascii" | "latin-1" | "iso-8859-1" | "iso8859-1" | "cp1252" => true,
            _ => return Ok(None),
        };
        let descriptor = raw.call_method0(intern!(py, "fileno"))?.extract::<i32>()?;
        // The same file with a position of its own, where the system has such a name for it.
        let Ok(file) = File::open(format!("/proc/self/fd/{descriptor}")) else {
            return Ok(None);
        };
        if !file.metadata().is_ok_and(|metadata| metadata.is_file()) {
            return Ok(None);
        }
        Ok(Some(TextFile {
            handle: PyWeakrefReference::new(handle)?.unbind(),
            buffer: buffer.unbind(),
            file,
            window: Vec::new(),
            start: 0,
            end: None,
            breaks: LineBreaks::Unknown,
            is_ascii,
        }))
    }

    fn read<T>(&mut self, handle: &Bound<'_, PyAny>, task: &impl Task<T>) -> PyResult<Option<T>> {
        let py = handle.py();
        let Some(position) = self.position(handle)? else {
            return Ok(None);
        };
        self.end = Some(position);
        let mut wanted = 1;
        while let Some(is_last) = self.show(position, wanted) {
            let skipped = (position - self.start) as usize;
            let window = self.window.get(skipped..).unwrap_or_default();
            match read_window(window, is_last, self.breaks, task) {
                Outcome::Read(read, length) => {
                    let used = window.get(..length).unwrap_or_default();
                    if self.is_ascii && !used.is_ascii() {
                        break;
                    }
                    let end = position + length as u64;
                    let seek = intern!(py, "seek");
                    self.buffer.bind(py).call_method1(seek, (end,))?;
                    self.end = Some(end);
                    return Ok(Some(read));
                }
                Outcome::TooShort => wanted = window.len().saturating_mul(4).max(FIRST),
                Outcome::Unfit => {
                    if self.breaks == LineBreaks::Unknown && self.learn_breaks(handle, position)? {
                        continue;
                    }
                    break;
                }
            }
        }
        // Python reads on from here by itself.
        self.end = None;
        Ok(None)
    }

    /// Where the file is, as a number of bytes, with nothing in Python's buffer for text.
    fn position(&mut self, handle: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
        let py = handle.py();
        let tell = intern!(py, "tell");
        // A closed file says what is wrong when it is asked for a line.
        let Ok(buffered) = self.buffer.bind(py).call_method0(tell) else {
            return Ok(None);
        };
        let buffered = buffered.extract::<u64>()?;
        if self.end == Some(buffered) {
            return Ok(Some(buffered));
        }
        self.window.clear();
        // While lines are iterated over, a file does not tell.
        let Ok(position) = handle.call_method0(tell) else {
            return Ok(None);
        };
        // A decoder with a state makes it a number beyond all files.
        let Ok(position) = position.extract::<u64>() else {
            return Ok(None);
        };
        handle.call_method1(intern!(py, "seek"), (position,))?;
        Ok(Some(position))
    }

    /// Makes the window hold so many bytes from a position on, if the file has them. Tells whether
    /// the file is known to end with it; `None` if it cannot be read.
    fn show(&mut self, position: u64, wanted: usize) -> Option<bool> {
        let end = self.start + self.window.len() as u64;
        if position < self.start || position > end {
            self.window.clear();
            self.start = position;
        }
        let skipped = (position - self.start) as usize;
        let shown = self.window.len() - skipped;
        if shown >= wanted {
            return Some(false);
        }
        let wanted = wanted.max(FIRST);
        self.window.drain(..skipped);
        self.start = position;
        self.window.resize(wanted, 0);
        let mut filled = shown;
        while let Some(rest) = self
            .window
            .get_mut(filled..)
            .filter(|rest| !rest.is_empty())
        {
            match read_at(&self.file, rest, position + filled as u64) {
                Ok(0) => break,
                Ok(count) => filled += count,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(_) => return None,
            }
        }
        self.window.truncate(filled);
        Some(filled < wanted)
    }

    /// Finds out whether Python translates line breaks, by a line that ends in `\r\n`.
    fn learn_breaks(&mut self, handle: &Bound<'_, PyAny>, position: u64) -> PyResult<bool> {
        let py = handle.py();
        let skipped = (position - self.start) as usize;
        let window = self.window.get(skipped..).unwrap_or_default();
        let Some(at) = memchr::memchr(b'\n', window) else {
            return Ok(false);
        };
        let line = window.get(..=at).unwrap_or_default();
        if !line.ends_with(b"\r\n") || memchr::memchr(b'\r', line) != Some(at - 1) {
            return Ok(false);
        }
        let read = handle.call_method0(intern!(py, "readline"));
        handle.call_method1(intern!(py, "seek"), (position,))?;
        let read = read?;
        let read = read.cast::<PyString>()?.to_string_lossy();
        self.breaks = if read.ends_with("\r\n") {
            LineBreaks::Kept
        } else {
            LineBreaks::Translated
        };
        Ok(true)
    }
}

#[cfg(unix)]
fn read_at(file: &File, buffer: &mut [u8], at: u64) -> std::io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, at)
}

/// Never called, as such files have no other name.
#[cfg(not(unix))]
fn read_at(_: &File, _: &mut [u8], _: u64) -> std::io::Result<usize> {
    Err(std::io::ErrorKind::Unsupported.into())
}
