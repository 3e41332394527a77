//! Diagnostics: to stderr, or to the file that the option `Debug Log File` names. They never mix
//! with protocol output.

use common::date;
use env_logger::DEFAULT_FILTER_ENV;
use log::LevelFilter;
use std::env;
#[cfg(unix)]
use std::fs;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
#[cfg(unix)]
use std::os::unix::fs::FileTypeExt;
use std::path::Path;
use std::sync::Mutex;
use std::time::SystemTime;

/// The log file, if there is one, and the level that was in force before it.
static FILE: Mutex<Option<(File, LevelFilter)>> = Mutex::new(None);

/// Starts logging. `--log LEVEL` overrides the environment variable `RUST_LOG`; without either
/// only errors are written, because some GUIs read stderr as output.
pub(crate) fn start(level: Option<LevelFilter>) {
    let mut builder = env_logger::Builder::new();
    let variable = env::var(DEFAULT_FILTER_ENV).unwrap_or_default();
    let is_silent = level.is_none() && variable.is_empty();
    match level {
        Some(level) => builder.filter_level(level),
        // The filter passes everything that a log file may need; `set_max_level` restricts it.
        None if is_silent => builder.filter_level(LevelFilter::Debug),
        None => builder.parse_filters(&variable),
    };
    builder.target(env_logger::Target::Pipe(Box::new(Sink)));
    builder.format(|out, record| {
        let time = date::timestamp(SystemTime::now());
        let (level, target) = (record.level(), record.target());
        writeln!(out, "[{time} {level:<5} {target}] {}", record.args())
    });
    // A second logger in one process, as in tests, is refused; the first stays.
    if builder.try_init().is_ok() && is_silent {
        log::set_max_level(LevelFilter::Error);
    }
}

/// From now on writes diagnostics, including all protocol lines, to a file; as before that if the name
/// is empty.
///
/// # Errors
/// When the file cannot be opened, is a pipe, or holds no text; nothing changes then.
pub(crate) fn set_file(path: &str) -> io::Result<()> {
    let file = match path {
        "" => None,
        path => Some(open(path)?),
    };
    if let Ok(mut slot) = FILE.lock() {
        let before = slot.take().map_or(log::max_level(), |(_, before)| before);
        let level = if file.is_some() {
            before.max(LevelFilter::Debug)
        } else {
            before
        };
        log::set_max_level(level);
        *slot = file.map(|file| (file, before));
    }
    Ok(())
}

/// Opens a log file. A pipe is refused: opening it, and writing to it, may wait for a reader forever. So
/// are weights, books and other files that a log would damage.
fn open(path: &str) -> io::Result<File> {
    #[cfg(unix)]
    if fs::metadata(path).is_ok_and(|found| found.file_type().is_fifo()) {
        return Err(io::Error::other("it is a pipe"));
    }
    if holds_no_text(path) {
        return Err(io::Error::other("it holds something else than text"));
    }
    OpenOptions::new().create(true).append(true).open(path)
}

/// Whether a file begins with something that no text has.
fn holds_no_text(path: &str) -> bool {
    const LENGTH: u64 = 256;
    let mut begin = Vec::new();
    let is_file = Path::new(path).is_file();
    let read = is_file
        .then(|| File::open(path).and_then(|file| file.take(LENGTH).read_to_end(&mut begin)));
    read.is_some_and(|read| read.is_ok()) && begin.contains(&0)
}

struct Sink;

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match FILE.lock().as_deref_mut() {
            Ok(Some((file, _))) => file.write(bytes),
            _ => io::stderr().write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
