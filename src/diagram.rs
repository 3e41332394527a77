//! A position in plain characters, for the command `d` and for logs.

use crate::setup;
use engine_core::{AnyPosition, File, Rank, Square, dispatch};

/// The board, the FEN, the key and the pieces that give check.
pub fn describe(any: &AnyPosition) -> String {
    let mut text = String::new();
    const RULE: &str = " +---+---+---+---+---+---+---+---+\n";
    dispatch!(any, |position| {
        for rank in Rank::ALL.into_iter().rev() {
            text += RULE;
            for file in File::ALL {
                let piece = position.board().piece_at(Square::new(file, rank));
                text += &format!(" | {}", piece.map_or(' ', |piece| piece.letter()));
            }
            text += &format!(" | {}\n", rank.digit());
        }
        text += RULE;
        text += "   a   b   c   d   e   f   g   h\n\n";
        text += &format!("Fen: {}\n", setup::fen(any));
        text += &format!("Key: {:016X}\n", position.key());
        let checkers = position.checkers().into_iter().map(|square| square.to_string());
        text += &format!("Checkers: {}", checkers.collect::<Vec<_>>().join(" "));
    });
    text
}
