//! In people's words what the system and the language say in theirs.

use std::fmt::Display;
use std::io;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// What went wrong with a file, as people say it: without the system's number of the fault.
pub fn io_error(error: &io::Error) -> String {
    let text = match error.kind() {
        io::ErrorKind::NotFound => "no such file or folder",
        io::ErrorKind::PermissionDenied => "permission denied",
        io::ErrorKind::AlreadyExists => "the file exists already",
        io::ErrorKind::IsADirectory => "it is a folder, not a file",
        io::ErrorKind::NotADirectory => "part of the path is a file, not a folder",
        io::ErrorKind::StorageFull => "no space left on the disk",
        io::ErrorKind::ReadOnlyFilesystem => "the disk can only be read",
        io::ErrorKind::InvalidData => "it is not text",
        io::ErrorKind::UnexpectedEof => "it ends too early",
        _ => {
            let text = error.to_string();
            let end = text.find(" (os error").unwrap_or(text.len());
            return text.split_at(end).0.to_lowercase();
        }
    };
    text.to_owned()
}

/// A number in a range, for clap: a refusal says what is wanted, not what Rust expects.
///
/// # Errors
/// When the text is no whole number in the range.
pub fn number<T>(text: &str, range: RangeInclusive<T>) -> Result<T, String>
where
    T: FromStr + PartialOrd + Display,
{
    let number = text.trim().parse::<T>().ok();
    number
        .filter(|number| range.contains(number))
        .ok_or_else(|| {
            format!(
                "a whole number from {} to {} is expected",
                range.start(),
                range.end()
            )
        })
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Error {
        Error::Io(error)
    }
}

impl From<String> for Error {
    fn from(text: String) -> Error {
        Error::Message(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_words_of_programmers() {
        let error = std::fs::read("/no/such/file").unwrap_err();
        assert_eq!(io_error(&error), "no such file or folder");
        let error = io::Error::from_raw_os_error(110);
        assert!(
            !io_error(&error).contains("os error"),
            "{}",
            io_error(&error)
        );
        assert_eq!(number("7", 1..=20_u32), Ok(7));
        for bad in ["0", "21", "x", "", "-1", "99999999999999999999"] {
            let error = number(bad, 1..=20_u32).unwrap_err();
            assert_eq!(error, "a whole number from 1 to 20 is expected");
        }
    }
}
