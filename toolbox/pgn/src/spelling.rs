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

    /// The bit of the first.
    const ENGLISH: u32 = 1;

    /// The move that a word means, as [`read`](Languages::read) finds it, with the glyph of a sign that
    /// is written together with it.
    pub(super) fn read_with_sign(
        &mut self,
        position: &AnyPosition,
        word: &[u8],
        error: &MoveError,
    ) -> Option<(Move, Option<u32>)> {
        if let Some((rest, nag)) = split_sign(word) {
            let san = dispatch!(position, |position| position.parse_san_bytes(rest));
            let m = san.or_else(|error| self.read(position, rest, &error).ok_or(error));
            if let Ok(m) = m {
                return Some((m, nag));
            }
        }
        Some((self.read(position, word, error)?, None))
    }

    /// The move that a word means although it is not SAN: figurines, lowercase piece letters, letters
    /// of other languages, `e.p.` and the like. English comes first, as for SAN; where other languages
    /// differ, only those are considered in which all words before were moves, and most of them
    /// must agree.
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
        if let Some(m) = self.read_english(position, text) {
            return Some(m);
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

    /// The move of a text that is English SAN but for the sign of a capture and marks at its end:
    /// `R:d8`, `Rd8++`. Not in a game that has had words of another language.
    fn read_english(self, position: &AnyPosition, text: &str) -> Option<Move> {
        if self.0 & Languages::ENGLISH == 0 {
            return None;
        }
        let text = text.trim_end_matches(['+', '#', '=', ':', 'x', '.']);
        let san = text.replace([':', '×', 'X'], "x");
        position.parse_san(&san).ok()
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

/// The signs of the Chess Informant and their numeric annotation glyphs, each before those that it ends with.
const SIGNS: [(&str, u32); 18] = [
    ("□", 7),
    ("∞", 13),
    ("⩲", 14),
    ("⩱", 15),
    ("±", 16),
    ("+/-", 16),
    ("∓", 17),
    ("-/+", 17),
    ("+-", 18),
    ("-+", 19),
    ("⨀", 22),
    ("→", 40),
    ("+=", 14),
    ("=+", 15),
    ("=", 10),
    ("N", 146),
    ("D", 220),
    ("Δ", 140),
];

/// What only repeats a property of the move before it: a check, a mate, en passant.
const REDUNDANT: [&str; 11] = [
    "e.p.", "e.p", "ep", "ch", "ch.", "mate", "++", "+", "#", "†", "‡",
];

/// The numeric annotation glyph of a sign of the Chess Informant.
pub(super) fn sign(word: &[u8]) -> Option<u32> {
    let is_it = |(sign, _): &&(&str, u32)| sign.as_bytes() == word;
    SIGNS.iter().find(is_it).map(|&(_, nag)| nag)
}

/// Whether a word only repeats a property of the move before it.
pub(super) fn is_redundant(word: &[u8]) -> bool {
    REDUNDANT.iter().any(|known| known.as_bytes() == word)
}

/// A word without the sign or repetition that is written together with it, as in `Nf3±` and
/// `Nf3ch`, and the glyph of the sign. `None` if there is none, or nothing else.
pub(super) fn split_sign(word: &[u8]) -> Option<(&[u8], Option<u32>)> {
    let signs = SIGNS.iter().map(|&(sign, nag)| (sign, Some(nag)));
    let all = signs.chain(REDUNDANT.iter().map(|&known| (known, None)));
    let without = |(sign, nag): (&str, _)| Some((word.strip_suffix(sign.as_bytes())?, nag));
    all.filter_map(without).find(|(rest, _)| !rest.is_empty())
}
