//! Text as it was in the file: mostly UTF-8, sometimes Latin-1, never changed.

use std::borrow::Cow;
use std::fmt;

/// Bytes of text. They are written as they were read; to look at them they are decoded as UTF-8
/// and, where they are not that, as Latin-1.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Text(Box<[u8]>);

impl Text {
    /// The bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The text.
    pub fn to_str(&self) -> Cow<'_, str> {
        decode(&self.0)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Text that is UTF-8 but for some bytes, which are taken for Latin-1: a file that was put together
/// from others may have both.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    let mut text = String::with_capacity(2 * bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().copied().map(char::from));
    }
    Cow::Owned(text)
}

/// A tag value without its escapes: `\"` and `\\`.
pub(super) fn unescape(value: &Text) -> Cow<'_, str> {
    unescaped(value.as_bytes())
}

/// The same of a value as it was read.
pub(crate) fn unescaped(value: &[u8]) -> Cow<'_, str> {
    let text = decode(value);
    if !text.contains('\\') {
        return text;
    }
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('\\', Some(&escaped @ ('"' | '\\'))) => {
                plain.push(escaped);
                chars.next();
            }
            _ => plain.push(c),
        }
    }
    Cow::Owned(plain)
}

/// A tag value that ends with the tag: quotes in it and a backslash at its end get the backslashes
/// that they lack.
pub(super) fn escaped(value: &[u8]) -> Cow<'_, [u8]> {
    if !value.iter().any(|byte| matches!(byte, b'"' | b'\\')) {
        return Cow::Borrowed(value);
    }
    let mut text = Vec::with_capacity(value.len() + 2);
    let mut bytes = value.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        match (byte, bytes.peek()) {
            (b'\\', Some(&next @ (b'"' | b'\\'))) => {
                text.extend([byte, next]);
                bytes.next();
            }
            (b'"', _) | (b'\\', None) => text.extend([b'\\', byte]),
            _ => text.push(byte),
        }
    }
    Cow::Owned(text)
}

impl From<&[u8]> for Text {
    fn from(bytes: &[u8]) -> Text {
        Text(bytes.into())
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Text {
        Text(text.as_bytes().into())
    }
}

impl From<String> for Text {
    fn from(text: String) -> Text {
        Text(text.into_bytes().into())
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_str())
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&*self.to_str(), f)
    }
}
