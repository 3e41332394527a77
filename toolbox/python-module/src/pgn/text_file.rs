//! Text files on disk.

use super::source::io_class;
use super::window::{self, LineBreaks, Outcome, Part, Rest, Task};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyString, PyType, PyWeakrefMethods, PyWeakrefReference};
use std::fs::File;
use std::mem;
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
    /// A part of the file.
    text: String,
    /// What was read behind it, which is not text or not all of a character.
    undecoded: Vec<u8>,
    /// Where in the file the text begins.
    start: u64,
    /// Whether there is a `\r` in the text.
    has_returns: bool,
    /// Where the file was left.
    end: Option<u64>,
    /// Whether the file shows by its `newlines` that it was asked for text since it was left.
    shows_reading: bool,
    /// Whether it was left behind a line break.
    is_behind_line: bool,
    /// Where what Python has buffered ended when it was last filled.
    buffered: u64,
    breaks: LineBreaks,
    encoding: Encoding,
}

/// What bytes mean.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Encoding {
    Utf8,
    /// One that has the characters of ASCII where UTF-8 has them: others are left to Python.
    LikeAscii,
}

/// Reads from a file, unless it is none on disk or one with something odd.
pub(super) fn read<T: Task>(handle: &Bound<'_, PyAny>, task: &T) -> PyResult<Option<T::Result>> {
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
        let encoding = match encoding.as_str() {
            "utf-8" | "utf8" => Encoding::Utf8,
            "ascii" | "us-ascii" | "latin-1" | "iso-8859-1" | "iso8859-1" | "cp1252" => {
                Encoding::LikeAscii
            }
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
            text: String::new(),
            undecoded: Vec::new(),
            start: 0,
            has_returns: false,
            end: None,
            shows_reading: false,
            is_behind_line: false,
            buffered: 0,
            breaks: LineBreaks::Unknown,
            encoding,
        }))
    }

    fn read<T: Task>(
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
                Outcome::Read(read, length) => {
                    let end = position + length as u64;
                    let seek = intern!(handle.py(), "seek");
                    self.buffer.bind(handle.py()).call_method1(seek, (end,))?;
                    self.end = Some(end);
                    return Ok(Some(read));
                }
                Outcome::Unfit
                    if self.breaks == LineBreaks::Unknown
                        && self.learn_breaks(handle, position)? => {}
                Outcome::Unfit | Outcome::TooShort => break,
            }
        }
        // Python reads on from here by itself.
        self.end = None;
        Ok(None)
    }

    /// Reads from where the file was left, if it is still there: `seek` tells that with no other call
    /// than the one that leaves it behind what was read. It may be there because text up to there was
    /// decoded for somebody who has taken only some of it; that text ends in a line break then.
    fn read_on<T: Task>(
        &mut self,
        handle: &Bound<'_, PyAny>,
        task: &T,
    ) -> PyResult<Option<T::Result>> {
        const FROM_HERE: u8 = 1;
        let py = handle.py();
        let Some(position) = self
            .end
            .filter(|_| self.shows_reading && self.is_behind_line)
        else {
            return Ok(None);
        };
        if !has_no_newlines(handle) {
            return Ok(None);
        }
        let Outcome::Read(read, length) = self.look(position, task) else {
            return Ok(None);
        };
        let (buffer, seek) = (self.buffer.bind(py), intern!(py, "seek"));
        // A closed file says what is wrong when it is asked for a line.
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

    /// Lets Python read on into its buffer: `seek` is quick within it, and asks the system beyond it.
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
    fn look<T: Task>(&mut self, position: u64, task: &T) -> Outcome<T::Result> {
        let mut wanted = 1;
        while let Some(rest) = self.show(position, wanted) {
            let text = self.shown(position);
            let breaks = if self.has_returns {
                self.breaks
            } else {
                LineBreaks::Plain
            };
            match window::read(Part { text, rest, breaks }, task) {
                Outcome::TooShort => wanted = text.len().saturating_mul(4).max(FIRST),
                Outcome::Read(_, length)
                    if self.encoding == Encoding::LikeAscii
                        && !text.get(..length).is_some_and(str::is_ascii) =>
                {
                    return Outcome::Unfit;
                }
                Outcome::Read(read, length) => {
                    let text = text.get(..length);
                    self.is_behind_line = text.is_some_and(|text| text.ends_with('\n'));
                    return Outcome::Read(read, length);
                }
                Outcome::Unfit => return Outcome::Unfit,
            }
        }
        Outcome::Unfit
    }

    /// What is shown of the file from a position on.
    fn shown(&self, position: u64) -> &str {
        let skipped = position.checked_sub(self.start);
        let skipped = skipped.and_then(|skipped| usize::try_from(skipped).ok());
        skipped
            .and_then(|skipped| self.text.get(skipped..))
            .unwrap_or_default()
    }

    /// Where the file is, as a number of bytes, with nothing in Python's buffer for text.
    fn position(&mut self, handle: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
        let py = handle.py();
        // A closed file says what is wrong when it is asked for a line, and one whose lines are iterated
        // over does not tell.
        let Ok(position) = handle.call_method0(intern!(py, "tell")) else {
            return Ok(None);
        };
        // A decoder with a state makes it a number beyond all files.
        let Ok(position) = position.extract::<u64>() else {
            return Ok(None);
        };
        if self.end != Some(position) {
            self.forget();
        }
        if !self.shows_reading {
            // Whether it can be read is found out later.
            let _ = handle.call_method0(intern!(py, "readline"));
            self.shows_reading = !has_no_newlines(handle);
        }
        put_back(handle, position)?;
        Ok(Some(position))
    }

    /// Forgets what was read.
    fn forget(&mut self) {
        self.text.clear();
        self.undecoded.clear();
        self.buffered = 0;
    }

    /// Shows at least so many bytes from a position on, if the file has them as text. Tells what comes
    /// behind them; `None` if the file cannot be read.
    fn show(&mut self, position: u64, wanted: usize) -> Option<Rest> {
        let shown = self.shown(position).len();
        if shown >= wanted {
            return Some(Rest::Text);
        }
        if shown == 0 {
            self.forget();
        }
        self.text.drain(..self.text.len() - shown);
        self.start = position;
        let wanted = wanted.max(FIRST);
        let mut bytes = mem::take(&mut self.undecoded);
        let mut filled = bytes.len();
        bytes.resize(filled.max(wanted.saturating_sub(shown)), 0);
        while let Some(rest) = bytes.get_mut(filled..).filter(|rest| !rest.is_empty()) {
            match read_at(&self.file, rest, position + (shown + filled) as u64) {
                Ok(0) => break,
                Ok(count) => filled += count,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(_) => return None,
            }
        }
        let is_all = filled < bytes.len();
        bytes.truncate(filled);
        Some(self.push(bytes, is_all))
    }

    /// Adds bytes to the text as far as they are text. Tells what comes behind it.
    fn push(&mut self, bytes: Vec<u8>, is_all: bool) -> Rest {
        let mut rest = if is_all { Rest::Nothing } else { Rest::Text };
        match String::from_utf8(bytes) {
            Ok(text) => self.text.push_str(&text),
            Err(error) => {
                // It may be a character of which only a part was read.
                if is_all || error.utf8_error().error_len().is_some() {
                    rest = Rest::Other;
                }
                let valid = error.utf8_error().valid_up_to();
                let mut bytes = error.into_bytes();
                self.undecoded = bytes.split_off(valid);
                self.text.push_str(&String::from_utf8_lossy(&bytes));
            }
        }
        self.has_returns = memchr::memchr(b'\r', self.text.as_bytes()).is_some();
        rest
    }

    /// Finds out whether Python translates line breaks, by a line that ends in `\r\n`.
    fn learn_breaks(&mut self, handle: &Bound<'_, PyAny>, position: u64) -> PyResult<bool> {
        let py = handle.py();
        let text = self.shown(position);
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

/// Whether a file has seen no line breaks, or does not say.
fn has_no_newlines(handle: &Bound<'_, PyAny>) -> bool {
    let newlines = handle.getattr(intern!(handle.py(), "newlines"));
    newlines.is_ok_and(|newlines| newlines.is_none())
}

/// Puts a file back, as one that has seen no line breaks: it forgets them at its start alone.
fn put_back(handle: &Bound<'_, PyAny>, position: u64) -> PyResult<()> {
    let seek = intern!(handle.py(), "seek");
    handle.call_method1(seek, (0,))?;
    handle.call_method1(seek, (position,))?;
    Ok(())
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
