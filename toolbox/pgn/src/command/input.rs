//! Where games come from: files and the standard input, packed or not.

use super::unpack::unpacked;
use crate::Dialect;
use crate::index::Next;
use common::arguments;
use common::bars;
use common::error::{Error, Result};
use common::files::{
    identity, input_name, is_dash, is_device, named, refuse_stdin_twice, refuse_stdout,
};
use engine_core::notation::Language;
use indicatif::ProgressBar;
use std::fs::File;
use std::io::{IsTerminal, Read, Seek, SeekFrom, stderr, stdin, stdout};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Arguments of all subcommands that read games.
#[derive(clap::Args, Debug, Clone)]
pub struct Input {
    /// Files, plain or .gz, .zst, .bz2; - or none is standard input
    pub(super) files: Vec<PathBuf>,
    /// Number of threads; the output does not depend on it
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(super) threads: u16,
    /// Fail on the first problem
    #[arg(long)]
    pub(super) strict: bool,
    /// The piece letters of the moves: en, de, fr, es, ru, …, or figurine. By default, foreign
    /// letters are accepted where they are unambiguous, and reported
    #[arg(
        long,
        value_name = "LANG",
        default_value = "en",
        hide_default_value = true
    )]
    pub(super) lang: Language,
    /// Report neither problems nor how many games were done
    #[arg(long, short)]
    pub quiet: bool,
    /// Whether the caller shows how far it is, by a better measure than bytes.
    #[arg(skip)]
    pub has_bar: bool,
    /// Where reading begins in the one file that there is.
    #[arg(skip)]
    pub(super) next: Next,
}

/// A stream of text and how it is called.
pub(super) struct Stream {
    pub(super) name: Arc<str>,
    pub(super) text: Box<dyn Read + Send>,
    /// Where the text begins in it, and its line.
    pub(super) offset: u64,
    pub(super) line: u64,
}

impl Input {
    /// The files that are read; `-` is the standard input.
    pub fn paths(&self) -> Vec<PathBuf> {
        if self.files.is_empty() {
            vec!["-".into()]
        } else {
            self.files.clone()
        }
    }

    /// The same way to read other files.
    pub(super) fn of(&self, files: Vec<PathBuf>) -> Input {
        Input {
            files,
            ..self.clone()
        }
    }

    /// Refuses missing files that are the rest of a FEN without quotes.
    ///
    /// # Errors
    /// When their names are what follows the board in a FEN.
    pub(super) fn refuse_unquoted(&self, fen: Option<&str>) -> Result {
        let missing = self.files.iter().filter(|path| !path.exists());
        let missing: Vec<_> = missing
            .map(|path| path.to_string_lossy().into_owned())
            .collect();
        arguments::refuse_unquoted(fen, &missing)
    }

    /// What the games that are read depend on, as one writes it: for a note of it.
    pub fn settings(&self, dialect: Option<&dyn Dialect>) -> String {
        let mut words = Vec::new();
        if let Some(dialect) = dialect {
            words.push(format!("--compat {}", dialect.name()));
        }
        if self.lang != Language::ENGLISH {
            words.push(format!("--lang {}", self.lang.code));
        }
        words.extend(self.paths().iter().map(|path| identity(path)));
        words.join(" ")
    }

    /// The streams one after the other, each opened when it is its turn, and a bar that shows how far
    /// they are read.
    ///
    /// # Errors
    /// When a file cannot be opened, or the standard output goes to it, or the standard input is
    /// named twice: none is read then.
    pub(super) fn open(&self) -> Result<(Streams, ProgressBar)> {
        let paths = self.paths();
        if self.files.is_empty() && stdin().is_terminal() {
            return Err(Error::Message(
                "no file is given, and the standard input is a terminal".into(),
            ));
        }
        refuse_stdin_twice(&paths)?;
        refuse_stdout(&paths)?;
        let bar = if self.has_bar {
            ProgressBar::hidden()
        } else {
            progress(&paths)
        };
        paths.iter().try_for_each(|path| check(path))?;
        let streams = Streams {
            paths: paths.into_iter(),
            next: self.next,
            bar: bar.clone(),
        };
        Ok((streams, bar))
    }
}

/// Streams that are opened one after the other: there may be more than can be open at once.
pub(super) struct Streams {
    paths: std::vec::IntoIter<PathBuf>,
    next: Next,
    bar: ProgressBar,
}

impl Iterator for Streams {
    type Item = Result<Stream>;

    fn next(&mut self) -> Option<Result<Stream>> {
        let path = self.paths.next()?;
        Some(open(&path, self.next, &self.bar))
    }
}

/// Checks that a file can be opened. A pipe can be opened only once.
fn check(path: &Path) -> Result {
    if is_dash(path) {
        return Ok(());
    }
    let checked = match path.metadata() {
        Ok(found) if found.is_file() => File::open(path).map(drop),
        Ok(_) => Ok(()),
        // Windows says nothing of `NUL`.
        Err(_) if is_device(path) => Ok(()),
        Err(error) => Err(error),
    };
    Ok(checked.map_err(|error| named(path, &error))?)
}

/// A bar on a terminal that does not show the output, too; none elsewhere.
fn progress(paths: &[PathBuf]) -> ProgressBar {
    if !stderr().is_terminal() || stdout().is_terminal() {
        return ProgressBar::hidden();
    }
    let size = |path: &PathBuf| path.metadata().ok().map(|metadata| metadata.len());
    let total: Option<u64> = paths.iter().map(size).sum();
    let (bar, template) = match total {
        Some(total) => (
            ProgressBar::new(total),
            "{wide_bar} {bytes}/{total_bytes}, {bytes_per_sec}, {eta} left",
        ),
        None => (
            ProgressBar::new_spinner(),
            "{spinner} {bytes}, {bytes_per_sec}",
        ),
    };
    bars::styled(bar, template)
}

fn open(path: &Path, next: Next, bar: &ProgressBar) -> Result<Stream> {
    let raw: Box<dyn Read + Send> = if is_dash(path) {
        Box::new(stdin())
    } else {
        let failed = |error| named(path, &error);
        let mut file = File::open(path).map_err(failed)?;
        if next.offset > 0 {
            file.seek(SeekFrom::Start(next.offset)).map_err(failed)?;
            bar.set_position(next.offset);
        }
        Box::new(file)
    };
    let name: Arc<str> = input_name(path).to_string().into();
    let text = unpacked(Box::new(bar.wrap_read(raw)));
    let text = text.map_err(|error| named(Path::new(&*name), &error))?;
    Ok(Stream {
        name,
        text,
        offset: next.offset,
        line: next.line.max(1),
    })
}
