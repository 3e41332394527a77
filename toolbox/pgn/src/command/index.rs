//! `mola pgn index`: positions of a collection, to be found at once.

use super::input::Input;
use super::pipeline::Reports;
use super::unpack::Packing;
use crate::index::{Build, EntryReader, GameEntries, Index, is_index, path_of};
use crate::{Block, Dialect, Parsed, Parser, Replay};
use common::count::count;
use common::error::{Error, Result};
use common::files::{Force, NewFile, Replace, input_name, is_dash, named, refuse_unresumable};
use common::note;
use engine_core::notation::Language;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Write an index beside each collection, GAMES.pgn.idx, so that find, filter, tree, players and
/// openings find positions at once.
///
/// The commands use the index automatically while it is current; if the games, or the time of their
/// file, have changed, they report that and read the games instead. Files must not be compressed.
/// The index has about half the size of games without comments. Indexing needs some 60 bytes of memory
/// for each game, and GAMES.pgn.idx.part takes twice the size of the index; a stopped run is resumed
/// by the same command.
#[derive(clap::Args, Debug)]
#[command(mut_arg("lang", |lang| lang.hide(true)), after_help = "Examples:
  mola pgn index games.pgn --threads 2
  mola pgn tree games.pgn --line 'e4 c5'
  mola pgn index games.pgn --check")]
pub struct Args {
    #[command(flatten)]
    input: Input,
    /// Check the existing index from end to end instead
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    force: Force,
}

pub(super) fn run(args: &Args, dialect: Option<&dyn Dialect>) -> Result {
    let refused = [
        (dialect.is_some(), "--compat"),
        (args.input.lang != Language::ENGLISH, "--lang"),
    ];
    if let Some((_, option)) = refused.iter().find(|(is_given, _)| *is_given) {
        let message = format!("{option}: games are indexed in only one way");
        return Err(Error::Usage(message));
    }
    for path in args.input.paths() {
        if !is_dash(&path) {
            path.metadata().map_err(|error| named(&path, &error))?;
        }
        if !path.is_file() {
            let path = input_name(&path);
            return Err(Error::Message(format!(
                "{path}: only a regular file can have an index"
            )));
        }
        if args.check {
            check(&path)?;
        } else {
            index(args, &path)?;
        }
    }
    Ok(())
}

fn check(path: &Path) -> Result {
    let Some(index) = Index::open(path)? else {
        let path = path_of(path);
        return Err(Error::Message(format!(
            "{}: there is no index",
            path.display()
        )));
    };
    index.check()?;
    note!("{}: sound", path_of(path).display());
    Ok(())
}

fn is_packed(path: &Path) -> Result<bool> {
    let mut file = File::open(path).map_err(|error| named(path, &error))?;
    let mut bytes = [0; 4];
    let length = file.read(&mut bytes).map_err(|error| named(path, &error))?;
    Ok(Packing::of(bytes.get(..length).unwrap_or_default()).is_some())
}

fn index(args: &Args, path: &Path) -> Result {
    if is_packed(path)? {
        let path = path.display();
        return Err(Error::Message(format!(
            "{path}: compressed games cannot have an index; decompress them"
        )));
    }
    let target = path_of(path);
    refuse_unresumable(&target)?;
    let replace = if is_index(&target) {
        Replace::Yes
    } else {
        args.force.replace()
    };
    let mut out = NewFile::create(&target, replace, &args.input.paths())?;
    let mut build = Build::open(path)?;
    let input = Input {
        next: build.next(),
        ..args.input.of(vec![path.to_owned()])
    };
    let tally = input.each_block(read, |games| {
        games.iter().try_for_each(|game| build.add(game))?;
        Ok(true)
    })?;
    let entries = build.finish(&mut out)?;
    out.finish()?;
    build.close();
    if !args.input.quiet {
        let games = count(tally.games, "game");
        note!(
            "{}: {games}, {}",
            target.display(),
            count(entries, "position")
        );
    }
    Ok(())
}

/// The positions of the games of a block.
fn read(block: &Block, reports: &mut Reports<'_>) -> Vec<GameEntries> {
    let mut reader = EntryReader::default();
    let mut parser = Parser::new(&block.text);
    let mut replay = Replay::new(&mut reader);
    let mut games = Vec::new();
    while parser.read_game(&mut replay) == Parsed::Game {
        let reader = replay.visitor();
        let line = reports.line(reader.begin);
        games.push(reader.take(block.offset + reader.begin as u64, line));
        reports.game(&std::mem::take(&mut reader.problems));
    }
    games
}
