//! The position in plain characters and its evaluation, as the commands `d` and `eval` show them.

use engine_core::eval::Explanation;
use engine_core::search::Score;
use engine_core::{AnyPosition, File, Rank, Square};
use std::fmt::Write;

/// The line between two ranks.
const RULE: &str = " +---+---+---+---+---+---+---+---+\n";

/// The board, the FEN, the key and the pieces that give check.
pub(super) fn board(any: &AnyPosition) -> String {
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

/// The static evaluation, term by term. The last line is from White's point of view, in the form that
/// programs expect of Stockfish: they wait for it and the blank line after it. In check there is no
/// evaluation.
pub(super) fn evaluation(explanation: Option<&Explanation>) -> String {
    match explanation {
        Some(explanation) => {
            let score = Score(explanation.value);
            format!("{explanation}\n\nFinal evaluation       {score} (white side)\n")
        }
        None => "Final evaluation: none (in check)".to_owned(),
    }
}
