//! All games of a text.

use pgn::{Builder, Parser, Replay, Step, Tree};

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
