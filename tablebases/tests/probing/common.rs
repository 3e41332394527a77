//! What the tests on shared data have in common. They pass where there is no such folder.

use engine_core::{CastlingMode, Position, Rules, Setup};
use flate2::read::GzDecoder;
use std::fs::File;
use std::io::Read;
use std::path::PathBuf;

/// A file or folder of the shared data, if it is there.
pub(crate) fn data(name: &str) -> Option<PathBuf> {
    let root = std::env::var_os("MOLA_DATA").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/data")),
        PathBuf::from,
    );
    let path = root.join(name);
    path.exists().then_some(path)
}

/// The rows of a compressed table below its head, split at commas.
pub(crate) fn rows(name: &str) -> Vec<Vec<String>> {
    let Some(path) = data(name) else {
        eprintln!("no {name}: skipped");
        return Vec::new();
    };
    let mut text = String::new();
    GzDecoder::new(File::open(path).unwrap())
        .read_to_string(&mut text)
        .unwrap();
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
