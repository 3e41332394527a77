//! Text files on disk.

use super::file_lock::FileLock;
use super::io_class::io_class;
use super::read_ahead::{MIN_READ, ReadAhead};
use super::text_part::{self, LineBreaks, ReadOutcome, ReadTask, Rest, TextPart};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyString, PyType, PyWeakrefMethods, PyWeakrefReference};
use std::fs::{self, File};
use std::sync::Mutex;

/// Files that were read last, the latest at the end.
static FILES: Mutex<Vec<TextFile>> = Mutex::new(Vec::new());

/// How much Python decodes of the beginning of a file at most, when it is asked for a part of the
/// first line.
const FIRST_CHUNK: u64 = 1 << 17;

/// How many files are remembered.
const MAX_FILES: usize = 8;

/// A file that Python reads, and the part of it that was read here.
struct TextFile {
    handle: Py<PyWeakrefReference>,
    buffer: Py<PyAny>,
    ahead: ReadAhead,
    /// The position at which the last read left the file.
    end: Option<u64>,
    /// Whether the file shows by its `newlines` that it was asked for text since it was left.
    shows_reading: bool,
    /// Whether `\n` alone is known to end its lines: the caller may have asked for others.
    breaks_at_newlines: bool,
    place: Place,
    /// Where what Python has buffered ended when it was last filled.
    buffered: u64,
    breaks: LineBreaks,
    encoding: Encoding,
}

/// Where a file was left.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    WithinLine,
    /// Behind a line break.
    BehindLine,
    /// Behind all of it, so that it may never be asked for more.
    AtEnd,
}

/// The encoding of a file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Encoding {
    Utf8,
    /// One that has the characters of ASCII where UTF-8 has them: others are left to Python.
    LikeAscii,
}

/// Reads from a file natively, if it is an ordinary text file on disk.
pub(super) fn read<T: ReadTask>(
    handle: &Bound<'_, PyAny>,
    task: &T,
) -> PyResult<Option<T::Result>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    if !handle
        .get_type()
        .is(io_class(handle.py(), "TextIOWrapper", &CLASS)?)
    {
        return Ok(None);
    }
    // Threads that share a file take turns at asking it for lines, as in Python. One that looks
    // into it meanwhile would put it back to where the others have been.
    let Some(_lock) = FileLock::take(handle) else {
        return Ok(None);
    };
    let Some(mut file) = take(handle) else {
        return Ok(None);
    };
    let read = file.read(handle, task);
    if file.place != Place::AtEnd {
        keep(file);
    }
    read
}

/// Remembers a file, perhaps instead of another.
fn keep(file: TextFile) {
    // What is forgotten is dropped when the lock is free again: closing a file lets others run.
    let mut forgotten = None;
    if let Ok(mut files) = FILES.lock() {
        if files.len() >= MAX_FILES {
            forgotten = Some(files.remove(0));
        }
        files.push(file);
    }
    drop(forgotten);
}

/// Forgets the file that a weak reference was to, so that it is closed when the caller's is.
#[pyfunction]
fn forget(handle: &Bound<'_, PyAny>) {
    let forgotten = FILES.lock().ok().map(|mut files| {
        let is_it = |file: &mut TextFile| file.handle.as_ptr() == handle.as_ptr();
        files.extract_if(.., is_it).collect::<Vec<_>>()
    });
    drop(forgotten);
}

