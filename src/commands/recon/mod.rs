//! `mola recon`: reconnaissance chess, one file for each of its commands.

pub mod arbiter;
pub mod limits;
pub mod matches;

use crate::error::Result;
use clap::Subcommand;

/// Reconnaissance chess: the opponent's pieces are hidden, and each turn senses 3x3 squares
///
/// It is the game of the Python package reconchess: rules, records of games and HTTP API are the
/// same.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    Match(matches::Args),
    Arbiter(arbiter::Args),
}

/// Runs the subcommand.
///
/// # Errors
/// Those of the command.
pub fn run(args: &Args) -> Result {
    match &args.command {
        Command::Match(args) => matches::run(args),
        Command::Arbiter(args) => arbiter::run(args),
    }
}
