//! Lines from a stream of bytes that may hold anything.

use crate::control_characters::without_control_characters;
use crate::error_text;
use crate::error_text::NOT_UTF8;
use crate::files::without_mark;
use crate::threads;
use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use engine_core::search::Instant;
use serde::de::DeserializeOwned;
use std::io::{self, BufRead, BufReader, Read};

/// Longer lines are cut. The longest that a GUI sends is a game of some thousand moves: 30 kB.
pub const MAX_LINE: usize = 1 << 20;

/// One line of input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InputLine {
    /// The text without its end; control characters have become blanks.
    pub text: String,
    /// Whether the line was longer than [`MAX_LINE`], so that its rest is lost.
    pub cut: bool,
    /// When it was read.
    pub at: Instant,
}

impl InputLine {
    /// A whole line, received now.
    pub fn new(text: String) -> InputLine {
        InputLine {
            text,
            cut: false,
            at: Instant::now(),
        }
    }

    /// Reads the line as a JSON object.
    ///
    /// # Errors
    /// When it was cut, or is no JSON object of this type.
    pub fn json_object<T: DeserializeOwned>(&self) -> Result<T, String> {
        if self.cut {
            return Err(format!("a line of more than {MAX_LINE} bytes"));
        }
        // Serde would take a list of the values of its fields, too.
        if self.text.trim_start().starts_with('[') {
            return Err("expected an object, found a list".to_owned());
        }
        serde_json::from_str(&self.text).map_err(|error| error_text::of_json(&error, &self.text))
    }
}

/// Where there are no threads, no more than this of the input is read.
const MAX_SCRIPT: u64 = 64 << 20;

/// Reads lines on a separate thread, so that a search never keeps a command waiting; where there
/// are no threads, as in WebAssembly, all of them at once. The channel closes at the end of the
/// input.
///
/// # Errors
/// When the thread cannot be started.
pub fn spawn(stream: impl Read + Send + 'static) -> io::Result<Receiver<InputLine>> {
    if cfg!(target_family = "wasm") {
        let (sender, lines) = unbounded();
        send_lines(stream.take(MAX_SCRIPT), &sender);
        return Ok(lines);
    }
    let (sender, lines) = bounded(1024);
    threads::spawn(move || send_lines(stream, &sender))?;
    Ok(lines)
}

/// Sends each line, until the receiver is gone.
fn send_lines(stream: impl Read, listener: &Sender<InputLine>) {
    let mut reader = BufReader::new(stream);
    while let Ok(Some(line)) = read_line(&mut reader) {
        if listener.send(line).is_err() {
            break;
        }
    }
}

/// The next line, without a byte order mark before it; `None` at the end of the stream.
///
/// # Errors
/// When reading fails.
pub fn read_line(reader: &mut impl BufRead) -> io::Result<Option<InputLine>> {
    read_line_within(reader, MAX_LINE)
}

/// The next line of at most `limit` bytes; `None` at the end of the stream.
///
/// # Errors
/// When reading fails.
pub fn read_line_within(reader: &mut impl BufRead, limit: usize) -> io::Result<Option<InputLine>> {
    let mut bytes = Vec::new();
    let cut = read_bytes(reader, limit, &mut bytes)?;
    Ok(cut.map(|cut| InputLine {
        cut,
        ..InputLine::new(clean(without_mark(&bytes)))
    }))
}

/// The next line as it is, without its end and a byte order mark before it; the inner error says
/// why it is no text. `None` at the end of the stream.
///
/// # Errors
/// When reading fails.
pub fn read_text(reader: &mut impl BufRead) -> io::Result<Option<Result<String, String>>> {
    let mut bytes = Vec::new();
    let cut = read_bytes(reader, MAX_LINE, &mut bytes)?;
    Ok(cut.map(|cut| {
        if cut {
            return Err(format!("a line of more than {MAX_LINE} bytes"));
        }
        if bytes.last() == Some(&b'\r') {
            bytes.pop();
        }
        let text = std::str::from_utf8(without_mark(&bytes));
        text.map(str::to_owned).map_err(|_| NOT_UTF8.to_owned())
    }))
}

