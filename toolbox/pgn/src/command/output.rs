//! Where games go.

use common::error::Result;
use std::fs::File;
use std::io::{BufWriter, Write, stdout};
use std::path::PathBuf;

/// Arguments of subcommands that write games.
#[derive(clap::Args, Debug, Clone)]
pub(super) struct Target {
    /// Write to this file instead of the standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Target {
    /// Opens it.
    pub(super) fn open(&self) -> Result<Box<dyn Write>> {
        const SIZE: usize = 1 << 16;
        Ok(match &self.output {
            None => Box::new(BufWriter::with_capacity(SIZE, stdout())),
            Some(path) => {
                let file = File::create(path);
                let file = file.map_err(|error| format!("{}: {error}", path.display()))?;
                Box::new(BufWriter::with_capacity(SIZE, file))
            }
        })
    }
}

/// A game as it was, with a blank line after it.
pub(super) fn write_raw(raw: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(raw.trim_ascii());
    out.extend_from_slice(b"\n\n");
}
