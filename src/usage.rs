//! Errors of the command line in plain words, and its help.

use clap::error::{ContextKind, ErrorKind};
use common::arguments::{UNQUOTED_FEN, begins_fen};
use common::error::Result;
use std::error::Error;
use std::num::{IntErrorKind, ParseFloatError, ParseIntError};
use std::process::ExitCode;

/// Writes the help or version that was asked for, or what is wrong with the command line, and
/// returns the exit code.
///
/// # Errors
/// When what was asked for cannot be written.
pub(crate) fn report(error: clap::Error) -> Result<ExitCode> {
    let arguments: Vec<String> = std::env::args_os()
        .map(|argument| argument.to_string_lossy().into_owned())
        .collect();
    let error = in_words(error, &arguments);
    let printed = error.print();
    if !error.use_stderr() {
        printed?;
    }
    Ok(u8::try_from(error.exit_code()).map_or(ExitCode::FAILURE, ExitCode::from))
}

/// The same error of these arguments; one about a number has the plain words of [`of_number`] in place of those of the
/// standard library or clap, and one about the rest of a FEN without quotes says so.
fn in_words(error: clap::Error, arguments: &[String]) -> clap::Error {
    let is_unquoted = |pair: &[String]| matches!(pair, [board, side] if begins_fen(board, side));
    let context = |kind| error.get(kind).map(ToString::to_string);
    let is_option =
        || context(ContextKind::InvalidArg).is_some_and(|argument| argument.starts_with("--"));
    if error.kind() == ErrorKind::UnknownArgument
        && arguments.windows(2).any(is_unquoted)
        && !is_option()
    {
        let message = format!("{UNQUOTED_FEN}\n\nFor more information, try '--help'.\n");
        return clap::Error::raw(ErrorKind::UnknownArgument, message);
    }
    let (ErrorKind::ValueValidation, Some(argument), Some(value)) = (
        error.kind(),
        context(ContextKind::InvalidArg),
        context(ContextKind::InvalidValue),
    ) else {
        return error;
    };
    let Some(words) = error.source().and_then(|why| of_number(why, &value)) else {
        return error;
    };
    clap::Error::raw(
        ErrorKind::ValueValidation,
        format!(
            "invalid value '{value}' for '{argument}': {words}\n\nFor more information, try '--help'.\n"
        ),
    )
}

/// Plain words for the reason why a text was refused as a number; `None` for other reasons.
fn of_number(why: &(dyn Error + 'static), value: &str) -> Option<String> {
    if let Some(error) = why.downcast_ref::<ParseIntError>() {
        let words = match error.kind() {
            IntErrorKind::PosOverflow => "the number is too large",
            IntErrorKind::NegOverflow => "the number is too small",
            // Types without a sign do not read one.
            IntErrorKind::InvalidDigit if is_negative(value) => {
                "a whole number of 0 or more is expected"
            }
            _ => "a whole number is expected",
        };
        return Some(words.to_owned());
    }
    if why.is::<ParseFloatError>() {
        return Some("a number is expected".to_owned());
    }
    of_range(&why.to_string())
}

fn is_negative(number: &str) -> bool {
    let digits = number.strip_prefix('-').unwrap_or_default();
    !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit())
}

/// Plain words for clap's about a number out of range: `0 is not in 1..=20`.
fn of_range(why: &str) -> Option<String> {
    let (value, range) = why.split_once(" is not in ")?;
    let (least, most) = range.split_once("..")?;
    let least: i128 = least.parse().unwrap_or(0);
    let most: i128 = match most.strip_prefix('=') {
        Some(most) => most.parse().ok()?,
        None => most.parse::<i128>().ok()? - 1,
    };
    Some(
        if is_end_of_type(most) && value.parse().is_ok_and(|value: i128| value > most) {
            "the number is too large".to_owned()
        } else if is_end_of_type(most) {
            format!("a whole number of {least} or more is expected")
        } else {
            format!("a whole number from {least} to {most} is expected")
        },
    )
}

/// Whether an upper bound is that of an integer type, and so nothing to tell a user.
fn is_end_of_type(most: i128) -> bool {
    let ends = [
        i128::from(u16::MAX),
        i128::from(u32::MAX),
        i128::from(i64::MAX),
        i128::from(u64::MAX),
    ];
    ends.iter().any(|end| (end - 1..=*end).contains(&most))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{CommandFactory, Parser};

    #[derive(Parser, Debug)]
    struct Arguments {
        #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
        nodes: Option<u32>,
        #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
        games: Option<u64>,
        #[arg(long, value_parser = clap::value_parser!(u16).range(1..=256))]
        threads: Option<u16>,
        #[arg(long, value_parser = clap::value_parser!(u32).range(..960))]
        start: Option<u32>,
        #[arg(long)]
        seconds: Option<f64>,
        #[arg(long)]
        count: Option<u8>,
        #[arg(long)]
        amount: Option<usize>,
    }

    #[test]
    fn numbers_in_words() {
        Arguments::command().debug_assert();
        for (argument, words) in [
            ("--nodes=x", "a whole number is expected"),
            ("--nodes=", "a whole number is expected"),
            ("--amount=-5", "a whole number of 0 or more is expected"),
            ("--amount=-5x", "a whole number is expected"),
            ("--nodes=0", "a whole number of 1 or more is expected"),
            ("--nodes=99999999999", "the number is too large"),
            ("--games=0", "a whole number of 1 or more is expected"),
            ("--threads=0", "a whole number from 1 to 256 is expected"),
            ("--start=960", "a whole number from 0 to 959 is expected"),
            ("--count=300", "a whole number from 0 to 255 is expected"),
            ("--games=99999999999999999999999", "the number is too large"),
            ("--seconds=x", "a number is expected"),
        ] {
            let error = Arguments::try_parse_from(["mola", argument]).unwrap_err();
            let text = in_words(error, &[]).to_string();
            let (name, value) = argument.split_once('=').unwrap();
            let name_of = format!("'{name} <{}>'", name.trim_start_matches('-').to_uppercase());
            assert_eq!(
                text,
                format!(
                    "error: invalid value '{value}' for {name_of}: {words}\n\n\
                     For more information, try '--help'.\n"
                ),
            );
        }
    }

    #[test]
    fn a_fen_without_quotes() {
        let text = |arguments: &[&str]| {
            let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
            in_words(
                Arguments::try_parse_from(&arguments).unwrap_err(),
                &arguments,
            )
            .to_string()
        };
        let board = "4k3/8/8/8/8/8/8/R3K2R";
        assert!(text(&["mola", "--count", "1", board, "w", "KQ"]).contains(UNQUOTED_FEN));
        assert!(!text(&["mola", "--count", "1", board, "KQ"]).contains(UNQUOTED_FEN));
        let option = text(&["mola", "--cuont", "1", board, "w", "KQ"]);
        assert!(
            option.contains("'--cuont'") && !option.contains(UNQUOTED_FEN),
            "{option}"
        );
    }
}