/// Adds the next line without its end to the bytes, as many of them as the limit allows; the others
/// are passed over. Says whether there were others; `None` at the end of the stream.
pub(crate) fn read_bytes(
    reader: &mut impl BufRead,
    limit: usize,
    bytes: &mut Vec<u8>,
) -> io::Result<Option<bool>> {
    let mut cut = false;
    let mut seen = false;
    loop {
        let chunk = match reader.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if chunk.is_empty() {
            break;
        }
        seen = true;
        let end = chunk.iter().position(|&byte| byte == b'\n');
        let part = chunk.split_at(end.unwrap_or(chunk.len())).0;
        let kept = part.len().min(limit - bytes.len());
        cut |= kept < part.len();
        bytes.extend_from_slice(part.split_at(kept).0);
        let used = part.len() + usize::from(end.is_some());
        reader.consume(used);
        if end.is_some() {
            break;
        }
    }
    Ok(seen.then_some(cut))
}

/// Text without control characters, so that an echo of it cannot drive a terminal.
fn clean(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    without_control_characters(text.trim_end_matches(['\r', '\n']))
}

/// At most 80 characters of a text, for messages that quote it.
pub fn shorten(text: &str) -> String {
    shorten_to(80, text)
}

/// At most so many characters of a text.
pub fn shorten_to(max_length: usize, text: &str) -> String {
    match text.char_indices().nth(max_length) {
        Some((end, _)) => format!("{}...", text.split_at(end).0),
        None => text.to_owned(),
    }
}

/// The first word and what follows it, without the blanks between.
pub fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    (word, rest.trim_start())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &[u8]) -> Vec<InputLine> {
        // A tiny buffer makes lines span several reads.
        let mut reader = BufReader::with_capacity(3, bytes);
        std::iter::from_fn(|| read_line(&mut reader).unwrap()).collect()
    }

    fn texts(bytes: &[u8]) -> Vec<String> {
        lines(bytes).into_iter().map(|line| line.text).collect()
    }

    #[test]
    fn ends_of_lines() {
        assert_eq!(texts(b"uci\r\ngo\n\nquit"), ["uci", "go", "", "quit"]);
        assert_eq!(texts(b""), [""; 0]);
    }

    #[test]
    fn odd_bytes() {
        assert_eq!(texts(b"a\xffb\0c\x1b[2J\td\n"), ["a\u{fffd}b c [2J d"]);
    }

    #[test]
    fn long_lines_are_cut() {
        let mut bytes = vec![b'x'; MAX_LINE + 5];
        bytes.extend_from_slice(b"\nnext\n");
        let lines = lines(&bytes);
        assert_eq!(lines[0].text.len(), MAX_LINE);
        assert!(lines[0].cut);
        assert_eq!(lines[1].text, "next");
        assert!(!lines[1].cut);
    }

    #[test]
    fn texts_stay_as_they_are() {
        let long = "x".repeat(MAX_LINE + 1);
        let bytes = [b"\xef\xbb\xbfa\tb \r\n\n\xff\n", long.as_bytes(), b"\nend"].concat();
        let mut reader = BufReader::with_capacity(3, &*bytes);
        let lines: Vec<Result<String, String>> =
            std::iter::from_fn(|| read_text(&mut reader).unwrap()).collect();
        let is_bad = |line: &Result<String, String>, word| {
            line.as_ref().is_err_and(|why| why.contains(word))
        };
        assert_eq!(lines.len(), 5);
        assert_eq!(lines[0].as_deref(), Ok("a\tb "));
        assert_eq!(lines[1].as_deref(), Ok(""));
        assert!(is_bad(&lines[2], "UTF-8"), "{lines:?}");
        assert!(is_bad(&lines[3], "more than"));
        assert_eq!(lines[4].as_deref(), Ok("end"));
    }

    #[test]
    fn objects_are_no_lists() {
        #[derive(serde::Deserialize, Debug)]
        struct Square {
            rank: u8,
        }
        let read = |text: &str| InputLine::new(text.to_owned()).json_object::<Square>();
        assert_eq!(read(r#" {"rank":3}"#).unwrap().rank, 3);
        assert_eq!(
            read(" [3]").unwrap_err(),
            "expected an object, found a list"
        );
    }

    #[test]
    fn words() {
        assert_eq!(split_word("  go  depth 3"), ("go", "depth 3"));
        assert_eq!(split_word("go"), ("go", ""));
        assert_eq!(split_word(" "), ("", ""));
        assert_eq!(shorten(&"é".repeat(90)).chars().count(), 83);
    }
}
