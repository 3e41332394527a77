//! The `mola` binary; its code is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    if mola::processor::is_too_old() {
        return ExitCode::FAILURE;
    }
    mola::cli::main()
}
