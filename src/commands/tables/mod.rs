//! `mola tables`: endgame tables on the command line.

mod generate;
mod info;
mod paths;
mod probe;
mod values;
mod verify;

use common::error::Result;

/// Probe, list, verify and make endgame tables.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  mola tables generate --out tables               all of up to four pieces
  mola tables info --path tables                  what is there, and what is missing
  mola tables probe '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1' --path tables
  mola tables verify tables                       check them for damage
Set the options SyzygyPath and GaviotaTbPath to make the engine use tables.")]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(clap::Subcommand, Debug)]
enum Action {
    Probe(probe::Args),
    Info(info::Args),
    Generate(generate::Args),
    Verify(verify::Args),
}

/// Runs the subcommand.
///
/// # Errors
/// When the tables or the position cannot be read.
pub(crate) fn run(args: &Args) -> Result {
    match &args.action {
        Action::Probe(args) => probe::run(args),
        Action::Info(args) => info::run(args),
        Action::Generate(args) => generate::run(args),
        Action::Verify(args) => verify::run(args),
    }
}