/// What is known of a file.
fn take(handle: &Bound<'_, PyAny>) -> Option<TextFile> {
    let py = handle.py();
    let known = FILES.lock().ok().and_then(|mut files| {
        let owner = |file: &TextFile| file.handle.bind(py).upgrade();
        let is_it = |file: &TextFile| owner(file).is_some_and(|known| known.is(handle));
        let at = files.iter().rposition(is_it)?;
        Some(files.remove(at))
    });
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
        let encoding = match encoding.as_str() {
            "utf-8" | "utf8" => Encoding::Utf8,
            "ascii" | "us-ascii" | "latin-1" | "iso-8859-1" | "iso8859-1" | "cp1252" => {
                Encoding::LikeAscii
            }
            _ => return Ok(None),
        };
        let descriptor = raw.call_method0(intern!(py, "fileno"))?.extract::<i32>()?;
        let path = format!("/proc/self/fd/{descriptor}");
        // To open a named pipe would wait for somebody who writes to it.
        if !fs::metadata(&path).is_ok_and(|metadata| metadata.is_file()) {
            return Ok(None);
        }
        // The same file with its own offset, if the system has a path for it.
        let Ok(file) = File::open(path) else {
            return Ok(None);
        };
        let forget = wrap_pyfunction!(forget, py)?;
        Ok(Some(TextFile {
            handle: PyWeakrefReference::new_with(handle, forget)?.unbind(),
            buffer: buffer.unbind(),
            ahead: ReadAhead::new(file),
            end: None,
            shows_reading: false,
            breaks_at_newlines: false,
            place: Place::WithinLine,
            buffered: 0,
            breaks: LineBreaks::Unknown,
            encoding,
        }))
    }

    fn read<T: ReadTask>(
        &mut self,
        handle: &Bound<'_, PyAny>,
        task: &T,
    ) -> PyResult<Option<T::Result>> {
        if let Some(read) = self.read_on(handle, task)? {
            return Ok(Some(read));
        }
        let Some(position) = self.position(handle)? else {
            return Ok(None);
        };
        self.end = Some(position);
        loop {
            match self.look(position, task) {
                ReadOutcome::Read(read, length) => {
                    let end = position + length as u64;
                    let seek = intern!(handle.py(), "seek");
                    self.buffer.bind(handle.py()).call_method1(seek, (end,))?;
                    self.end = Some(end);
                    return Ok(Some(read));
                }
                ReadOutcome::Unfit
                    if self.breaks == LineBreaks::Unknown
                        && self.learn_breaks(handle, position)? => {}
                ReadOutcome::Unfit | ReadOutcome::TooShort => break,
            }
        }
        // Python reads on from here by itself.
        self.end = None;
        Ok(None)
    }

    /// Reads from where the file was left, if it is still there: `seek` tells that with no other
    /// call than the one that leaves it behind what was read. It may be there because text up to
    /// there was decoded for somebody who has taken only some of it; that text ends in a line break
    /// then, which the file has seen. But `tell` makes a file forget the line breaks behind the
    /// place that it tells, if what was decoded begins with the file: there it is asked for its
    /// place.
    fn read_on<T: ReadTask>(
        &mut self,
        handle: &Bound<'_, PyAny>,
        task: &T,
    ) -> PyResult<Option<T::Result>> {
        const FROM_HERE: u8 = 1;
        let py = handle.py();
        let Some(position) = self
            .end
            .filter(|_| self.shows_reading && self.place == Place::BehindLine)
        else {
            return Ok(None);
        };
        if !has_no_newlines(handle) {
            return Ok(None);
        }
        let ReadOutcome::Read(read, length) = self.look(position, task) else {
            return Ok(None);
        };
        if (length == 0 || position <= FIRST_CHUNK) && !is_at(handle, position) {
            return Ok(None);
        }
        let (buffer, seek) = (self.buffer.bind(py), intern!(py, "seek"));
        // A closed file raises the exception when a line is read.
        let Ok(now) = buffer.call_method1(seek, (length, FROM_HERE)) else {
            return Ok(None);
        };
        let now = now.extract::<u64>()?;
        if now == position + length as u64 {
            self.end = Some(now);
            self.fill_buffer(py, now, length)?;
            return Ok(Some(read));
        }
        // Somebody has moved it meanwhile.
        buffer.call_method1(seek, (now.saturating_sub(length as u64),))?;
        Ok(None)
    }

    /// Lets Python read on into its buffer: `seek` is quick within it, and asks the system beyond
    /// it.
    fn fill_buffer(&mut self, py: Python<'_>, now: u64, length: usize) -> PyResult<()> {
        // What is longer is beyond it anyway.
        const LONG: usize = 1 << 12;
        if now >= self.buffered && length < LONG {
            let peeked = self.buffer.bind(py).call_method0(intern!(py, "peek"))?;
            self.buffered = now + peeked.len()? as u64;
        }
        Ok(())
    }

    /// Reads from a position, without a change of what Python knows.
    fn look<T: ReadTask>(&mut self, position: u64, task: &T) -> ReadOutcome<T::Result> {
        let mut wanted = 1;
        while let Some(rest) = self.ahead.show(position, wanted) {
            let text = self.ahead.shown(position);
            let breaks = if self.ahead.has_returns() {
                self.breaks
            } else {
                LineBreaks::Plain
            };
            match text_part::read(TextPart { text, rest, breaks }, task) {
                ReadOutcome::TooShort => wanted = text.len().saturating_mul(4).max(MIN_READ),
                ReadOutcome::Read(_, length)
                    if self.encoding == Encoding::LikeAscii
                        && !text.get(..length).is_some_and(str::is_ascii) =>
                {
                    return ReadOutcome::Unfit;
                }
                ReadOutcome::Read(read, length) => {
                    let read_text = text.get(..length);
                    self.place = if rest == Rest::Nothing && length == text.len() {
                        Place::AtEnd
                    } else if read_text.is_some_and(|text| text.ends_with('\n')) {
                        Place::BehindLine
                    } else {
                        Place::WithinLine
                    };
                    return ReadOutcome::Read(read, length);
                }
                ReadOutcome::Unfit => return ReadOutcome::Unfit,
            }
        }
        ReadOutcome::Unfit
    }

    /// Where the file is, as a number of bytes, with nothing in Python's buffer for text.
    fn position(&mut self, handle: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
        let py = handle.py();
        // A closed file says what is wrong when it is asked for a line, and one whose lines are
        // iterated over does not tell.
        let Ok(position) = handle.call_method0(intern!(py, "tell")) else {
            return Ok(None);
        };
        // A decoder with a state makes it a number beyond all files, and so may another thread that
        // reads a line.
        let Some(position) = position
            .extract::<i64>()
            .ok()
            .and_then(|position| u64::try_from(position).ok())
        else {
            return Ok(None);
        };
        if self.end != Some(position) {
            self.ahead.forget();
            self.buffered = 0;
        }
        if !self.shows_reading {
            // Whether it can be read is found out later.
            let line = handle.call_method0(intern!(py, "readline"));
            self.shows_reading = !has_no_newlines(handle);
            self.breaks_at_newlines = self.breaks_at_newlines
                || self.shows_reading
                || line.is_ok_and(|line| is_line(handle, &line));
        }
        put_back(handle, position)?;
        Ok(self.breaks_at_newlines.then_some(position))
    }

    /// Finds out whether Python translates line breaks, by a line that ends in `\r\n`.
    fn learn_breaks(&mut self, handle: &Bound<'_, PyAny>, position: u64) -> PyResult<bool> {
        let py = handle.py();
        let text = self.ahead.shown(position);
        let Some(at) = memchr::memchr(b'\n', text.as_bytes()) else {
            return Ok(false);
        };
        let line = text.as_bytes().get(..=at).unwrap_or_default();
        if !line.ends_with(b"\r\n") || memchr::memchr(b'\r', line) != Some(at - 1) {
            return Ok(false);
        }
        let read = handle.call_method0(intern!(py, "readline"));
        put_back(handle, position)?;
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

/// Whether a file tells that it is at a position, with nothing in Python's buffer for text.
fn is_at(handle: &Bound<'_, PyAny>, position: u64) -> bool {
    let told = handle.call_method0(intern!(handle.py(), "tell"));
    told.is_ok_and(|told| told.extract::<u64>().is_ok_and(|told| told == position))
}

/// Whether a file has seen no line breaks, or does not say.
fn has_no_newlines(handle: &Bound<'_, PyAny>) -> bool {
    let newlines = handle.getattr(intern!(handle.py(), "newlines"));
    newlines.is_ok_and(|newlines| newlines.is_none())
}

/// Whether a line that has just been read ends where it does because of a `\n` alone.
fn is_line(handle: &Bound<'_, PyAny>, line: &Bound<'_, PyAny>) -> bool {
    let line = line.cast::<PyString>().map(|line| line.to_string_lossy());
    if !line.is_ok_and(|line| line.ends_with('\n') && !line.ends_with("\r\n")) {
        return false;
    }
    // It may have ended with the file.
    let next = handle.call_method1(intern!(handle.py(), "read"), (1,));
    next.is_ok_and(|next| next.len().is_ok_and(|length| length > 0))
}

/// Puts a file back, as one that has seen no line breaks: it forgets them at its start alone.
fn put_back(handle: &Bound<'_, PyAny>, position: u64) -> PyResult<()> {
    let seek = intern!(handle.py(), "seek");
    handle.call_method1(seek, (0,))?;
    handle.call_method1(seek, (position,))?;
    Ok(())
}
