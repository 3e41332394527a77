//! `mola pgn dedupe`: every game once.

use super::input::Input;
use super::output::{OutputArgs, RawGames};
use super::pipeline::GameRecord;
use super::tag_argument::tag_argument;
use crate::{Dialect, Remark, Tree};
use common::count::count;
use common::error::Result;
use common::files::{NewFile, refuse_packed, refuse_same_outputs, refuse_stdin_twice};
use common::note;
use engine_core::{AnyPosition, CastlingMode, Variant};
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::iter;
use std::path::PathBuf;

/// Remove duplicates: of games with the same start and moves, write the first.
///
/// The rules count, too: a game of Atomic chess is none of standard chess. Of a game that was not
/// read to its end, the text that could not be read must be the same.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  mola pgn dedupe games.pgn -o once.pgn
  mola pgn dedupe new.pgn --known old.pgn -o added.pgn
  mola pgn dedupe games.pgn --tags White,Black --duplicates twice.pgn -o once.pgn")]
pub struct Args {
    #[command(flatten)]
    input: Input,
    #[command(flatten)]
    target: OutputArgs,
    /// These tags must be equal, too
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', value_parser = tag_argument)]
    tags: Vec<String>,
    /// Games are duplicates if they have the same position after this many plies; 0 is the final
    /// position, which is also used for shorter games
    #[arg(long, value_name = "PLIES")]
    position_after: Option<usize>,
    /// Also omit games that are in this file
    #[arg(long, value_name = "FILE")]
    known: Vec<PathBuf>,
    /// Write the duplicates to this file
    #[arg(long, value_name = "FILE")]
    duplicates: Option<PathBuf>,
}

/// Two hashes of what makes a game: 128 bits, so that no two games are taken for one.
fn fingerprint(record: &GameRecord<'_>, args: &Args) -> u128 {
    let tree = &*record.tree;
    let position = args
        .position_after
        .and_then(|plies| position_after(tree, plies));
    let mut hash = 0_u128;
    for salt in 0..2_u8 {
        let mut hasher = DefaultHasher::new();
        salt.hash(&mut hasher);
        if let Some(position) = &position {
            position.board().hash(&mut hasher);
            rules_and_key(position).hash(&mut hasher);
        } else {
            let start = tree.start.as_ref().map(rules_and_key);
            start.hash(&mut hasher);
            tree.line_to(tree.end(tree.root())).hash(&mut hasher);
            unread_words(tree).hash(&mut hasher);
        }
        if tree.start.is_none() {
            record.raw.hash(&mut hasher);
        }
        for name in &args.tags {
            tree.headers.get(name).hash(&mut hasher);
        }
        hash = hash << 64 | u128::from(hasher.finish());
    }
    hash
}

fn rules_and_key(position: &AnyPosition) -> (Variant, CastlingMode, u64) {
    (
        position.variant(),
        position.mode(),
        position.repetition_key(),
    )
}

/// The words of the main line that could not be read, if that has cost moves of it.
fn unread_words(tree: &Tree) -> Vec<&[u8]> {
    if tree.is_whole {
        return Vec::new();
    }
    let nodes = iter::once(tree.root()).chain(tree.main_line(tree.root()));
    let remarks = nodes.flat_map(|id| tree.comments(id));
    let unread = remarks.filter(|comment| comment.remark == Remark::Raw);
    let words = unread.flat_map(|raw| raw.text.as_bytes().split(u8::is_ascii_whitespace));
    words.filter(|word| !word.is_empty()).collect()
}

/// The position of the main line after this many plies, or at its end if that is known; 0 is
/// always the end.
fn position_after(tree: &Tree, plies: usize) -> Option<AnyPosition> {
    let at = match plies {
        0 => None,
        plies => tree.main_line(tree.root()).nth(plies - 1),
    };
    match at {
        None if !tree.is_whole => None,
        None => tree.position(tree.end(tree.root())),
        Some(at) => tree.position(at),
    }
}

pub(super) fn run(args: &Args, dialect: Option<&dyn Dialect>) -> Result {
    refuse_same_outputs(&[args.target.path(), args.duplicates.as_deref()])?;
    args.duplicates.as_deref().map_or(Ok(()), refuse_packed)?;
    let mut inputs = args.input.paths();
    inputs.extend(args.known.iter().cloned());
    refuse_stdin_twice(&inputs)?;
    // The outputs first: what is known may take long to read.
    let replace = args.target.replace();
    let duplicates = args.duplicates.as_ref();
    let duplicates = duplicates.map(|path| NewFile::create(path, replace, &inputs));
    let mut duplicates = duplicates.transpose()?;
    let mut out = args.target.open_beside(&inputs)?;
    let mut seen = HashSet::new();
    if !args.known.is_empty() {
        let known = args.input.of(args.known.clone());
        let print = |record: GameRecord<'_>| fingerprint(&record, args);
        known.each_game(dialect, print, |print| {
            seen.insert(print);
            Ok(true)
        })?;
    }
    let prints = |record: GameRecord<'_>| (fingerprint(&record, args), record.raw.to_vec());
    let (mut kept, mut double) = (0_u64, 0_u64);
    let (mut kept_games, mut double_games) = (RawGames::default(), RawGames::default());
    args.input.each_game(dialect, prints, |(print, raw)| {
        if seen.insert(print) {
            kept += 1;
            out.write_all(kept_games.next(&raw))?;
        } else {
            double += 1;
            if let Some(duplicates) = &mut duplicates {
                duplicates.write_all(double_games.next(&raw))?;
            }
        }
        Ok(true)
    })?;
    out.finish()?;
    duplicates.map_or(Ok(()), NewFile::finish)?;
    if !args.input.quiet {
        note!("{} kept, {double} left out", count(kept, "game"));
    }
    Ok(())
}
