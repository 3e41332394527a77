//! The `mola` binary: everything is in the library.

use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    match mola::processor::complaint() {
        None => mola::cli::main(),
        Some(line) => {
            // Nobody is left to tell when stderr is closed.
            let _ = std::io::stderr().write_all(line.as_bytes());
            ExitCode::FAILURE
        }
    }
}
