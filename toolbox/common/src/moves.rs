//! Lines of moves as text.

use engine_core::{AnyPosition, CastlingMode, Color, Move, Position, Rules, dispatch};
use std::fmt::Write;

/// The moves of a line in UCI notation with blanks between them.
pub fn uci(root: &AnyPosition, line: &[Move]) -> String {
    dispatch!(root, |root| {
        let mut position = *root;
        let words = line.iter().map(|&m| {
            let word = position.to_uci(m).to_string();
            position.play(m);
            word
        });
        words.collect::<Vec<_>>().join(" ")
    })
}

/// A move as XBoard writes it: like UCI, but castling in Chess960 is `O-O` or `O-O-O`.
pub fn xboard_move<R: Rules>(position: &Position<R>, m: Move) -> String {
    match (m.is_castle(), position.mode()) {
        (true, CastlingMode::Chess960) if m.to() > m.from() => "O-O".into(),
        (true, CastlingMode::Chess960) => "O-O-O".into(),
        _ => position.to_uci(m).to_string(),
    }
}

/// The moves of a line as XBoard writes them, with blanks between them.
pub fn xboard(root: &AnyPosition, line: &[Move]) -> String {
    dispatch!(root, |root| {
        let mut position = *root;
        let words = line.iter().map(|&m| {
            let word = xboard_move(&position, m);
            position.play(m);
            word
        });
        words.collect::<Vec<_>>().join(" ")
    })
}

/// The moves of a line in SAN with their numbers: `3. Nf3 Nc6 4. Bb5`.
pub fn san(root: &AnyPosition, line: &[Move]) -> String {
    let mut text = String::new();
    dispatch!(root, |root| {
        let mut position = *root;
        for (ply, &m) in line.iter().enumerate() {
            let number = position.fullmoves();
            // Writing to a string cannot fail.
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
