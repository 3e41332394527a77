//! Numbers and blanks as FENs and EPDs may have them, in the digits of any script.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;

/// What separates words: the white space of Unicode and four separators of ASCII.
pub fn is_blank(letter: char) -> bool {
    letter.is_whitespace() || ('\x1c'..='\x1f').contains(&letter)
}

/// The words of a text, which blanks separate.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(is_blank).filter(|word| !word.is_empty())
}

/// The digits of a whole number without leading zeros, and `-` before them if it is negative;
/// `None` if the text is not a number. A sign, single underscores between digits and the decimal digits of
/// any script are allowed, and there may be up to 4,300 digits.
///
/// ```
/// use engine_core::notation::whole_number;
///
/// assert_eq!(whole_number("+0_12").as_deref(), Some("12"));
/// assert_eq!(whole_number("-0").as_deref(), Some("0"));
/// assert_eq!(whole_number("٣").as_deref(), Some("3"));
/// assert_eq!(whole_number("1.5"), None);
/// ```
pub fn whole_number(text: &str) -> Option<String> {
    const MAX_DIGITS: usize = 4300;
    let text = text.trim_matches(is_blank);
    let (is_negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let digits = plain_digits(digits).filter(|digits| digits.len() <= MAX_DIGITS)?;
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some(match (digits.trim_start_matches('0'), is_negative) {
        ("", _) => "0".to_owned(),
        (digits, true) => format!("-{digits}"),
        (digits, false) => digits.to_owned(),
    })
}

/// The number with a fraction or an exponent; infinite if it is too large.
pub(crate) fn real_number(text: &str) -> Option<f64> {
    let text = plain_digits(text.trim_matches(is_blank))?;
    let is_number = |byte: u8| byte.is_ascii_digit() || b"+-.eE".contains(&byte);
    if !text.bytes().all(is_number) {
        return None;
    }
    text.parse().ok()
}

/// The text with digits of ASCII for those of other scripts, without underscores between digits.
fn plain_digits(text: &str) -> Option<String> {
    let plain: String = text
        .chars()
        .map(|letter| digit(letter).unwrap_or(letter))
        .collect();
    let is_digit = |byte: &u8| byte.is_ascii_digit();
    for (at, _) in plain.match_indices('_') {
        let (before, after) = (
            plain.as_bytes().get(at.wrapping_sub(1)),
            plain.as_bytes().get(at + 1),
        );
        if !before.is_some_and(is_digit) || !after.is_some_and(is_digit) {
            return None;
        }
    }
    (!plain.is_empty()).then(|| plain.replace('_', ""))
}

/// The ASCII digit for a decimal digit of any script.
fn digit(letter: char) -> Option<char> {
    if letter.is_ascii() {
        return None;
    }
    let code = u32::from(letter);
    let zero = ZEROS.iter().rev().find(|&&zero| zero <= code)?;
    char::from_digit(code - zero, 10)
}

/// The zeros of all scripts but ASCII (Unicode 14, category `Nd`); nine digits follow on each.
const ZEROS: [u32; 65] = [
    0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6,
    0xe50, 0xed0, 0xf20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50,
    0x1bb0, 0x1c40, 0x1c50, 0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10,
    0x104a0, 0x10d30, 0x11066, 0x110f0, 0x11136, 0x111d0, 0x112f0, 0x11450, 0x114d0, 0x11650,
    0x116c0, 0x11730, 0x118e0, 0x11950, 0x11c50, 0x11d50, 0x11da0, 0x16a60, 0x16ac0, 0x16b50,
    0x1d7ce, 0x1d7d8, 0x1d7e2, 0x1d7ec, 0x1d7f6, 0x1e140, 0x1e2f0, 0x1e950, 0x1fbf0,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers() {
        for text in [
            "", "-", "+", "1_", "_1", "1__2", "1.0", "0x1", "--1", "²", "1 2",
        ] {
            assert_eq!(whole_number(text), None, "{text:?}");
        }
        assert_eq!(whole_number(" 1_0 ").as_deref(), Some("10"));
        assert_eq!(whole_number("-007").as_deref(), Some("-7"));
        assert_eq!(whole_number("１９").as_deref(), Some("19"));
        assert_eq!(
            whole_number(&"9".repeat(4300)).map(|digits| digits.len()),
            Some(4300)
        );
        assert_eq!(whole_number(&"9".repeat(4301)), None);
    }

    #[test]
    fn real_numbers() {
        assert_eq!(real_number("1."), Some(1.0));
        assert_eq!(real_number("-.5e-3"), Some(-0.0005));
        assert_eq!(real_number("-1e999"), Some(f64::NEG_INFINITY));
        for text in ["", ".", "infinite", "nan", "1.5.2", "1 .0"] {
            assert_eq!(real_number(text), None, "{text:?}");
        }
    }
}
