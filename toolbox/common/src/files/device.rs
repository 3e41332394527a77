//! Devices, which have no place that a file could be put into.

use std::fs;
use std::path::Path;

/// Devices, pipes and the descriptors that the system shows as files.
pub(super) fn is_device(path: &Path) -> bool {
    path.starts_with("/dev")
        || path.starts_with("/proc")
        || cfg!(windows) && is_path_of_windows_device(&path.to_string_lossy())
        || fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

fn is_path_of_windows_device(path: &str) -> bool {
    let name = path.rsplit(['\\', '/', ':']).next().unwrap_or_default();
    path.starts_with(r"\\.\") || is_windows_device(name)
}

/// Whether Windows means a device by this name, in whatever folder.
pub fn is_windows_device(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    let is_port = |port: &str| {
        let number = name.strip_prefix(port).map(str::as_bytes);
        matches!(number, Some([b'1'..=b'9']))
    };
    matches!(name.as_str(), "CON" | "PRN" | "AUX" | "NUL") || is_port("COM") || is_port("LPT")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_of_windows() {
        for path in [
            "nul",
            "NUL",
            "Z:NUL",
            r"C:\games\Nul",
            "a/com1",
            r"\\.\pipe\games",
        ] {
            assert!(is_path_of_windows_device(path), "{path}");
        }
        for path in [
            "nul.pgn",
            "null",
            r"C:\nul\games",
            "com10",
            "com",
            r"\\?\C:\games",
        ] {
            assert!(!is_path_of_windows_device(path), "{path}");
        }
    }

    #[test]
    fn what_takes_what_is_written() {
        assert!(is_device(Path::new("/dev/null")));
        assert!(!is_device(Path::new("games.pgn")));
    }
}
