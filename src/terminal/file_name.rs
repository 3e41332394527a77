//! Names of files as people type them in commands: as they are, blanks included, or in double quotes, as
//! a file manager may copy them.

use std::path::{Path, is_separator};

/// A name without the quotes around it.
pub(super) fn unquoted(name: &str) -> &str {
    name.strip_prefix('"')
        .map_or(name, |name| name.strip_suffix('"').unwrap_or(name))
}

/// Where the beginning of a name that can be completed starts in what is typed of it, and what to; after
/// a folder comes a separator. A folder that cannot be read offers no names, and a name whose quotes are
/// closed is whole.
pub(super) fn complete(typed: &str) -> (usize, Vec<String>) {
    let name = typed.trim_start();
    let quoted = name.strip_prefix('"');
    if quoted.is_some_and(|path| path.ends_with('"')) {
        return (typed.len(), Vec::new());
    }
    let path = quoted.unwrap_or(name);
    let folder_end = path.rfind(is_separator).map_or(0, |at| at + 1);
    let (folder, begin) = path.split_at(folder_end);
    let entries = Path::new(if folder.is_empty() { "." } else { folder }).read_dir();
    let mut names = Vec::new();
    for entry in entries.into_iter().flatten().flatten() {
        let name = entry.file_name();
        let Some(name) = name.to_str().filter(|name| begins(name, begin)) else {
            continue;
        };
        let end = if entry.path().is_dir() {
            std::path::MAIN_SEPARATOR_STR
        } else {
            ""
        };
        names.push(format!("{folder}{name}{end}"));
    }
    names.sort();
    (typed.len() - path.len(), names)
}

fn begins(name: &str, begin: &str) -> bool {
    let start = name.get(..begin.len());
    start.is_some_and(|start| start == begin || cfg!(windows) && start.eq_ignore_ascii_case(begin))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::MAIN_SEPARATOR_STR;

    #[test]
    fn quotes_around_a_name() {
        for (typed, name) in [
            ("my games.pgn", "my games.pgn"),
            ("\"my games.pgn\"", "my games.pgn"),
            ("\"my games.pgn", "my games.pgn"),
            ("5\" disk.pgn", "5\" disk.pgn"),
            ("", ""),
            ("\"", ""),
        ] {
            assert_eq!(unquoted(typed), name);
        }
    }

    #[test]
    fn names_are_completed_as_they_are() {
        let above = tempfile::tempdir().unwrap();
        let folder = above.path().join("sub dir");
        std::fs::create_dir_all(folder.join("x (z)")).unwrap();
        for name in ["x y's.pgn", "y"] {
            std::fs::write(folder.join(name), "").unwrap();
        }
        let dir = format!("{}{MAIN_SEPARATOR_STR}", folder.display());
        let files = [
            format!("{dir}x (z){MAIN_SEPARATOR_STR}"),
            format!("{dir}x y's.pgn"),
        ];
        assert_eq!(complete(&format!("{dir}x")), (0, files.to_vec()));
        assert_eq!(complete(&format!(" \"{dir}x")), (2, files.to_vec()));
        let begin = format!("{}{MAIN_SEPARATOR_STR}sub", above.path().display());
        assert_eq!(complete(&begin), (0, vec![dir.clone()]));
        let closed = format!("\"{dir}y\"");
        assert_eq!(complete(&closed), (closed.len(), Vec::new()));
        assert_eq!(complete("/no/such/folder/"), (0, Vec::new()));
    }
}
