//! The letters of the pieces in other languages, and figurines.

use crate::{Color, Role};
use alloc::borrow::ToOwned;
use alloc::string::String;
use core::fmt;
use core::str::FromStr;

/// The letters of the pieces in a language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Language {
    /// The ISO 639-1 code, or `figurine`.
    pub code: &'static str,
    /// The English name of the language.
    pub name: &'static str,
    /// Knight, bishop, rook, queen, king.
    letters: [&'static str; 5],
}

/// No language has this code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownLanguage(String);

const ROLES: [Role; 5] = [
    Role::Knight,
    Role::Bishop,
    Role::Rook,
    Role::Queen,
    Role::King,
];

const fn language(code: &'static str, name: &'static str, letters: [&'static str; 5]) -> Language {
    Language {
        code,
        name,
        letters,
    }
}

impl Language {
    /// The letters of FEN and PGN.
    pub const ENGLISH: Language = language("en", "English", ["N", "B", "R", "Q", "K"]);

    /// White's figurines for both sides, as books print them.
    pub const FIGURINE: Language = language("figurine", "Figurines", ["♘", "♗", "♖", "♕", "♔"]);

    /// Every language: those of section 17 of the PGN standard ("Alternative chesspiece identifier
    /// letters") and some more.
    pub const ALL: [Language; 22] = [
        Language::ENGLISH,
        Language::FIGURINE,
        language("ca", "Catalan", ["C", "A", "T", "D", "R"]),
        language("cs", "Czech", ["J", "S", "V", "D", "K"]),
        language("da", "Danish", ["S", "L", "T", "D", "K"]),
        language("de", "German", ["S", "L", "T", "D", "K"]),
        language("es", "Spanish", ["C", "A", "T", "D", "R"]),
        language("et", "Estonian", ["R", "O", "V", "L", "K"]),
        language("fi", "Finnish", ["R", "L", "T", "D", "K"]),
        language("fr", "French", ["C", "F", "T", "D", "R"]),
        language("hu", "Hungarian", ["H", "F", "B", "V", "K"]),
        language("is", "Icelandic", ["R", "B", "H", "D", "K"]),
        language("it", "Italian", ["C", "A", "T", "D", "R"]),
        language("nl", "Dutch", ["P", "L", "T", "D", "K"]),
        language("no", "Norwegian", ["S", "L", "T", "D", "K"]),
        language("pl", "Polish", ["S", "G", "W", "H", "K"]),
        language("pt", "Portuguese", ["C", "B", "T", "D", "R"]),
        language("ro", "Romanian", ["C", "N", "T", "D", "R"]),
        language("ru", "Russian", ["К", "С", "Л", "Ф", "Кр"]),
        language("sv", "Swedish", ["S", "L", "T", "D", "K"]),
        language("tr", "Turkish", ["A", "F", "K", "V", "Ş"]),
        language("uk", "Ukrainian", ["К", "С", "Т", "Ф", "Кр"]),
    ];

    /// The letter of a piece; none for a pawn.
    pub fn letter(&self, role: Role) -> &'static str {
        let mut named = ROLES.into_iter().zip(self.letters);
        let found = named.find(|&(named, _)| named == role);
        found.map_or("", |(_, letter)| letter)
    }

    /// A move in algebraic notation with the letters of this language.
    ///
    /// ```
    /// use engine_core::notation::Language;
    ///
    /// let german: Language = "de".parse()?;
    /// assert_eq!(german.write("Nbxd7+"), "Sbxd7+");
    /// assert_eq!(german.read("a8=D").as_deref(), Some("a8=Q"));
    /// assert_eq!(german.read("Nf3"), None);
    /// # Ok::<(), engine_core::notation::UnknownLanguage>(())
    /// ```
    pub fn write(&self, san: &str) -> String {
        let mut text = String::with_capacity(san.len() + 4);
        for letter in san.chars() {
            match ROLES.into_iter().find(|role| role.upper() == letter) {
                Some(role) => text.push_str(self.letter(role)),
                None => text.push(letter),
            }
        }
        text
    }

    /// A move in this language with the letters of English. `None` if it has an English letter
    /// that is none in this language. Figurines are read in every language.
    pub fn read(&self, text: &str) -> Option<String> {
        // In Estonian O is a bishop, but O-O is castling in every language.
        if text.starts_with("O-O") {
            return Some(text.to_owned());
        }
        let mut san = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(letter) = rest.chars().next() {
            let named = ROLES
                .into_iter()
                .zip(self.letters)
                .filter(|(_, name)| rest.starts_with(name))
                // Russian has a king that begins like its knight.
                .max_by_key(|(_, name)| name.len());
            let figurine = ROLES.into_iter().find(|role| {
                Color::ALL
                    .into_iter()
                    .any(|color| role.of(color).figurine() == letter)
            });
            let (role, length) = match (named, figurine) {
                (Some((role, name)), _) => (Some(role), name.len()),
                (None, figurine) => (figurine, letter.len_utf8()),
            };
            match role {
                Some(role) => san.push(role.upper()),
                None if ROLES.into_iter().any(|role| role.upper() == letter) => return None,
                None => san.push(letter),
            }
            rest = rest.get(length..).unwrap_or_default();
        }
        Some(san)
    }
}

impl FromStr for Language {
    type Err = UnknownLanguage;

    fn from_str(code: &str) -> Result<Language, UnknownLanguage> {
        let known = |language: &Language| language.code.eq_ignore_ascii_case(code);
        let found = Language::ALL.into_iter().find(known);
        found.ok_or_else(|| UnknownLanguage(code.to_owned()))
    }
}

impl fmt::Display for UnknownLanguage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown language {:?}; expected one of", self.0)?;
        Language::ALL
            .iter()
            .try_for_each(|language| write!(f, " {}", language.code))
    }
}

impl core::error::Error for UnknownLanguage {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_reads_what_it_writes() {
        for language in Language::ALL {
            for san in [
                "Nf3", "Bxc4+", "R1e2", "Qa4xd7#", "Ke2", "e8=Q", "O-O-O", "exd5", "N@f3",
            ] {
                let written = language.write(san);
                assert_eq!(
                    language.read(&written).as_deref(),
                    Some(san),
                    "{}",
                    language.code
                );
            }
            assert_eq!(language.code.parse(), Ok(language));
        }
        assert_eq!(Language::ENGLISH.read("♞f3").as_deref(), Some("Nf3"));
        assert!("xx".parse::<Language>().is_err());
    }
}
