//! Reading whole files into memory.

use super::{is_dash, is_plain, named, named_input, refuse_stdout};
use crate::error::{Error, Result};
use crate::error_text::NOT_UTF8;
use fnv::FnvHasher;
use std::fs::File;
use std::hash::Hasher;
use std::io::{self, BufRead, BufReader, Read, stdin};
use std::path::Path;

/// The most that is read of what is no plain file, in MB: a pipe or a device may have no end, and
/// what is packed may be small.
const LONGEST_STREAM: u64 = 256;

/// All bytes of a file.
///
/// # Errors
/// When it cannot be read, or the standard output goes to it; as [`read_stream`], when it is no plain
/// file. The message names it.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    refuse_stdout(&[path]).map_err(|error| io::Error::other(error.to_string()))?;
    let read = || {
        let mut file = File::open(path)?;
        if !is_plain(&file) {
            return read_stream(file);
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    read().map_err(|error| named(path, &error))
}

/// The name of a file with a hash of its bytes, for the settings of a run that can be resumed: with
/// other bytes it is another input. What is no plain file, or cannot be read, has only its name.
pub fn identity(path: &Path) -> String {
    let name = path.display();
    match path.metadata() {
        Ok(found) if found.is_file() => match hash(path) {
            Ok(hash) => format!("{name} ({hash:016x})"),
            Err(_) => name.to_string(),
        },
        _ => name.to_string(),
    }
}

/// A hash of the bytes of a file, which may be larger than the memory.
fn hash(path: &Path) -> io::Result<u64> {
    const BUFFER: usize = 1 << 16;
    let mut reader = BufReader::with_capacity(BUFFER, File::open(path)?);
    let mut hasher = FnvHasher::default();
    loop {
        let bytes = reader.fill_buf()?;
        if bytes.is_empty() {
            return Ok(hasher.finish());
        }
        hasher.write(bytes);
        let used = bytes.len();
        reader.consume(used);
    }
}

/// All bytes of an input that an argument names: a file, or `-` for the standard input.
///
/// # Errors
/// As [`read`] and [`read_stream`]. The message names the input.
pub fn read_input(path: &Path) -> io::Result<Vec<u8>> {
    if is_dash(path) {
        return read_stream(stdin()).map_err(|error| named_input(path, &error));
    }
    read(path)
}

/// The text of such an input, without a byte order mark.
///
/// # Errors
/// As [`read_input`] and [`text_of`]. The message names the input.
pub fn read_input_text(path: &Path) -> io::Result<String> {
    let text = text_of(&read_input(path)?).map(str::to_owned);
    text.map_err(|error| named_input(path, &error))
}

/// Refuses the standard input where a stopped run is resumed by the same command.
///
/// # Errors
/// When the input is the standard input.
pub fn refuse_stdin(path: &Path) -> Result {
    if is_dash(path) {
        let message = "standard input cannot be read again: name a file";
        return Err(Error::Usage(message.to_owned()));
    }
    Ok(())
}

/// Why a command does not take the standard input for two things.
pub const READ_ONCE: &str = "standard input can be read only once";

/// Refuses the standard input where it is named more than once among the inputs.
///
/// # Errors
/// When it is.
pub fn refuse_stdin_twice(inputs: &[impl AsRef<Path>]) -> Result {
    let dashes = inputs.iter().filter(|path| is_dash(path.as_ref()));
    if dashes.count() > 1 {
        return Err(Error::Usage(READ_ONCE.to_owned()));
    }
    Ok(())
}

/// The text of a file, without a byte order mark.
///
/// # Errors
/// As [`read`] and [`text_of`]; the message names the file.
pub fn read_text(path: &Path) -> io::Result<String> {
    let text = text_of(&read(path)?).map(str::to_owned);
    text.map_err(|error| named(path, &error))
}

/// Bytes as text, without a byte order mark.
///
/// # Errors
/// When they are not UTF-8.
pub fn text_of(bytes: &[u8]) -> io::Result<&str> {
    refuse_utf16(bytes)?;
    std::str::from_utf8(without_mark(bytes))
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, NOT_UTF8))
}

/// Refuses a text that begins as UTF-16 or UTF-32 does: some shells of Windows write the first into
/// files.
///
/// # Errors
/// When the bytes begin with the mark of one of them; four bytes tell which.
pub fn refuse_utf16(start: &[u8]) -> io::Result<()> {
    let message = match start {
        [0xff, 0xfe, 0, 0, ..] | [0, 0, 0xfe, 0xff, ..] => "it is UTF-32 text; save it as UTF-8",
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => "it is UTF-16 text; save it as UTF-8",
        _ => return Ok(()),
    };
    Err(io::Error::new(io::ErrorKind::InvalidData, message))
}

/// The bytes without the byte order mark with which some editors begin a text.
pub fn without_mark(bytes: &[u8]) -> &[u8] {
    let mark = "\u{feff}".as_bytes();
    bytes.strip_prefix(mark).unwrap_or(bytes)
}

/// All bytes of a stream.
///
/// # Errors
/// When it cannot be read, or does not end within 256 MB.
pub fn read_stream(stream: impl Read) -> io::Result<Vec<u8>> {
    let longest = LONGEST_STREAM << 20;
    let mut bytes = Vec::new();
    stream.take(longest + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > longest {
        let why = format!("more than {LONGEST_STREAM} MB, as only a plain file may have");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, why));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_have_an_end() {
        assert_eq!(read_stream(b"1-0".as_slice()).unwrap(), b"1-0");
        let error = read_stream(io::repeat(0)).unwrap_err().to_string();
        assert_eq!(error, "more than 256 MB, as only a plain file may have");
    }

    #[test]
    fn a_byte_order_mark_is_no_text() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        std::fs::write(&path, "\u{feff}a\u{feff}").unwrap();
        assert_eq!(read_text(&path).unwrap(), "a\u{feff}");
    }

    #[test]
    fn utf_16_is_named() {
        for text in [b"\xff\xfeA\0", b"\xfe\xff\0A"] {
            let error = text_of(text).unwrap_err().to_string();
            assert_eq!(error, "it is UTF-16 text; save it as UTF-8");
        }
    }

    #[test]
    fn other_bytes_are_another_input() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        assert_eq!(identity(&path), path.display().to_string());
        let identities = ["1-0", "0-1", "1-0"].map(|text| {
            std::fs::write(&path, text).unwrap();
            identity(&path)
        });
        assert_eq!(identities[0], identities[2]);
        assert_ne!(identities[0], identities[1]);
    }

    #[test]
    fn errors_name_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        std::fs::write(&path, b"\xff").unwrap();
        assert_eq!(read(&path).unwrap(), b"\xff");
        let error = read_text(&path).unwrap_err().to_string();
        assert_eq!(error, format!("{}: it is not UTF-8 text", path.display()));
        let error = read(&folder.path().join("b")).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
        assert!(error.to_string().ends_with("b: No such file or directory"));
    }
}
