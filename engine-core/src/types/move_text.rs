//! The text of one move, without allocation.

use super::Square;
use core::fmt;
use core::ops::Deref;

/// The text of a move. No notation needs more than eight bytes: `a7xb8=Q#`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct MoveText([u8; 8]);

impl MoveText {
    /// The null move in algebraic notation, `--`.
    pub fn null() -> MoveText {
        let mut text = MoveText::default();
        text.push_str("--");
        text
    }

    /// The null move in UCI notation, `0000`.
    pub fn null_uci() -> MoveText {
        let mut text = MoveText::default();
        text.push_str("0000");
        text
    }

    /// Adds an ASCII character; what does not fit is dropped.
    pub(crate) fn push(&mut self, byte: u8) {
        if let Some(slot) = self.0.iter_mut().find(|slot| **slot == 0) {
            *slot = byte;
        }
    }

    /// Adds an ASCII letter.
    pub(crate) fn push_char(&mut self, letter: char) {
        self.push(letter as u8);
    }

    /// Adds ASCII text.
    pub(crate) fn push_str(&mut self, text: &str) {
        for byte in text.bytes() {
            self.push(byte);
        }
    }

    /// Adds the name of a square.
    pub(crate) fn push_square(&mut self, square: Square) {
        self.push_char(square.file().letter());
        self.push_char(square.rank().digit());
    }
}

impl Deref for MoveText {
    type Target = str;

    fn deref(&self) -> &str {
        let text = self.0.split(|&byte| byte == 0).next().unwrap_or_default();
        core::str::from_utf8(text).unwrap_or_default()
    }
}

impl AsRef<str> for MoveText {
    fn as_ref(&self) -> &str {
        self
    }
}

impl PartialEq<str> for MoveText {
    fn eq(&self, other: &str) -> bool {
        **self == *other
    }
}

impl PartialEq<&str> for MoveText {
    fn eq(&self, other: &&str) -> bool {
        **self == **other
    }
}

impl fmt::Display for MoveText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self)
    }
}

impl fmt::Debug for MoveText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}
