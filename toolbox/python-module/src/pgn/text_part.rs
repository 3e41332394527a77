//! Parts of texts, whose lines are read in place.

use python_chess::games::{LineSource, PlainGame, Reader};
use std::io;

/// A part of a text, from a reader's position on.
#[derive(Clone, Copy)]
pub(super) struct TextPart<'a> {
    /// The part.
    pub(super) text: &'a str,
    /// What follows the part.
    pub(super) rest: Rest,
    /// How Python reads line breaks in it.
    pub(super) breaks: LineBreaks,
}

/// What follows a part of a text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Rest {
    /// Nothing.
    Nothing,
    /// More text, perhaps.
    Text,
    /// What Python has to decode.
    Other,
}

/// How Python reads line breaks other than `\n`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum LineBreaks {
    /// There are none.
    Plain,
    /// Nobody knows, so that there may be none in the lines that are read.
    Unknown,
    /// `\r\n` becomes `\n`.
    Translated,
    /// `\r\n` stays.
    Kept,
}

/// The lines of a part of a text.
pub(super) struct PartLines<'a> {
    part: TextPart<'a>,
    at: usize,
    line: &'a str,
    /// The line, if its break is translated.
    translated: String,
    /// Whether a line is longer than the part.
    is_too_short: bool,
}

impl<'a> PartLines<'a> {
    fn new(part: TextPart<'a>) -> PartLines<'a> {
        PartLines {
            part,
            at: 0,
            line: "",
            translated: String::new(),
            is_too_short: false,
        }
    }

    fn translate(&mut self) -> io::Result<()> {
        self.translated.clear();
        let Some(at) = memchr::memchr(b'\r', self.line.as_bytes()) else {
            return Ok(());
        };
        match (self.line.get(at..), self.part.breaks) {
            (Some("\r\n"), LineBreaks::Kept) => {}
            (Some("\r\n"), LineBreaks::Translated) => {
                self.translated
                    .push_str(self.line.get(..at).unwrap_or_default());
                self.translated.push('\n');
            }
            _ => return Err(io::ErrorKind::InvalidData.into()),
        }
        Ok(())
    }
}

impl LineSource for PartLines<'_> {
    #[inline]
    fn next_line(&mut self) -> io::Result<()> {
        let rest = self.part.text.get(self.at..).unwrap_or_default();
        let length = match memchr::memchr(b'\n', rest.as_bytes()) {
            Some(at) => at + 1,
            None if self.part.rest == Rest::Nothing => rest.len(),
            None => {
                self.is_too_short = self.part.rest == Rest::Text;
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        };
        self.at += length;
        self.line = rest.get(..length).unwrap_or_default();
        if self.part.breaks == LineBreaks::Plain {
            return Ok(());
        }
        self.translate()
    }

    #[inline]
    fn line(&self) -> &str {
        if self.translated.is_empty() {
            self.line
        } else {
            &self.translated
        }
    }
}

/// The result of reading from a part of a text.
pub(super) enum ReadOutcome<T> {
    /// What was read, and the number of bytes that it took.
    Read(T, usize),
    /// A longer part is needed.
    TooShort,
    /// The file has to be asked for its lines.
    Unfit,
}

/// A task of reading something from a file, line by line.
pub(super) trait ReadTask {
    /// The result.
    type Result;

    /// Reads it.
    fn read<L: LineSource>(&self, reader: &mut Reader<L>) -> io::Result<Self::Result>;

    /// A function from the lines of a game's tags to the result, if the task needs no more.
    fn skim(&self) -> Option<fn(&str) -> Self::Result> {
        None
    }

    /// Whether something of the text is in the result.
    fn keeps_text(&self) -> bool {
        true
    }
}

/// Reads from a part of a text.
pub(super) fn read<T: ReadTask>(part: TextPart<'_>, task: &T) -> ReadOutcome<T::Result> {
    if let Some((read, end)) = skim(part, task) {
        return ReadOutcome::Read(read, end);
    }
    let mut reader = Reader::of(PartLines::new(part));
    let read = task.read(&mut reader);
    let window = reader.lines();
    match read {
        Ok(read) => ReadOutcome::Read(read, window.at),
        Err(_) if window.is_too_short => ReadOutcome::TooShort,
        Err(_) => ReadOutcome::Unfit,
    }
}

/// Reads a game whose lines need not be looked at one by one.
fn skim<T: ReadTask>(part: TextPart<'_>, task: &T) -> Option<(T::Result, usize)> {
    let skim = task.skim().filter(|_| part.breaks == LineBreaks::Plain)?;
    let game = PlainGame::first(part.text.as_bytes())?;
    Some((skim(part.text.get(game.tags)?), game.end))
}
