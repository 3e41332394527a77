//! Moves in other spellings than SAN, and signs that stand beside moves.
//!
//! Whatever is read here is reported: the text was not what the standard asks for, but it can
//! mean one legal move only.

use crate::notation::MoveError;
use crate::{AnyPosition, Move, dispatch};

/// The move that a word means which SAN does not know: figurines, small piece letters, letters of
/// other languages, `e.p.` and the like.
pub(super) fn respelled(position: &AnyPosition, word: &[u8], error: &MoveError) -> Option<Move> {
    // A small b can be a bishop where no pawn takes.
    let is_bishop = word.first() == Some(&b'b') && !matches!(error, MoveError::Ambiguous(_));
    if *error != MoveError::Syntax && !is_bishop {
        return None;
    }
    let text = std::str::from_utf8(word).ok()?;
    let text = text.trim_end_matches('.');
    if !text.bytes().any(|byte| byte.is_ascii_digit()) && !text.contains(['O', 'o']) {
        return None;
    }
    let text = in_english(text);
    dispatch!(position, |position| position.parse_human(&text)).ok()
}

/// The English letter of a piece for one that is not English and means the same piece in every
/// language that has it: German, Dutch, Scandinavian, French, Italian, Spanish, Portuguese,
/// Polish, Czech, Hungarian.
fn english(letter: char) -> Option<char> {
    Some(match letter {
        'D' | 'H' | 'V' => 'Q',
        'T' | 'W' => 'R',
        'L' | 'A' | 'F' | 'G' => 'B',
        'S' | 'C' | 'J' => 'N',
        _ => return None,
    })
}

fn in_english(text: &str) -> String {
    let mut english_text = String::with_capacity(text.len());
    let mut before = ' ';
    for (index, letter) in text.chars().enumerate() {
        let is_piece = index == 0 || before == '=' || before.is_ascii_digit();
        let replaced = english(letter).filter(|_| is_piece);
        english_text.push(replaced.unwrap_or(letter));
        before = letter;
    }
    english_text
}

/// The numeric annotation glyph of a sign of the Chess Informant.
pub(super) fn sign(word: &[u8]) -> Option<u32> {
    Some(match std::str::from_utf8(word).ok()? {
        "□" => 7,
        "=" => 10,
        "∞" => 13,
        "+=" | "⩲" => 14,
        "=+" | "⩱" => 15,
        "±" | "+/-" => 16,
        "∓" | "-/+" => 17,
        "+-" => 18,
        "-+" => 19,
        "⨀" => 22,
        "→" => 40,
        "N" => 146,
        "D" => 220,
        _ => return None,
    })
}

/// Whether a word says of the move before it what the move says itself.
pub(super) fn is_redundant(word: &[u8]) -> bool {
    matches!(
        word,
        b"e.p." | b"e.p" | b"ep" | b"ch" | b"ch." | b"mate" | b"+" | b"++" | b"#"
    )
}
