//! `mola pgn split`: one file to many.

use super::input::Input;
use super::output::write_raw;
use super::pipeline::Record;
use crate::Dialect;
use common::error::Result;
use std::collections::HashMap;
use std::fs::{File, OpenOptions, create_dir_all};
use std::io::{BufWriter, Write, stdout};
use std::path::PathBuf;

/// Write games to several files: so many to each, or by the value of a tag.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    input: Input,
    /// So many games to a file: 000001.pgn and so on
    #[arg(long, value_name = "N", required_unless_present = "by", value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,
    /// A file for every value of this tag
    #[arg(long, value_name = "TAG", conflicts_with = "games")]
    by: Option<String>,
    /// The folder for the files
    #[arg(long, short, value_name = "FOLDER", default_value = ".")]
    output: PathBuf,
}

/// Open files: no more than systems allow.
const MOST_FILES: usize = 128;

pub(super) fn run(args: &Args, dialect: Option<&dyn Dialect>) -> Result {
    create_dir_all(&args.output)?;
    let pick = |record: Record<'_>| {
        let value = args
            .by
            .as_ref()
            .map(|tag| record.tree.headers.get(tag).unwrap_or_default());
        let name = value.map(|value| file_name(&value));
        (name, record.raw.to_vec())
    };
    let mut open: HashMap<String, BufWriter<File>> = HashMap::new();
    let mut counts: HashMap<String, u64> = HashMap::new();
    let mut number = 0_u64;
    args.input.each_game(dialect, pick, |(name, raw)| {
        let name = name.unwrap_or_else(|| {
            let file = number / args.games.unwrap_or(1) + 1;
            format!("{file:06}")
        });
        number += 1;
        if open.len() >= MOST_FILES && !open.contains_key(&name) {
            for (_, mut file) in open.drain() {
                file.flush()?;
            }
        }
        let count = counts.entry(name.clone()).or_default();
        let file = match open.entry(name) {
            std::collections::hash_map::Entry::Occupied(entry) => entry.into_mut(),
            std::collections::hash_map::Entry::Vacant(entry) => {
                let path = args.output.join(format!("{}.pgn", entry.key()));
                // What an earlier run left is replaced, what this one wrote is continued.
                let mut options = OpenOptions::new();
                options.create(true).write(true);
                options.append(*count > 0).truncate(*count == 0);
                let file = options.open(&path);
                let file = file.map_err(|error| format!("{}: {error}", path.display()))?;
                entry.insert(BufWriter::new(file))
            }
        };
        *count += 1;
        let mut text = Vec::with_capacity(raw.len() + 2);
        write_raw(&raw, &mut text);
        file.write_all(&text)?;
        Ok(true)
    })?;
    for (_, mut file) in open {
        file.flush()?;
    }
    let files = counts.len();
    writeln!(stdout(), "{number} games in {files} files")?;
    Ok(())
}

/// A value as the name of a file that every system takes.
fn file_name(value: &str) -> String {
    const LONGEST: usize = 80;
    let plain = |c: char| {
        if c.is_alphanumeric() || "-_, ".contains(c) {
            c
        } else {
            '_'
        }
    };
    let name: String = value.trim().chars().map(plain).take(LONGEST).collect();
    if name.is_empty() { "none".into() } else { name }
}
