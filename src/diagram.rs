//! A position in plain characters, for the command `d` and for logs.

use engine_core::search::Score;
use engine_core::{AnyPosition, Color, File, Rank, Square, dispatch, eval};
use std::fmt::Write;

const RULE: &str = " +---+---+---+---+---+---+---+---+\n";

/// The static evaluation, without any search.
pub fn evaluation(position: &AnyPosition) -> String {
    dispatch!(position, |position| {
        let score = Score(eval::evaluate(position));
        let (turn, white) = match position.turn() {
            Color::White => ("White", score),
            Color::Black => ("Black", -score),
        };
        format!("Evaluation: {white} for White ({turn} to move)")
    })
}

/// The board, the FEN, the key and the pieces that give check.
pub fn describe(any: &AnyPosition) -> String {
    let mut text = String::new();
    for rank in Rank::ALL.into_iter().rev() {
        text += RULE;
        for file in File::ALL {
            let piece = any.board().piece_at(Square::new(file, rank));
            text += " | ";
            text.push(piece.map_or(' ', engine_core::Piece::letter));
        }
        let _ = writeln!(text, " | {}", rank.digit());
    }
    text += RULE;
    text += "   a   b   c   d   e   f   g   h\n\n";
    let checkers = any.checkers().into_iter();
    let checkers: Vec<String> = checkers.map(|square| square.to_string()).collect();
    // Writing to a string cannot fail.
    let _ = writeln!(text, "Fen: {}", any.fen());
    let _ = writeln!(text, "Key: {:016X}", any.key());
    let _ = write!(text, "Checkers: {}", checkers.join(" "));
    text
}
