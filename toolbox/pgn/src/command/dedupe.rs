//! `mola pgn dedupe`: every game once.

use super::input::Input;
use super::output::{Target, write_raw};
use super::pipeline::Record;
use crate::Dialect;
use common::count::count;
use common::error::Result;
use common::note;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;

/// Write every game once: of games with the same start and moves, the first.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    input: Input,
    #[command(flatten)]
    target: Target,
    /// These tags must be the same, too
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    tags: Vec<String>,
}

/// Two hashes of what makes a game: 128 bits, so that no two games are taken for one.
fn fingerprint(record: &Record<'_>, tags: &[String]) -> u128 {
    let tree = &*record.tree;
    let mut hash = 0_u128;
    for salt in 0..2_u8 {
        let mut hasher = DefaultHasher::new();
        salt.hash(&mut hasher);
        let start = tree.start.map(|start| start.key());
        start.hash(&mut hasher);
        tree.line_to(tree.end(tree.root())).hash(&mut hasher);
        if tree.start.is_none() {
            record.raw.hash(&mut hasher);
        }
        for name in tags {
            tree.headers.get(name).hash(&mut hasher);
        }
        hash = hash << 64 | u128::from(hasher.finish());
    }
    hash
}

pub(super) fn run(args: &Args, dialect: Option<&dyn Dialect>) -> Result {
    let prints = |record: Record<'_>| (fingerprint(&record, &args.tags), record.raw.to_vec());
    let mut seen = HashSet::new();
    let mut double = 0_u64;
    let mut out = args.target.open(&args.input)?;
    args.input.each_game(dialect, prints, |(print, raw)| {
        if seen.insert(print) {
            let mut game = Vec::with_capacity(raw.len() + 2);
            write_raw(&raw, &mut game);
            out.write_all(&game)?;
        } else {
            double += 1;
        }
        Ok(true)
    })?;
    out.finish()?;
    if !args.input.quiet {
        let kept = count(seen.len(), "game");
        note!("{kept} kept, {double} left out");
    }
    Ok(())
}
