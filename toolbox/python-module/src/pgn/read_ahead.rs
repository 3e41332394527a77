//! A part of a file that was read before Python reads it.

use super::text_part::Rest;
use std::fs::File;
use std::mem;

/// How much is read at once at least.
pub(super) const MIN_READ: usize = 1 << 16;

/// A file with its own offset, and a part of it.
pub(super) struct ReadAhead {
    file: File,
    text: String,
    /// Bytes after the text that are no text, or only a part of a character.
    undecoded: Vec<u8>,
    /// Where in the file the text begins.
    start: u64,
    /// Whether there is a `\r` in the text.
    has_returns: bool,
}

impl ReadAhead {
    pub(super) fn new(file: File) -> ReadAhead {
        ReadAhead {
            file,
            text: String::new(),
            undecoded: Vec::new(),
            start: 0,
            has_returns: false,
        }
    }

    /// Whether there is a `\r` in the part.
    pub(super) fn has_returns(&self) -> bool {
        self.has_returns
    }

    /// What is shown of the file from a position on.
    pub(super) fn shown(&self, position: u64) -> &str {
        let skipped = position.checked_sub(self.start);
        let skipped = skipped.and_then(|skipped| usize::try_from(skipped).ok());
        skipped
            .and_then(|skipped| self.text.get(skipped..))
            .unwrap_or_default()
    }

    /// Forgets what was read.
    pub(super) fn forget(&mut self) {
        self.text.clear();
        self.undecoded.clear();
    }

    /// Shows at least this many bytes from a position on, if the file has them as text. Returns what
    /// follows them; `None` if the file cannot be read.
    pub(super) fn show(&mut self, position: u64, wanted: usize) -> Option<Rest> {
        let shown = self.shown(position).len();
        if shown >= wanted {
            return Some(Rest::Text);
        }
        if shown == 0 {
            self.forget();
        }
        self.text.drain(..self.text.len() - shown);
        self.start = position;
        let wanted = wanted.max(MIN_READ);
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

    /// Adds bytes to the text as far as they are text. Returns what follows them.
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
