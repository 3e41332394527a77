//! `mola traindata`: what is in the files of `mola datagen`, for people and for other trainers.

mod export;
mod info;

use common::error::Result;

/// Inspect the files that datagen writes, or export them for other trainers
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  mola traindata info games.data
  mola traindata export games.data --format bullet --out games.bullet")]
pub struct Args {
    #[command(subcommand)]
    command: Subcommand,
}

#[derive(clap::Subcommand, Debug)]
enum Subcommand {
    Info(info::Args),
    Export(export::Args),
}

/// Runs the subcommand.
///
/// # Errors
/// Those of the command.
pub fn run(args: &Args) -> Result {
    match &args.command {
        Subcommand::Info(args) => info::run(args),
        Subcommand::Export(args) => export::run(args),
    }
}
