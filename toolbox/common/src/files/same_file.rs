//! Whether an output is the same file as an input or another output, by whatever name.

use super::device::is_device;
use super::windows_name::as_windows_compares;
use super::{folder_of, input_name, is_dash};
use crate::error::{Error, Result};
use same_file::Handle;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// Refuses two outputs of a command that are one file: the second would take the place of the
/// first. The standard output is one of them, also where none is called `-`: `> FILE` must not be
/// another output. A device takes whatever is written.
///
/// # Errors
/// When two of the outputs are the same file.
pub fn refuse_same_outputs(outputs: &[Option<&Path>]) -> Result {
    refuse_same(outputs, plain_stdout().as_ref())
}

fn refuse_same(outputs: &[Option<&Path>], stdout: Option<&Handle>) -> Result {
    let mut places = Vec::new();
    for &path in outputs.iter().flatten() {
        if is_dash(path) || is_device(path) {
            continue;
        }
        if stdout.is_some() && Handle::from_path(path).ok().as_ref() == stdout {
            return Err(Error::Message(format!(
                "{}: an output cannot be the file that the standard output goes to",
                path.display()
            )));
        }
        let place = comparable(resolved(path));
        if places.contains(&place) {
            return Err(Error::Message(format!(
                "{}: two outputs cannot be the same file",
                path.display()
            )));
        }
        places.push(place);
    }
    Ok(())
}

/// A path without links such that those of one file are equal. A file that is there has the name that
/// its folder has; of one that is not, Windows compares the name in its own way.
fn comparable(place: PathBuf) -> PathBuf {
    match place.file_name() {
        Some(name) if cfg!(windows) => {
            place.with_file_name(as_windows_compares(&name.to_string_lossy()))
        }
        _ => place,
    }
}

/// The path without links of a file that exists, or that is to be made in a folder that exists.
pub fn resolved(path: &Path) -> PathBuf {
    let of_new = || Some(folder_of(path).canonicalize().ok()?.join(path.file_name()?));
    let found = path.canonicalize().ok().or_else(of_new);
    found.unwrap_or_else(|| path.to_owned())
}

/// Refuses a path that leads to one of the inputs: by another name, a link or a hard link. An
/// input called `-` is the standard input.
///
/// # Errors
/// When it is one of the inputs; the message names both.
pub fn refuse_input(path: &Path, inputs: &[impl AsRef<Path>]) -> Result {
    // A terminal or another device may be both read and written; and opening a pipe to look at it
    // would disturb it.
    if !path.is_file() {
        return Ok(());
    }
    match inputs.iter().find(|input| is_same(path, input.as_ref())) {
        Some(input) => Err(Error::Message(format!(
            "{} is the input{}: choose another name for the output",
            path.display(),
            also_called(input.as_ref(), path)
        ))),
        None => Ok(()),
    }
}

/// Refuses a standard output that is one of the inputs: `mola … games.pgn >> games.pgn` would read
/// what it writes, without end.
///
/// # Errors
/// When it is one of the inputs, or `-` is one and the standard input is the same file.
pub fn refuse_stdout(inputs: &[impl AsRef<Path>]) -> Result {
    let Some(output) = plain_stdout() else {
        return Ok(());
    };
    let is_output = |input: &Path| handle(input).is_some_and(|input| input == output);
    match inputs.iter().find(|input| is_output(input.as_ref())) {
        Some(input) => Err(Error::Message(format!(
            "{} is the input and the output: choose another name for the output",
            input_name(input.as_ref())
        ))),
        None => Ok(()),
    }
}

/// The standard output, if it is a plain file.
fn plain_stdout() -> Option<Handle> {
    let output = Handle::stdout().ok()?;
    let metadata = output.as_file().metadata();
    metadata
        .is_ok_and(|found| found.is_file())
        .then_some(output)
}

/// Whether a path leads to an open plain file, also where the system cannot tell.
pub(super) fn leads_to(path: &Path, file: &File) -> bool {
    let opened = file.try_clone().and_then(Handle::from_file);
    match (opened, Handle::from_path(path)) {
        (Ok(opened), Ok(found)) => opened == found,
        (Ok(_), Err(error)) => error.kind() != io::ErrorKind::NotFound,
        (Err(_), _) => true,
    }
}

fn is_same(path: &Path, input: &Path) -> bool {
    match (Handle::from_path(path), handle(input)) {
        (Ok(output), Some(input)) => output == input,
        // Without the right to open a file its path can still be resolved.
        _ => match (path.canonicalize(), input.canonicalize()) {
            (Ok(output), Ok(input)) => output == input,
            _ => false,
        },
    }
}

/// An input that is a plain file.
fn handle(input: &Path) -> Option<Handle> {
    if is_dash(input) {
        Handle::stdin().ok()
    } else if input.is_file() {
        Handle::from_path(input).ok()
    } else {
        None
    }
}

fn also_called(input: &Path, path: &Path) -> String {
    if input == path {
        String::new()
    } else if is_dash(input) {
        ", too".to_owned()
    } else {
        format!(" {}", input.display())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn two_outputs_are_two_files() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("sub")).unwrap();
        let refused = |first: PathBuf, second: PathBuf| {
            refuse_same_outputs(&[Some(&first), None, Some(&second)]).is_err()
        };
        assert!(refused(at("new"), at("new")));
        assert!(refused(at("new"), at("sub/../new")));
        assert!(!refused(at("new"), at("sub/new")));
        for one in ["NEW", "new.", "new "] {
            assert_eq!(refused(at("new"), at(one)), cfg!(windows), "{one}");
        }
        assert!(!refused("-".into(), "-".into()));
        assert!(!refused("/dev/null".into(), "/dev/null".into()));
        fs::write(at("games"), "1-0").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink("games", at("soft")).unwrap();
        #[cfg(unix)]
        assert!(refused(at("games"), at("soft")));
        assert!(refuse_same_outputs(&[None, Some(&at("games"))]).is_ok());
    }

    #[test]
    fn the_standard_output_is_an_output() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("games"), "1-0").unwrap();
        fs::write(at("other"), "1-0").unwrap();
        let stdout = Handle::from_path(at("games")).unwrap();
        let refused = |path: PathBuf| refuse_same(&[None, Some(&path)], Some(&stdout)).is_err();
        assert!(refused(at("games")));
        assert!(refused(folder.path().join("./games")));
        for name in ["other", "new", "none/new"] {
            assert!(!refused(at(name)), "{name}");
        }
        assert!(!refused("-".into()) && !refused("/dev/stdout".into()));
    }

    #[test]
    fn files_are_known_by_any_name() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("games"), "1-0").unwrap();
        fs::write(at("other"), "1-0").unwrap();
        fs::create_dir(at("sub")).unwrap();
        let mut names = vec![at("games"), at("./games"), at("sub/../games")];
        fs::hard_link(at("games"), at("hard")).unwrap();
        names.push(at("hard"));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("games", at("soft")).unwrap();
            std::os::unix::fs::symlink(folder.path(), at("around")).unwrap();
            names.extend([at("soft"), at("around/games"), at("around/soft")]);
        }
        for name in &names {
            assert!(refuse_input(name, &[at("games")]).is_err(), "{name:?}");
            assert!(refuse_input(&at("games"), &[name]).is_err(), "{name:?}");
            assert!(refuse_input(name, &[at("other")]).is_ok(), "{name:?}");
        }
        assert!(refuse_input(&at("new"), &names).is_ok());
        assert!(refuse_input(&at("games"), &[] as &[PathBuf]).is_ok());
        assert!(refuse_input(Path::new("/dev/null"), &["/dev/null"]).is_ok());
    }
}
