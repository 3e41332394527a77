//! A buffered reader whose next bytes can be looked at.

use std::io::{self, BufRead, Read};

/// The size of the buffer.
const SIZE: usize = 1 << 16;

/// Like [`std::io::BufReader`], but it can look at several bytes wherever they are in the buffer.
pub(super) struct PeekReader<R> {
    raw: R,
    buffer: Vec<u8>,
    /// What of the buffer has been read from `raw`, and not been taken yet.
    start: usize,
    end: usize,
}

impl<R: Read> PeekReader<R> {
    pub(super) fn new(raw: R) -> PeekReader<R> {
        PeekReader {
            raw,
            buffer: vec![0; SIZE],
            start: 0,
            end: 0,
        }
    }

    /// The next bytes without taking them: this many at least, up to the size of the buffer, unless
    /// the stream ends before.
    ///
    /// # Errors
    /// When the stream cannot be read.
    pub(super) fn peek(&mut self, least: usize) -> io::Result<&[u8]> {
        if self.end - self.start < least {
            self.buffer.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, self.end - self.start);
            while self.end < least {
                let space = self.buffer.get_mut(self.end..).unwrap_or_default();
                match self.raw.read(space) {
                    Ok(0) => break,
                    Ok(length) => self.end += length,
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(error) => return Err(error),
                }
            }
        }
        Ok(self.buffer.get(self.start..self.end).unwrap_or_default())
    }
}

impl<R: Read> BufRead for PeekReader<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.peek(1)
    }

    fn consume(&mut self, length: usize) {
        self.start = (self.start + length).min(self.end);
    }
}

impl<R: Read> Read for PeekReader<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if self.start == self.end && bytes.len() >= SIZE {
            return self.raw.read(bytes);
        }
        let length = self.fill_buf()?.read(bytes)?;
        self.consume(length);
        Ok(length)
    }
}
