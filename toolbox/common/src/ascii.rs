//! Texts without other characters than those of ASCII.

use std::borrow::Cow;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::canonical_combining_class;

/// The text with letters without their accents; what has no likeness in ASCII becomes `?`.
pub fn of(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let mut ascii = String::with_capacity(text.len());
    for letter in text.nfd() {
        match letter {
            letter if letter.is_ascii() => ascii.push(letter),
            letter if canonical_combining_class(letter) != 0 => {}
            letter => ascii.push_str(alike(letter)),
        }
    }
    Cow::Owned(ascii)
}

/// What looks like a letter that is no other letter with an accent, or like a sign.
fn alike(letter: char) -> &'static str {
    match letter {
        '\u{a0}' => " ",
        'ø' => "o",
        'Ø' => "O",
        'ł' => "l",
        'Ł' => "L",
        'đ' | 'ð' => "d",
        'Đ' | 'Ð' => "D",
        'ı' => "i",
        'æ' => "ae",
        'Æ' => "AE",
        'œ' => "oe",
        'Œ' => "OE",
        'þ' => "th",
        'Þ' => "Th",
        'ß' => "ss",
        '‘' | '’' => "'",
        '“' | '”' | '„' => "\"",
        '–' | '—' | '−' => "-",
        '…' => "...",
        _ => "?",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_lose_their_accents() {
        for (text, expected) in [
            ("Nf3", "Nf3"),
            ("Gr\u{fc}nfeld", "Grunfeld"),
            ("Gru\u{308}nfeld", "Grunfeld"),
            ("Sørensen – Łódź, Weiß", "Sorensen - Lodz, Weiss"),
            ("♞ 馬", "? ?"),
        ] {
            assert_eq!(of(text), expected);
        }
    }
}
