//! Several moves in a line, as they are copied from a game: `1. e4 e5 2. Nf3`.

use super::illegal;
use engine_core::notation::MoveError;
use engine_core::{AnyPosition, Move, Piece, Square};

/// The moves of a line that is begun with a number or a legal move, or consists of what can be
/// moves; an error tells which of them is wrong. `None` if the text is no such line.
pub(super) fn read(position: &AnyPosition, text: &str) -> Option<Result<Vec<Move>, String>> {
    let texts = moves(&without_comments(text));
    let (first, more) = texts.split_first()?;
    let is_line = is_numbered(text)
        || !more.is_empty() && position.parse_human(first).is_ok()
        || are_moves(position, &texts);
    is_line.then(|| follow(position, &texts))
}

/// Whether each of several texts can be a move, if not in this position.
fn are_moves(position: &AnyPosition, texts: &[String]) -> bool {
    match texts {
        [_] | [] => false,
        [from, to] if is_from_to(position, from, to) => false,
        texts => texts.iter().all(|text| can_be_move(position, text)),
    }
}

fn can_be_move(position: &AnyPosition, text: &str) -> bool {
    match position.parse_human(text) {
        Ok(_) => true,
        Err(error) => error.error != MoveError::Syntax,
    }
}

/// Whether two words are one move, from the square that the first names to that of the second:
/// `E2 E5`, `e7 e8=Q`, `Ng1 xe2`. If they name a piece, it stands there; else they are two moves.
fn is_from_to(position: &AnyPosition, from: &str, to: &str) -> bool {
    let split = from.len().checked_sub(2);
    let Some((letter, name)) = split.and_then(|at| from.split_at_checked(at)) else {
        return false;
    };
    let name = name.to_ascii_lowercase();
    let Ok(square) = name.parse::<Square>() else {
        return false;
    };
    let is_there = |piece: Piece| {
        let own = position.board().pieces(position.turn(), piece.role);
        own.has(square)
    };
    let mut letters = letter.chars();
    let stands_there = match (letters.next(), letters.next()) {
        (None, _) => true,
        (Some(letter), None) => Piece::from_letter(letter).is_some_and(is_there),
        _ => false,
    };
    stands_there
        && !to.to_ascii_lowercase().contains(&name)
        && can_be_move(position, &format!("{from}{to}"))
}

/// Reads each move in the position after those before it.
fn follow(position: &AnyPosition, texts: &[String]) -> Result<Vec<Move>, String> {
    let mut position = *position;
    let mut moves = Vec::new();
    for text in texts {
        let m = position.parse_human(text).map_err(|error| {
            let reason = illegal::reason(&position, text, &error);
            format!("{text}: {reason}")
        })?;
        position.play(m);
        moves.push(m);
    }
    Ok(moves)
}

/// Whether a text begins with the number of a move.
fn is_numbered(text: &str) -> bool {
    let rest = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
    rest.len() < text.len() && rest.starts_with('.')
}

/// The moves alone, without their numbers, annotations and the result.
fn moves(text: &str) -> Vec<String> {
    let is_of_number = |letter: char| letter.is_ascii_digit() || letter == '.';
    let words = text.split_whitespace().map(|word| {
        if is_numbered(word) {
            word.trim_start_matches(is_of_number)
        } else {
            word
        }
    });
    let is_move = |word: &&str| {
        let is_mark = word.starts_with('$') || word.chars().all(|letter| "!?".contains(letter));
        !is_mark && !["1-0", "0-1", "1/2-1/2", "*", "e.p."].contains(word)
    };
    words.filter(is_move).map(str::to_owned).collect()
}

/// The text without what stands in braces.
fn without_comments(text: &str) -> String {
    let mut rest = text;
    let mut kept = String::new();
    while let Some((before, comment)) = rest.split_once('{') {
        kept.push_str(before);
        kept.push(' ');
        rest = comment.split_once('}').map_or("", |(_, after)| after);
    }
    kept + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine_core::Variant;

    /// The moves in SAN, or what is wrong.
    fn read(text: &str) -> Option<String> {
        let position = AnyPosition::start(Variant::Standard);
        super::read(&position, text).map(|line| match line {
            Ok(moves) => position.variation_san(&moves),
            Err(fault) => fault,
        })
    }

    #[test]
    fn lines_of_moves() {
        for text in [
            "1. e4 e5 2. Nf3",
            "1.e4 e5 2.Nf3",
            "1. e4 {[%eval 0.2] best} 1... e5! $1 2. Nf3 !? *",
            "e2e4 e7e5 g1f3",
            "e4 e5 nf3 1-0",
        ] {
            assert_eq!(read(text).as_deref(), Some("1. e4 e5 2. Nf3"), "{text}");
        }
        assert_eq!(read("1. e4 *").as_deref(), Some("1. e4"));
    }

    #[test]
    fn a_wrong_move_is_told() {
        let fault = read("1. e4 e5 2. Nf4 Nc6").unwrap();
        assert!(fault.starts_with("Nf4: no knight can go to f4"), "{fault}");
        for text in ["1. e5 e4", "e5 e5", "e5 e5 Nf3", "e5 Nc6"] {
            let fault = read(text).unwrap();
            assert!(fault.starts_with("e5: no pawn can go to e5"), "{fault}");
        }
    }

    #[test]
    fn other_texts_are_no_lines() {
        for text in ["", "hello", "depth 5", "960", "{", "*", "1.", "3+5 x"] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn two_words_can_be_one_move() {
        for text in [
            "e5 e4", "e2 e5", "E2 E5", "B2 B5", "Ng1 e2", "ng1 g3", "Ng1 xe2", "e7 e8=Q",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
        for text in ["Nf4 e5", "exd5 e4", "E5 e5", "Bf1 Bc4", "Nf4 Ng4"] {
            let fault = read(text).unwrap();
            let first = text.split(' ').next().unwrap();
            assert!(fault.starts_with(&format!("{first}: ")), "{fault}");
        }
    }
}
