//! Escapes in texts of Python's notation, such as `\n` and `\u265e`.

use std::str::Chars;

/// Reads what follows a backslash, and adds what it stands for to a text. `None` if Python refuses
/// it, for half of a surrogate pair, and for characters by their names (`\N{BLACK CHESS KNIGHT}`).
pub(super) fn unescape(letters: &mut Chars<'_>, text: &mut String) -> Option<()> {
    let letter = letters.next()?;
    let meant = match letter {
        // The end of the line is escaped.
        '\n' => return Some(()),
        '\\' | '\'' | '"' => letter,
        'a' => '\x07',
        'b' => '\x08',
        'f' => '\x0c',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'v' => '\x0b',
        'x' => hexadecimal(letters, 2)?,
        'u' => hexadecimal(letters, 4)?,
        'U' => hexadecimal(letters, 8)?,
        '0'..='7' => octal(letter, letters)?,
        'N' => return None,
        // No escape: Python keeps the backslash.
        _ => {
            text.push('\\');
            letter
        }
    };
    text.push(meant);
    Some(())
}

/// The character of a code of this many digits.
fn hexadecimal(letters: &mut Chars<'_>, length: usize) -> Option<char> {
    let mut code = 0;
    for _ in 0..length {
        code = code * 16 + letters.next()?.to_digit(16)?;
    }
    char::from_u32(code)
}

/// The character of a code of at most three digits.
fn octal(first: char, letters: &mut Chars<'_>) -> Option<char> {
    let mut code = first.to_digit(8)?;
    for _ in 0..2 {
        let Some(digit) = letters.clone().next().and_then(|next| next.to_digit(8)) else {
            break;
        };
        letters.next();
        code = code * 8 + digit;
    }
    char::from_u32(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What stands for the escapes of a text that begins behind a backslash.
    fn read(escaped: &str) -> Option<String> {
        let (mut letters, mut text) = (escaped.chars(), String::new());
        unescape(&mut letters, &mut text)?;
        Some(text + letters.as_str())
    }

    #[test]
    fn escapes_of_python() {
        for (escaped, expected) in [
            ("x41u", "Au"),
            ("u0042", "B"),
            ("U0001f600!", "\u{1f600}!"),
            ("1018", "A8"),
            ("0", "\0"),
            ("78", "\u{7}8"),
            ("777", "\u{1ff}"),
            ("r\n", "\r\n"),
            ("\nx", "x"),
            ("\\n", "\\n"),
            ("q", "\\q"),
            ("8", "\\8"),
        ] {
            assert_eq!(read(escaped).as_deref(), Some(expected), "{escaped}");
        }
        for refused in [
            "",
            "x4",
            "x4g",
            "u12",
            "ud800",
            "UFFFFFFFF",
            "U00110000",
            "N{DASH}",
        ] {
            assert_eq!(read(refused), None, "{refused}");
        }
    }
}
