//! Names as Windows reads them: it takes some for devices, some for one file, and some for none.

use crate::error::{Error, Result};
use std::path::Path;

/// Whether Windows means a device by this name, in whatever folder: `NUL`, `con:`.
pub fn is_windows_device(name: &str) -> bool {
    let (base, rest) = split(name);
    is_base_of_device(base) && rest.chars().all(|c| ". :".contains(c))
}

/// Whether a path of Windows leads to a device.
pub(super) fn is_path_of_windows_device(path: &str) -> bool {
    path.starts_with(r"\\.\") || !is_verbatim(path) && is_windows_device(name_of(path))
}

/// The name of a file such that two names with which Windows finds one file are equal: it ignores
/// the case, and dots and blanks at the end.
pub fn as_windows_compares(name: &str) -> String {
    let plain = name.trim_end_matches(['.', ' ']);
    plain.chars().map(upper).collect()
}

/// Refuses the name of an output under which Windows would make no file, or one that nobody finds.
///
/// # Errors
/// When Windows would write to a device instead, or to a stream beside the contents of another file.
pub(super) fn refuse_unusable(path: &Path) -> Result {
    if !cfg!(windows) {
        return Ok(());
    }
    unusable(&path.to_string_lossy()).map_or(Ok(()), |why| {
        let path = path.display();
        Err(Error::Message(format!("{path}: {why}")))
    })
}

/// What is wrong with the path of a file that is to be made in Windows. Older versions take `nul.pgn`
/// for the device, newer ones for a file; so it is neither.
fn unusable(path: &str) -> Option<&'static str> {
    if is_path_of_windows_device(path) {
        return None;
    }
    let name = name_of(path);
    if is_base_of_device(split(name).0) && !is_verbatim(path) {
        Some("Windows takes this name for a device; choose another one")
    } else if name.contains(':') {
        Some("the name of a file of Windows has no colon")
    } else {
        None
    }
}

/// What an error on a path says of `*` and `?`, which shells of Windows leave to programs.
pub(super) fn of_wildcards(path: &Path) -> &'static str {
    if cfg!(windows) && has_wildcard(&path.to_string_lossy()) {
        " (`*` and `?` are not expanded: name each file)"
    } else {
        ""
    }
}

fn has_wildcard(path: &str) -> bool {
    let names = path.strip_prefix(r"\\?\").unwrap_or(path);
    names.contains(['*', '?'])
}

/// A name without its extension, and the rest.
fn split(name: &str) -> (&str, &str) {
    let end = name.find(['.', ':']).unwrap_or(name.len());
    let (base, rest) = name.split_at(end);
    (base.trim_end_matches(' '), rest)
}

fn is_base_of_device(base: &str) -> bool {
    let base = base.to_uppercase();
    let is_port = |port: &str| {
        let number = base.strip_prefix(port).unwrap_or_default();
        let mut digits = number.chars();
        let is_digit = |c| matches!(c, '1'..='9' | '¹' | '²' | '³');
        digits.next().is_some_and(is_digit) && digits.next().is_none()
    };
    let names = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"];
    names.contains(&base.as_str()) || is_port("COM") || is_port("LPT")
}

/// An absolute path such that Windows takes it as it is, however long it is.
#[cfg(any(windows, test))]
pub(super) fn verbatim(path: &str) -> String {
    match path.strip_prefix(r"\\") {
        Some(rest) if rest.starts_with(['?', '.']) => path.to_owned(),
        Some(share) => format!(r"\\?\UNC\{share}"),
        None => format!(r"\\?\{path}"),
    }
}

/// Whether Windows takes every name in a path as it is.
fn is_verbatim(path: &str) -> bool {
    path.starts_with(r"\\?\")
}

/// The last name of a path, without a drive before it.
fn name_of(path: &str) -> &str {
    let below_drive = match path.split_once(':') {
        Some((drive, rest)) if drive.len() == 1 => rest,
        _ => path,
    };
    below_drive.rsplit(['\\', '/']).next().unwrap_or_default()
}

/// A letter in upper case, if that is one character: Windows compares one by one.
fn upper(c: char) -> char {
    let mut upper = c.to_uppercase();
    match (upper.next(), upper.next()) {
        (Some(one), None) => one,
        _ => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_of_windows() {
        for path in [
            "nul",
            "NUL",
            "NUL:",
            "nul.",
            "nul ",
            "Z:NUL",
            r"C:\games\Nul",
            "a/com1",
            "COM²",
            "conout$",
            r"\\.\pipe\games",
        ] {
            assert!(is_path_of_windows_device(path), "{path}");
            assert_eq!(unusable(path), None, "{path}");
        }
        for path in [
            "null",
            r"C:\nul\games",
            "com10",
            "com0",
            "com",
            "con$",
            r"\\?\C:\games",
            r"\\?\C:\nul.pgn",
            r"C:games.pgn",
        ] {
            assert!(!is_path_of_windows_device(path), "{path}");
            assert_eq!(unusable(path), None, "{path}");
        }
    }

    #[test]
    fn names_that_keep_no_file() {
        for path in [
            "nul.pgn",
            r"C:\games\con.pgn",
            "Com1.tar.gz",
            "aux .pgn",
            "Tal:Botvinnik.pgn",
            r"C:\games\a:b",
            "nul:games",
        ] {
            assert!(!is_path_of_windows_device(path), "{path}");
            assert!(unusable(path).is_some(), "{path}");
        }
    }

    #[test]
    fn paths_of_any_length() {
        for (path, long) in [
            (r"C:\a\b", r"\\?\C:\a\b"),
            (r"\\host\share\b", r"\\?\UNC\host\share\b"),
            (r"\\?\C:\a", r"\\?\C:\a"),
            (r"\\.\NUL", r"\\.\NUL"),
        ] {
            assert_eq!(verbatim(path), long);
        }
    }

    #[test]
    fn wildcards() {
        for path in ["*.pgn", r"games\?.pgn", r"\\?\C:\*"] {
            assert!(has_wildcard(path), "{path}");
        }
        for path in ["games.pgn", r"\\?\C:\games.pgn"] {
            assert!(!has_wildcard(path), "{path}");
        }
    }

    #[test]
    fn names_that_are_one_file() {
        let of_one = ["out.pgn", "OUT.pgn", "out.PGN.", "out.pgn ", "out.pgn. ."];
        for name in of_one {
            assert_eq!(as_windows_compares(name), "OUT.PGN", "{name}");
        }
        assert_eq!(as_windows_compares("Größe"), as_windows_compares("gRÖßE"));
        for name in ["out.pgn2", " out.pgn", ".out.pgn", "outpgn"] {
            assert_ne!(as_windows_compares(name), "OUT.PGN", "{name}");
        }
    }
}
