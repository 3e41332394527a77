//! Folders of tables as users give them.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Folders below a given folder that are looked into, so that a link in a circle ends.
const DEEPEST: usize = 4;
/// Folders that are looked into for one path, so that a path such as `/` ends.
const MOST_FOLDERS: usize = 2000;

/// A folder that cannot be read.
#[derive(Debug)]
pub struct MissingPath {
    /// The folder.
    pub path: PathBuf,
    /// What is wrong with it.
    pub error: io::Error,
}

impl fmt::Display for MissingPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.error)
    }
}

impl std::error::Error for MissingPath {}

/// The folders of a list with `;` or `:` between them. A colon after a drive letter, and one in a
/// path that exists as it is, separates nothing; empty parts and `<empty>` are not folders.
///
/// ```
/// use std::path::PathBuf;
///
/// let folders = tablebases::split_paths("/tables/345;/tables/6:C:\\wdl;");
/// assert_eq!(folders, ["/tables/345", "/tables/6", "C:\\wdl"].map(PathBuf::from));
/// assert!(tablebases::split_paths("<empty>").is_empty());
/// ```
pub fn split_paths(list: &str) -> Vec<PathBuf> {
    let mut folders = Vec::new();
    for part in list.split(';') {
        if Path::new(part.trim()).exists() {
            folders.push(part.trim());
            continue;
        }
        let mut start = 0;
        for (at, _) in part.match_indices(':') {
            if !is_drive(&part[start..at], &part[at + 1..]) {
                folders.push(part[start..at].trim());
                start = at + 1;
            }
        }
        folders.push(part[start..].trim());
    }
    let is_folder = |folder: &&str| !folder.is_empty() && *folder != "<empty>";
    folders
        .into_iter()
        .filter(is_folder)
        .map(PathBuf::from)
        .collect()
}

/// Whether a colon between these stands behind the letter of a drive, as in `C:\x` and `\\?\C:\x`.
fn is_drive(before: &str, after: &str) -> bool {
    let before = before.trim_start();
    let letter = before.strip_prefix(r"\\?\").unwrap_or(before).as_bytes();
    letter.len() == 1 && letter[0].is_ascii_alphabetic() && after.starts_with(['\\', '/'])
}

/// Every file in a folder and its sub-folders, in order of name. A path that is a file stands
/// for itself.
pub(crate) fn files_in(path: &Path) -> Result<Vec<PathBuf>, MissingPath> {
    let missing = |error| MissingPath {
        path: path.to_owned(),
        error,
    };
    if path.metadata().map_err(missing)?.is_file() {
        return Ok(vec![path.to_owned()]);
    }
    path.read_dir().map_err(missing)?;
    let mut files = Vec::new();
    let mut folders = vec![(path.to_owned(), 0)];
    let mut looked_into = 0;
    while let Some((folder, depth)) = folders.pop() {
        looked_into += 1;
        // A sub-folder that may not be read hides its own tables alone.
        let Ok(entries) = folder.read_dir() else {
            continue;
        };
        for entry in entries.flatten() {
            let Ok(kind) = entry.file_type() else {
                continue;
            };
            let path = entry.path();
            let is_folder = kind.is_dir() || kind.is_symlink() && path.is_dir();
            if !is_folder {
                files.push(path);
            } else if depth < DEEPEST && looked_into + folders.len() < MOST_FOLDERS {
                folders.push((path, depth + 1));
            }
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(list: &str) -> Vec<String> {
        let folders = split_paths(list);
        folders
            .iter()
            .map(|path| path.display().to_string())
            .collect()
    }

    #[test]
    fn either_separator_and_drives() {
        assert_eq!(split(""), [""; 0]);
        assert_eq!(split(";;:"), [""; 0]);
        assert_eq!(split("a:b;c"), ["a", "b", "c"]);
        assert_eq!(split("C:\\tb;D:/tb"), ["C:\\tb", "D:/tb"]);
        assert_eq!(split("C:\\tb:D:/tb:/x"), ["C:\\tb", "D:/tb", "/x"]);
        assert_eq!(
            split(r"\\?\C:\tb:\\host\share:/x"),
            [r"\\?\C:\tb", r"\\host\share", "/x"]
        );
        assert_eq!(split(" /a ; /b "), ["/a", "/b"]);
    }

    #[test]
    fn a_folder_that_is_missing_is_named() {
        let error = files_in(Path::new("/no/such/folder")).unwrap_err();
        assert!(error.to_string().starts_with("/no/such/folder: "));
    }
}
