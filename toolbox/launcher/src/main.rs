//! `mola` of a release for x86-64, which holds one build of Mola for each level of that architecture:
//! runs the one for this processor. It is built for the lowest level itself
//! (`-C target-cpu=x86-64`), or it would not even ask the processor.

mod level;
mod run;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, io};

fn main() -> ExitCode {
    // Only what went wrong comes back.
    let Err(message) = launch();
    eprintln!("mola: {message}");
    ExitCode::FAILURE
}

/// Becomes the build for this processor, or on Windows waits for its end and ends likewise.
fn launch() -> Result<std::convert::Infallible, String> {
    let folder =
        folder().map_err(|error| format!("cannot find the folder of this program: {error}"))?;
    let name = format!("mola-{}{}", level::best(), env::consts::EXE_SUFFIX);
    let program = find(&folder, &name).ok_or_else(|| {
        let folder = folder.display();
        format!("{name}, the build for this processor, is not in {folder}: unpack all of the release there")
    })?;
    let error = run::run(&program);
    Err(format!("{}: {error}", program.display()))
}

/// The folder of this program itself, not that of a link to it.
fn folder() -> io::Result<PathBuf> {
    let program = env::current_exe()?;
    // Windows would answer in the form `\\?\C:\…`, which not every program reads.
    let program = if cfg!(windows) {
        program
    } else {
        program.canonicalize()?
    };
    Ok(program.parent().unwrap_or(Path::new("")).to_owned())
}

/// The builds are beside the launcher or, where a system has folders of its own for what people do not
/// start, in `../lib/mola`.
fn find(folder: &Path, name: &str) -> Option<PathBuf> {
    let places = [folder.to_owned(), folder.join("../lib/mola")];
    places
        .map(|place| place.join(name))
        .into_iter()
        .find(|path| path.is_file())
}
