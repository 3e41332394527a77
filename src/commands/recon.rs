//! `mola recon`.

use crate::allocator;
use common::error::Result;
pub(crate) use recon::command::Args;
use recon::command::run as run_command;

/// Runs the subcommand.
///
/// # Errors
/// Those of the command.
pub(crate) fn run(args: &Args) -> Result {
    if args.is_server() {
        // To hash a password takes 19 MB, and many users may log in at once.
        allocator::configure();
    }
    run_command(args)
}
