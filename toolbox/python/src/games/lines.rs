//! Sources of lines for a reader.

use pgn::decode;
use std::io::{self, BufRead};

/// Lines of text, one at a time.
pub trait LineSource {
    /// Goes on to the next line.
    ///
    /// # Errors
    /// When it cannot be read.
    fn next_line(&mut self) -> io::Result<()>;

    /// The line with its line break; empty at the end and before the first.
    fn line(&self) -> &str;
}

/// The lines of a text in UTF-8; lines that are not valid are read as Latin-1.
#[derive(Debug)]
pub struct TextLines<B> {
    input: B,
    buffer: Vec<u8>,
    line: String,
    /// The offset of the next line, in characters.
    at: u64,
}

impl<B: BufRead> TextLines<B> {
    /// The lines of a text.
    pub fn new(input: B) -> TextLines<B> {
        TextLines {
            input,
            buffer: Vec::new(),
            line: String::new(),
            at: 0,
        }
    }

    /// How many characters have been read.
    pub fn offset(&self) -> u64 {
        self.at
    }
}

impl<B: BufRead> LineSource for TextLines<B> {
    fn next_line(&mut self) -> io::Result<()> {
        self.buffer.clear();
        self.input.read_until(b'\n', &mut self.buffer)?;
        self.line.clear();
        self.line.push_str(&decode(&self.buffer));
        self.at += self.line.chars().count() as u64;
        Ok(())
    }

    fn line(&self) -> &str {
        &self.line
    }
}
