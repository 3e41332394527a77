//! Values of arguments, with errors in plain words.

use clap::Arg;
use engine_core::Variant;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// A number in a range, for clap. The error says which numbers are expected, in place of the words
/// of the standard library.
///
/// # Errors
/// When the text is no whole number in the range.
pub fn number<T>(text: &str, range: RangeInclusive<T>) -> Result<T, String>
where
    T: FromStr + PartialOrd + Display,
{
    let number = text.trim().parse::<T>().ok();
    number
        .filter(|number| range.contains(number))
        .ok_or_else(|| {
            format!(
                "a whole number from {} to {} is expected",
                range.start(),
                range.end()
            )
        })
}

/// A number that need not be whole, in a range, for clap.
///
/// # Errors
/// When the text is no number in the range.
pub fn real<T>(text: &str, range: RangeInclusive<T>) -> Result<T, String>
where
    T: FromStr + PartialOrd + Display,
{
    let number = text.trim().parse::<T>().ok();
    number
        .filter(|number| range.contains(number))
        .ok_or_else(|| {
            let (least, most) = (range.start(), range.end());
            format!("a number from {least} to {most} is expected")
        })
}

/// For clap's `mut_args`: makes every argument conflict with the option of this name, but those that
/// have an effect beside it.
pub fn useless_with(option: &'static str, but: &'static [&'static str]) -> impl FnMut(Arg) -> Arg {
    move |argument| {
        let name = argument.get_id().as_str();
        if name == option || but.contains(&name) {
            argument
        } else {
            argument.conflicts_with(option)
        }
    }
}

/// The FEN that an argument stands for: `startpos` is the start position.
pub fn fen(text: &str, variant: Variant) -> &str {
    match text.trim() {
        "startpos" => variant.start_fen(),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_in_plain_words() {
        assert_eq!(number("7", 1..=20_u32), Ok(7));
        assert_eq!(real("0.5", 0.0..=1.0), Ok(0.5));
        for bad in ["-0.1", "1.1", "nan", "inf", "x", ""] {
            let error = real(bad, 0.0..=1.0).unwrap_err();
            assert_eq!(error, "a number from 0 to 1 is expected");
        }
        for bad in ["0", "21", "x", "", "-1", "99999999999999999999"] {
            let error = number(bad, 1..=20_u32).unwrap_err();
            assert_eq!(error, "a whole number from 1 to 20 is expected");
        }
    }
}
