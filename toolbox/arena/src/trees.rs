//! All games of a text.

use pgn::{Builder, Parser, Replay, Step, Tree};
use std::path::Path;

/// Every game of a PGN.
pub(crate) fn trees(text: &[u8]) -> impl Iterator<Item = Tree> {
    let mut parser = Parser::new(text);
    let mut builder = Builder::new();
    std::iter::from_fn(
        move || match parser.read_game(&mut Replay::new(&mut builder)) {
            Step::Game => Some(builder.take()),
            Step::End | Step::Stopped => None,
        },
    )
}

/// Whether a file is a PGN: by its name, or by the tag that it begins with.
pub(crate) fn is_pgn(path: &Path, bytes: &[u8]) -> bool {
    let ending = path.extension();
    ending.is_some_and(|ending| ending.eq_ignore_ascii_case("pgn"))
        || bytes.trim_ascii_start().starts_with(b"[")
}
