//! Lines of moves as text.

use engine_core::{AnyPosition, Color, Move, dispatch};
use std::fmt::Write;

/// The moves of a line in UCI notation with blanks between them.
pub fn uci(root: &AnyPosition, line: &[Move]) -> String {
    let mut text = String::new();
    dispatch!(root, |root| {
        let mut position = *root;
        for &m in line {
            if !text.is_empty() {
                text.push(' ');
            }
            // Writing to a string cannot fail.
            let _ = write!(text, "{}", position.to_uci(m));
            position.play(m);
        }
    });
    text
}

/// The moves of a line in SAN with their numbers: `3. Nf3 Nc6 4. Bb5`.
pub fn san(root: &AnyPosition, line: &[Move]) -> String {
    let mut text = String::new();
    dispatch!(root, |root| {
        let mut position = *root;
        for (ply, &m) in line.iter().enumerate() {
            let number = position.fullmoves();
            let _ = match (position.turn(), ply) {
                (Color::White, 0) => write!(text, "{number}. "),
                (Color::White, _) => write!(text, " {number}. "),
                (Color::Black, 0) => write!(text, "{number}... "),
                (Color::Black, _) => write!(text, " "),
            };
            let _ = write!(text, "{}", position.to_san(m));
            position.play(m);
        }
    });
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine_core::{Square, Variant};

    #[test]
    fn lines() {
        let root = AnyPosition::start(Variant::Standard);
        let line = [
            Move::normal(Square::E2, Square::E4),
            Move::normal(Square::E7, Square::E5),
            Move::normal(Square::G1, Square::F3),
        ];
        assert_eq!(uci(&root, &line), "e2e4 e7e5 g1f3");
        assert_eq!(san(&root, &line), "1. e4 e5 2. Nf3");
    }
}
