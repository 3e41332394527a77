//! Reading whole files into memory.

use super::named;
use fnv::FnvHasher;
use std::fs::File;
use std::hash::Hasher;
use std::io::{self, Read};
use std::path::Path;

/// The most that is read of what is no plain file, in MB: a pipe or a device may have no end, and
/// what is packed may be small.
const LONGEST_STREAM: u64 = 256;

/// All bytes of a file.
///
/// # Errors
/// When it cannot be read; as [`read_stream`], when it is no plain file. The message names it.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let read = || {
        let mut file = File::open(path)?;
        if !file.metadata()?.is_file() {
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
        Ok(found) if found.is_file() => match read(path) {
            Ok(bytes) => {
                let mut hasher = FnvHasher::default();
                hasher.write(&bytes);
                format!("{name} ({:016x})", hasher.finish())
            }
            Err(_) => name.to_string(),
        },
        _ => name.to_string(),
    }
}

/// The text of a file, without a byte order mark.
///
/// # Errors
/// As [`read`], and when it is not UTF-8.
pub fn read_text(path: &Path) -> io::Result<String> {
    let no_text = |_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8 text");
    let bytes = read(path)?;
    let text = std::str::from_utf8(without_mark(&bytes));
    let text = text.map_err(|error| named(path, &no_text(error)))?;
    Ok(text.to_owned())
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
