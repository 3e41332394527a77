//! `mola completions` and `mola man`: what a shell and `man` know of the command line.

use clap_complete::Shell;
use common::error::Result;
use std::io::{Write, stdout};
use std::path::PathBuf;

/// Print the completions of a shell.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  mola completions bash > ~/.local/share/bash-completion/completions/mola
  mola completions fish > ~/.config/fish/completions/mola.fish
  mola completions zsh > \"${fpath[1]}/_mola\"")]
pub(crate) struct Args {
    /// The shell
    shell: Shell,
}

/// Prints the completions of a command line.
///
/// # Errors
/// When the output is closed.
pub(crate) fn run(args: &Args, mut command: clap::Command) -> Result {
    // The generator ends the program where it cannot write, so it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "mola", &mut script);
    Ok(stdout().write_all(&script)?)
}

/// Print the manual page, or write those of all subcommands.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  mola man | man -l -
  mola man --dir /usr/local/share/man/man1")]
pub(crate) struct ManArgs {
    /// Write mola.1 and a page for each subcommand into this folder
    #[arg(long, value_name = "FOLDER")]
    dir: Option<PathBuf>,
}

/// Prints or writes the manual pages of a command line.
///
/// # Errors
/// When the output is closed, or a page cannot be written.
pub(crate) fn run_man(args: &ManArgs, command: clap::Command) -> Result {
    match &args.dir {
        Some(dir) => {
            std::fs::create_dir_all(dir)?;
            clap_mangen::generate_to(command, dir)?;
        }
        None => clap_mangen::Man::new(command).render(&mut stdout())?,
    }
    Ok(())
}
