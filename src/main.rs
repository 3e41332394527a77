//! The `mola` binary; its code is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    if mola::processor::lacks_features() {
        mola::processor::report_missing_features();
        return ExitCode::FAILURE;
    }
    mola::cli::main()
}
