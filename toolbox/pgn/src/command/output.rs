//! Where games are written.

use super::input::Input;
use common::error::Result;
use common::files::{Force, Replace, Sink};
use std::path::{Path, PathBuf};

/// Arguments of subcommands that write games.
#[derive(clap::Args, Debug, Clone)]
pub(super) struct Target {
    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
}

impl Target {
    /// Opens it. It must not be one of the input files.
    pub(super) fn open(&self, input: &Input) -> Result<Sink> {
        self.open_beside(&input.paths())
    }

    /// Opens it. It must not be one of these files.
    pub(super) fn open_beside(&self, inputs: &[PathBuf]) -> Result<Sink> {
        Sink::open(self.output.as_deref(), self.force.replace(), inputs)
    }

    /// The file; `None` for standard output.
    pub(super) fn path(&self) -> Option<&Path> {
        let path = self.output.as_deref();
        path.filter(|path| *path != Path::new("-"))
    }

    /// Whether files may be replaced.
    pub(super) fn replace(&self) -> Replace {
        self.force.replace()
    }
}

/// A game as it was, with a blank line after it.
pub(super) fn write_raw(raw: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(raw.trim_ascii());
    out.extend_from_slice(b"\n\n");
}
