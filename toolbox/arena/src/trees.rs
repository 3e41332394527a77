//! All games of a text.

use pgn::{Builder, Parsed, Parser, Replay, Tree};
use std::path::Path;

/// Every game of a PGN.
pub(crate) fn trees(text: &[u8]) -> impl Iterator<Item = Tree> {
    let mut parser = Parser::new(text);
    let mut builder = Builder::new();
    std::iter::from_fn(
        move || match parser.read_game(&mut Replay::new(&mut builder)) {
            Parsed::Game => Some(builder.take()),
            Parsed::End | Parsed::Stopped => None,
        },
    )
}

/// Whether a file, perhaps packed, is a PGN: by its name, or by the tag that its text begins with.
pub(crate) fn is_pgn(path: &Path, bytes: &[u8]) -> bool {
    let has = |path: &Path, end: &str| {
        path.extension()
            .is_some_and(|it| it.eq_ignore_ascii_case(end))
    };
    let is_packed = ["gz", "bz2", "zst"].iter().any(|end| has(path, end));
    let whole = Path::new(path.file_stem().unwrap_or_default());
    has(if is_packed { whole } else { path }, "pgn") || bytes.trim_ascii_start().starts_with(b"[")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_tags_tell_what_a_file_is() {
        for name in ["a.pgn", "a.PGN", "a.pgn.gz", "a.b.pgn.ZST"] {
            assert!(is_pgn(Path::new(name), b"1. e4"), "{name}");
        }
        for name in ["a.epd", "a.epd.gz", "pgn", "a.gz", ".pgn"] {
            assert!(!is_pgn(Path::new(name), b"8/8"), "{name}");
            assert!(is_pgn(Path::new(name), b" [White"), "{name}");
        }
    }
}
