//! Diagnostics: to stderr, or to the file that the option `Debug Log File` names. They never mix
//! with protocol output.

use common::date;
use common::error_text::of_system;
use common::files::is_pipe;
use env_logger::DEFAULT_FILTER_ENV;
use log::{LevelFilter, Log, Metadata, Record};
use std::env;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::{Mutex, OnceLock};
use std::time::SystemTime;

/// The log file, if there is one.
static FILE: Mutex<Option<LogFile>> = Mutex::new(None);

struct LogFile {
    path: String,
    file: File,
    failure: Failure,
}

/// Whether a log file could be written. That it could not is told once.
enum Failure {
    None,
    New(io::Error),
    Told,
}

static LOGGER: OnceLock<Logger> = OnceLock::new();

/// Starts logging. `--log LEVEL` overrides the environment variable `RUST_LOG`; without either
/// only errors are written, because some GUIs read stderr as output.
pub(crate) fn start(level: Option<LevelFilter>) {
    let mut builder = env_logger::Builder::new();
    let variable = env::var(DEFAULT_FILTER_ENV).unwrap_or_default();
    match level {
        Some(level) => builder.filter_level(level),
        None if variable.is_empty() => builder.filter_level(LevelFilter::Error),
        None => builder.parse_filters(&variable),
    };
    builder.format(write);
    let logger = LOGGER.get_or_init(|| Logger {
        stderr: builder.build(),
    });
    // A second logger in one process, as in tests, is refused; the first stays.
    if log::set_logger(logger).is_ok() {
        log::set_max_level(logger.stderr.filter());
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
        path => Some(LogFile {
            path: path.to_owned(),
            file: open(path)?,
            failure: Failure::None,
        }),
    };
    if let Ok(mut slot) = FILE.lock() {
        let of_stderr = LOGGER
            .get()
            .map_or(LevelFilter::Error, |l| l.stderr.filter());
        let least = if file.is_some() {
            FOR_FILE
        } else {
            LevelFilter::Off
        };
        log::set_max_level(of_stderr.max(least));
        *slot = file;
    }
    Ok(())
}

/// The words for a log file that could not be written, as on a full disk, once for each.
pub(crate) fn take_failure() -> Option<String> {
    let mut slot = FILE.lock().ok()?;
    let log = slot.as_mut()?;
    let Failure::New(error) = &log.failure else {
        return None;
    };
    let text = cannot_log(&log.path, error);
    log.failure = Failure::Told;
    Some(text)
}

/// Why nothing is written to a log file.
pub(crate) fn cannot_log(path: &str, error: &io::Error) -> String {
    format!("cannot log to {path}: {}", of_system(error))
}

/// Opens a log file. A pipe is refused: opening it, and writing to it, may wait for a reader forever. So
/// are weights, books and other files that a log would damage.
fn open(path: &str) -> io::Result<File> {
    if is_pipe(Path::new(path)) {
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

/// A log file has diagnostics of at least this level, whatever stderr would have.
const FOR_FILE: LevelFilter = LevelFilter::Debug;

/// Writes to the log file or, without one, to stderr what its filter passes.
struct Logger {
    stderr: env_logger::Logger,
}

impl Log for Logger {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.level() <= FOR_FILE || self.stderr.enabled(metadata)
    }

    fn log(&self, record: &Record<'_>) {
        match FILE.lock().as_deref_mut() {
            Ok(Some(log)) if self.enabled(record.metadata()) => {
                let mut line = Vec::new();
                let written = write(&mut line, record).and_then(|()| log.file.write_all(&line));
                if let Err(error) = written
                    && matches!(log.failure, Failure::None)
                {
                    log.failure = Failure::New(error);
                }
            }
            Ok(Some(_)) => {}
            _ => self.stderr.log(record),
        }
    }

    fn flush(&self) {}
}

fn write(out: &mut impl Write, record: &Record<'_>) -> io::Result<()> {
    let time = date::timestamp(SystemTime::now());
    let (level, target) = (record.level(), record.target());
    writeln!(out, "[{time} {level:<5} {target}] {}", record.args())
}
