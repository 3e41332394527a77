//! The `mola` binary: everything is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    mola::cli::main()
}
