//! Where the program of an engine lies.

use std::env;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};

/// The file of a program: a path, or what is found in the `PATH`.
pub(super) fn program_file(program: &str) -> Option<PathBuf> {
    let names = names(program, env::consts::EXE_SUFFIX);
    if is_path(program) {
        return Some(first_file(names).unwrap_or_else(|| program.into()));
    }
    let folders = env::var_os("PATH").unwrap_or_default();
    let mut files = env::split_paths(&folders)
        .flat_map(|folder| names.each_ref().map(|name| folder.join(name)));
    let found = files.find(|path| path.is_file());
    found.or_else(|| in_games(program).map(PathBuf::from))
}

/// The names that the file of a program may have, in the order in which the system looks for them: with
/// the ending of programs, and without.
fn names(program: &str, suffix: &str) -> [String; 2] {
    [format!("{program}{suffix}"), program.to_owned()]
}

fn first_file(names: [String; 2]) -> Option<PathBuf> {
    let mut paths = names.into_iter().map(PathBuf::from);
    paths.find(|path| path.is_file())
}

/// How to call a program that is not found, if it lies in the current folder: not all systems look
/// there.
pub(super) fn path_in_current_folder(program: &str) -> Option<String> {
    let names = names(program, env::consts::EXE_SUFFIX);
    let is_there = !is_path(program) && first_file(names).is_some();
    is_there.then(|| format!(".{MAIN_SEPARATOR}{program}"))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_without_their_ending() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| format!("{}/{name}", folder.path().display());
        std::fs::write(path("new.exe"), "").unwrap();
        let found = |name: &str| first_file(names(&path(name), ".exe"));
        let program = Some(path("new.exe").into());
        assert_eq!(
            [found("new"), found("new.exe")],
            [program.clone(), program.clone()]
        );
        // As Windows starts it.
        std::fs::write(path("new"), "").unwrap();
        assert_eq!(found("new"), program);
        let own = format!("new{}", env::consts::EXE_SUFFIX);
        assert_eq!(program_file(&path("new")), Some(path(&own).into()));
        assert_eq!(program_file(&path("old")), Some(path("old").into()));
    }

    /// Tests run in the folder of their crate.
    #[test]
    fn programs_in_the_current_folder() {
        let called = format!(".{MAIN_SEPARATOR}Cargo.toml");
        assert_eq!(path_in_current_folder("Cargo.toml"), Some(called));
        assert_eq!(path_in_current_folder("./Cargo.toml"), None);
        assert_eq!(path_in_current_folder("no-such-program"), None);
    }
}
