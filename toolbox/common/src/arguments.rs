//! Values of arguments, with errors in plain words.

use crate::error::{Error, Result};
use clap::Arg;
use engine_core::{CastlingMode, UnknownVariant, Variant, is_name_of_chess960};
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// A number in a range, for clap. The error says which numbers are expected, in place of the words
/// of the standard library.
///
/// # Errors
/// When the text is no whole number in the range.
pub fn number<T>(text: &str, range: RangeInclusive<T>) -> std::result::Result<T, String>
where
    T: FromStr + PartialOrd + Display,
{
    in_range(text, &range, "a whole number")
}

/// A number that need not be whole, in a range, for clap.
///
/// # Errors
/// When the text is no number in the range.
pub fn real<T>(text: &str, range: RangeInclusive<T>) -> std::result::Result<T, String>
where
    T: FromStr + PartialOrd + Display,
{
    in_range(text, &range, "a number")
}

fn in_range<T>(text: &str, range: &RangeInclusive<T>, what: &str) -> std::result::Result<T, String>
where
    T: FromStr + PartialOrd + Display,
{
    let number = text.trim().parse::<T>().ok();
    number
        .filter(|number| range.contains(number))
        .ok_or_else(|| {
            let (least, most) = (range.start(), range.end());
            format!("{what} from {least} to {most} is expected")
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

/// The variant of a name, and how castling is written; a name of Chess960 says both.
///
/// # Errors
/// When no variant has the name.
pub fn rules(name: &str) -> std::result::Result<(Variant, CastlingMode), UnknownVariant> {
    let mode = CastlingMode::from_chess960(is_name_of_chess960(name));
    Ok((name.parse()?, mode))
}

/// Castling as in Chess960 if the variant's name has said so, or an option does.
pub fn either_mode(of_name: CastlingMode, chess960: bool) -> CastlingMode {
    CastlingMode::from_chess960(chess960 || of_name == CastlingMode::Chess960)
}

/// The FEN that an argument stands for: `startpos` is the start position.
pub fn fen(text: &str, variant: Variant) -> &str {
    match text.trim() {
        "startpos" => variant.start_fen(),
        _ => text,
    }
}

/// Refuses other arguments, such as moves, that are the rest of a FEN without quotes.
///
/// # Errors
/// When they begin as what follows the board in a FEN.
pub fn refuse_unquoted(fen: Option<&str>, others: &[String]) -> Result {
    match (fen, others.first()) {
        (Some(fen), Some(side)) if begins_fen(fen, side) => {
            Err(Error::Usage(UNQUOTED_FEN.to_owned()))
        }
        _ => Ok(()),
    }
}

/// What is wrong with a FEN that has become several arguments.
pub const UNQUOTED_FEN: &str = "a FEN is one argument: put it in double quotes";

/// Whether these arguments are the board and the side to move of a FEN without quotes.
pub fn begins_fen(board: &str, side: &str) -> bool {
    board.contains('/') && !board.trim().contains(' ') && matches!(side, "w" | "b")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fen_has_quotes() {
        let moves = |words: &[&str]| words.iter().map(ToString::to_string).collect::<Vec<_>>();
        let bare = moves(&["w", "KQkq", "-"]);
        assert!(refuse_unquoted(Some("8/8/8/8/8/8/8/K1k5"), &bare).is_err());
        assert!(refuse_unquoted(Some("8/8/8/8/8/8/8/K1k5 w - -"), &bare).is_ok());
        assert!(refuse_unquoted(Some("8/8/8/8/8/8/8/K1k5"), &moves(&["b4"])).is_ok());
        assert!(refuse_unquoted(Some("startpos"), &bare).is_ok());
        assert!(refuse_unquoted(None, &[]).is_ok());
    }

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
