//! Moves in other spellings than SAN, and signs beside moves.
//!
//! Moves that are read here are reported: they are not what the standard asks for, but can mean
//! one legal move only.

use engine_core::notation::{Language, MoveError};
use engine_core::{AnyPosition, Move, dispatch};

/// The languages that the piece letters of a game can be from, a bit for each of
/// [`Language::ALL`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Languages(u32);

impl Languages {
    /// All: the game has not told its language yet.
    pub(super) const ALL: Languages = Languages((1 << Language::ALL.len()) - 1);

    /// The move that a word means although it is not SAN: figurines, lowercase piece letters, letters
    /// of other languages, `e.p.` and the like. Where languages differ, only those are considered
    /// in which all words before were moves, and most of them must agree.
    pub(super) fn read(
        &mut self,
        position: &AnyPosition,
        word: &[u8],
        error: &MoveError,
    ) -> Option<Move> {
        // A lowercase b can be a bishop where no pawn takes.
        let is_bishop = word.first() == Some(&b'b') && !matches!(error, MoveError::Ambiguous(_));
        if *error != MoveError::Syntax && !is_bishop {
            return None;
        }
        let text = std::str::from_utf8(word).ok()?;
        let text = text.trim_end_matches('.');
        if !text.bytes().any(|byte| byte.is_ascii_digit()) && !text.contains(['O', 'o']) {
            return None;
        }
        let mut moves: Vec<(Move, u32)> = Vec::new();
        for (english, languages) in self.readings(text) {
            let read = dispatch!(position, |position| position.read_human(&english));
            if let Ok(m) = read {
                add(&mut moves, m, languages);
            }
        }
        let total: u32 = moves.iter().map(|(_, set)| set.count_ones()).sum();
        let &(m, languages) = moves.iter().max_by_key(|(_, set)| set.count_ones())?;
        if 2 * languages.count_ones() <= total {
            return None;
        }
        self.0 = languages;
        Some(m)
    }

    /// What a text is in English, for each set of languages that agree on it.
    fn readings(self, text: &str) -> Vec<(String, u32)> {
        let mut readings = Vec::new();
        for (index, language) in Language::ALL.iter().enumerate() {
            if self.0 >> index & 1 != 0
                && let Some(english) = language.read(text)
            {
                add(&mut readings, english, 1 << index);
            }
        }
        readings
    }
}

/// Adds languages to those with the same meaning, or as the first with this one.
fn add<T: PartialEq>(found: &mut Vec<(T, u32)>, meaning: T, languages: u32) {
    match found.iter_mut().find(|known| known.0 == meaning) {
        Some(known) => known.1 |= languages,
        None => found.push((meaning, languages)),
    }
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

/// Whether a word only repeats a property of the move before it: a check, a mate, en passant.
pub(super) fn is_redundant(word: &[u8]) -> bool {
    matches!(
        word,
        b"e.p." | b"e.p" | b"ep" | b"ch" | b"ch." | b"mate" | b"+" | b"++" | b"#"
    )
}
