//! Soundex (Russell and Odell 1918, by the rules of the U.S. National Archives): names that sound alike have
//! the same code.

/// The letter and three digits of a word in Latin letters; letters with accents are ignored.
fn code(word: &str) -> Option<[u8; 4]> {
    let mut letters = word.bytes().filter(u8::is_ascii_alphabetic);
    let first = letters.next()?.to_ascii_uppercase();
    let mut code = [first, b'0', b'0', b'0'];
    let mut last = digit(first);
    let mut places = code.iter_mut().skip(1);
    for letter in letters {
        let letter = letter.to_ascii_uppercase();
        match digit(letter) {
            // H and W do not part letters that sound alike; vowels do.
            None if matches!(letter, b'H' | b'W') => {}
            digit if digit == last => {}
            digit => {
                last = digit;
                if let Some(digit) = digit {
                    let Some(place) = places.next() else { break };
                    *place = digit;
                }
            }
        }
    }
    Some(code)
}

fn digit(letter: u8) -> Option<u8> {
    Some(match letter {
        b'B' | b'F' | b'P' | b'V' => b'1',
        b'C' | b'G' | b'J' | b'K' | b'Q' | b'S' | b'X' | b'Z' => b'2',
        b'D' | b'T' => b'3',
        b'L' => b'4',
        b'M' | b'N' => b'5',
        b'R' => b'6',
        _ => return None,
    })
}

/// The codes of the words of a text.
fn codes(text: &str) -> impl Iterator<Item = [u8; 4]> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    words.filter_map(code)
}

/// Whether any word of a text has a code.
pub(super) fn has_code(text: &str) -> bool {
    codes(text).next().is_some()
}

/// Whether every word of `wanted` sounds like some word of `text`.
pub(super) fn sounds(text: &str, wanted: &str) -> bool {
    let text: Vec<_> = codes(text).collect();
    codes(wanted).all(|code| text.contains(&code))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_those_of_the_national_archives() {
        for (word, expected) in [
            ("Robert", "R163"),
            ("Rupert", "R163"),
            ("Rubin", "R150"),
            ("Ashcraft", "A261"),
            ("Tymczak", "T522"),
            ("Pfister", "P236"),
            ("Honeyman", "H555"),
            ("Tal", "T400"),
        ] {
            assert_eq!(code(word), expected.as_bytes().try_into().ok(), "{word}");
        }
        assert!(sounds("Smyslov, Vasily", "Smislow"));
        assert!(!sounds("Karpov, Anatoly", "Korchnoi"));
    }
}
