//! Folders of tables as users give them.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Folders that are looked into for one path, so that a path such as `/` ends.
const MAX_FOLDERS: usize = 10_000;

/// A folder that cannot be read, or has no tables.
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

/// The folders of a list with `;` or `:` between them. A colon after a drive letter, and either in
/// a path that exists as it is, separates nothing; a list that is no Unicode is one path. Empty parts
/// and `<empty>` are not folders.
///
/// ```
/// use std::path::PathBuf;
///
/// let folders = tablebases::split_paths("/tables/345;/tables/6:C:\\wdl;");
/// assert_eq!(folders, ["/tables/345", "/tables/6", "C:\\wdl"].map(PathBuf::from));
/// assert!(tablebases::split_paths("<empty>").is_empty());
/// ```
pub fn split_paths(list: impl AsRef<OsStr>) -> Vec<PathBuf> {
    let list = list.as_ref();
    let text = match list.to_str() {
        Some(text) if !Path::new(without_end(text)).exists() => text,
        Some(text) => return vec![without_end(text).into()],
        None => return vec![list.into()],
    };
    let mut folders = Vec::new();
    for part in text.split(';') {
        let whole = trimmed(part);
        if Path::new(whole).exists() {
            folders.push(whole);
            continue;
        }
        let mut start = 0;
        for (at, _) in part.match_indices(':') {
            if !is_drive(&part[start..at], &part[at + 1..]) {
                folders.push(trimmed(&part[start..at]));
                start = at + 1;
            }
        }
        folders.push(trimmed(&part[start..]));
    }
    let is_folder = |folder: &&str| !folder.is_empty() && *folder != "<empty>";
    folders
        .into_iter()
        .filter(is_folder)
        .map(PathBuf::from)
        .collect()
}

/// A path without the blanks around it, which are kept if they are part of a name.
fn trimmed(path: &str) -> &str {
    let path = without_end(path);
    if Path::new(path).exists() {
        path
    } else {
        path.trim()
    }
}

/// A path without the blanks at its end in Windows, where no name ends with one. Asked whether there is
/// such a file, Windows leaves them out, but it finds nothing in such a folder.
fn without_end(path: &str) -> &str {
    if cfg!(windows) { path.trim_end() } else { path }
}

/// Whether a colon between these stands behind the letter of a drive, as in `C:\x` and `\\?\C:\x`.
/// Where there are no drives, the letter may name a folder.
fn is_drive(before: &str, after: &str) -> bool {
    let before = before.trim_start();
    let letter = before.strip_prefix(r"\\?\").unwrap_or(before).as_bytes();
    letter.len() == 1
        && letter[0].is_ascii_alphabetic()
        && after.starts_with(['\\', '/'])
        && (cfg!(windows) || !Path::new(before).exists())
}

/// Every file in a folder and its sub-folders, in order of name, each folder once however many links
/// lead to it. A path that is a file stands for itself.
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
    let mut folders = vec![path.to_owned()];
    let mut visited = HashSet::new();
    while let Some(folder) = folders.pop() {
        // A sub-folder that may not be read hides its own tables alone.
        let Ok(entries) = folder.read_dir() else {
            continue;
        };
        // WASI may not know the real path; there the limit ends a circle of links.
        if !visited.insert(folder.canonicalize().unwrap_or(folder)) {
            continue;
        }
        if visited.len() > MAX_FOLDERS {
            let error = format!("more than {MAX_FOLDERS} folders; name those with tables");
            return Err(missing(io::Error::other(error)));
        }
        for entry in entries.flatten() {
            let Ok(kind) = entry.file_type() else {
                continue;
            };
            let path = entry.path();
            if kind.is_dir() || kind.is_symlink() && path.is_dir() {
                folders.push(path);
            } else {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

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

    #[cfg(unix)]
    #[test]
    fn paths_that_exist_are_not_split() {
        use std::os::unix::ffi::OsStrExt;
        let folder = tempfile::tempdir().unwrap();
        for name in ["a;b", "a:b", "blank "] {
            let path = folder.path().join(name);
            fs::create_dir(&path).unwrap();
            assert_eq!(split_paths(&path), [path]);
        }
        let blank = folder.path().join("blank ");
        let list = format!("{};/x", blank.display());
        assert_eq!(split_paths(list), [blank, "/x".into()]);
        let odd = OsStr::from_bytes(b"/t\xff:b");
        assert_eq!(split_paths(odd), [PathBuf::from(odd)]);
    }

    #[cfg(unix)]
    #[test]
    fn every_folder_is_looked_into_once() {
        let folder = tempfile::tempdir().unwrap();
        let deep = folder.path().join("1/2/3/4/5/6");
        fs::create_dir_all(&deep).unwrap();
        fs::write(deep.join("KQvK.rtbw"), "").unwrap();
        std::os::unix::fs::symlink(folder.path(), folder.path().join("circle")).unwrap();
        assert_eq!(files_in(folder.path()).unwrap().len(), 1);
    }

    #[test]
    fn a_folder_that_is_missing_is_named() {
        let error = files_in(Path::new("/no/such/folder")).unwrap_err();
        assert!(error.to_string().starts_with("/no/such/folder: "));
    }
}
