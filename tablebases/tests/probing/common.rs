//! Common code of the tests on shared data.

use engine_core::{CastlingMode, Position, Rules, Setup};

/// The rows of a compressed CSV file without its header.
pub(crate) fn rows(name: &str) -> Vec<Vec<String>> {
    let text = corpora::text(&corpora::path(name));
    text.lines()
        .skip(1)
        .map(|line| line.split(',').map(str::to_owned).collect())
        .collect()
}

pub(crate) fn position<R: Rules>(fen: &str) -> Position<R> {
    let setup = Setup::from_fen(fen).unwrap();
    Position::from_setup(&setup, CastlingMode::Standard)
        .unwrap_or_else(|error| panic!("{fen}: {error}"))
}
