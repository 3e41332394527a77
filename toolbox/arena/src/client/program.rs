//! Where the program of an engine lies.

use std::env;
use std::path::{Path, PathBuf};

/// The file of a program: a path, or what is found in the `PATH`.
pub(super) fn program_file(program: &str) -> Option<PathBuf> {
    if is_path(program) {
        return Some(program.into());
    }
    let names = ["", env::consts::EXE_SUFFIX].map(|suffix| format!("{program}{suffix}"));
    let folders = env::var_os("PATH").unwrap_or_default();
    let mut files = env::split_paths(&folders)
        .flat_map(|folder| names.each_ref().map(|name| folder.join(name)));
    let found = files.find(|path| path.is_file());
    found.or_else(|| in_games(program).map(PathBuf::from))
}

/// Whether a program is named with the folder it lies in.
pub(super) fn is_path(program: &str) -> bool {
    program.contains(std::path::is_separator)
}

/// Debian installs chess engines in a folder that is not in the `PATH` of many users.
pub(super) fn in_games(program: &str) -> Option<String> {
    const FOLDERS: [&str; 2] = ["/usr/games", "/usr/local/games"];
    let paths = FOLDERS.map(|folder| format!("{folder}/{program}"));
    paths
        .into_iter()
        .find(|path| !is_path(program) && Path::new(path).is_file())
}
