//! Dates as the tag `Date` has them: `2024.01.31`, of which the end may be unknown.

use std::str::FromStr;

/// A year, perhaps with a month, perhaps with a day.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PartialDate {
    year: u16,
    month: Option<u8>,
    day: Option<u8>,
}

impl PartialDate {
    /// Year, month and day; what is unknown is zero, before all that is known.
    fn first(self) -> (u16, u8, u8) {
        (self.year, self.month.unwrap_or(0), self.day.unwrap_or(0))
    }

    /// The same; what is unknown comes after all that is known.
    fn last(self) -> (u16, u8, u8) {
        let last = |part: Option<u8>| part.unwrap_or(u8::MAX);
        (self.year, last(self.month), last(self.day))
    }

    /// The year, the month and the day, if known.
    pub(crate) fn parts(self) -> (u16, Option<u8>, Option<u8>) {
        (self.year, self.month, self.day)
    }

    /// Whether a date can be this one or a later one.
    pub(crate) fn is_reached_by(self, date: PartialDate) -> bool {
        date.last() >= self.first()
    }

    /// Whether a date can be this one or an earlier one.
    pub(crate) fn reaches(self, date: PartialDate) -> bool {
        date.first() <= self.last()
    }
}

impl FromStr for PartialDate {
    type Err = String;

    fn from_str(text: &str) -> Result<PartialDate, String> {
        parse(text)
            .ok_or_else(|| format!("{text:?} is not a date; expected 2024, 2024.01 or 2024.01.31"))
    }
}

/// What stands between the parts of a date.
pub(crate) const SEPARATORS: [char; 3] = ['.', '-', '/'];

/// Whether a part of a date is not known: question marks stand for that, and zeros as some programs
/// write it.
fn is_unknown(part: &str) -> bool {
    let is_all = |sign| part.bytes().all(|byte| byte == sign);
    !part.is_empty() && (is_all(b'?') || is_all(b'0'))
}

/// How many parts of a text that is to be a date are known.
#[cfg(feature = "columns")]
pub(crate) fn known_parts(text: &str) -> usize {
    let parts = text.trim().split(SEPARATORS);
    parts.filter(|part| !is_unknown(part)).count()
}

fn parse(text: &str) -> Option<PartialDate> {
    let mut parts = text.trim().split(SEPARATORS);
    let year = parts
        .next()
        .filter(|year| year.len() == 4 && is_number(year) && *year != "0000")?;
    let mut part = |most: u8| match parts.next() {
        None => Some(None),
        Some(part) if is_unknown(part) => Some(None),
        Some(part) if is_number(part) => {
            let number = part.parse().ok().filter(|number| *number <= most);
            number.map(Some)
        }
        Some(_) => None,
    };
    let (month, day) = (part(12)?, part(31)?);
    let date = PartialDate {
        year: year.parse().ok()?,
        month,
        day: day.filter(|_| month.is_some()),
    };
    parts.next().is_none().then_some(date)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads() {
        for text in [
            "2024",
            "2024.01",
            "2024-01-31",
            "2024/1/5",
            " 2024.01.31 ",
            "2024.??.??",
            "1850.06.??",
            "0001.01.01",
        ] {
            assert!(text.parse::<PartialDate>().is_ok(), "{text}");
        }
        for text in [
            "",
            "yesterday",
            "24",
            "2024.",
            "2024.13",
            "2024.01.32",
            "????.??.??",
            // Tables of programs begin with the year 1.
            "0000.12.31",
            "2024.01.01.01",
            "24.05.2024",
            "20240501",
            "12024.01.01",
            "+202",
            "2024.+1",
            "٢٠٢٤",
        ] {
            assert!(text.parse::<PartialDate>().is_err(), "{text}");
        }
    }

    #[test]
    fn zeros_are_not_known() {
        for (zeros, marks) in [
            ("1851.00.00", "1851.??.??"),
            ("1851.0.0", "1851.?.?"),
            ("1851.06.00", "1851.06.??"),
            ("1851.00.07", "1851.??.07"),
        ] {
            let date = zeros.parse::<PartialDate>();
            assert!(date.is_ok(), "{zeros}");
            assert_eq!(date, marks.parse(), "{zeros}");
        }
    }

    #[test]
    fn compares_what_is_known() {
        let date = |text: &str| text.parse::<PartialDate>().expect("a date");
        for (since, game, is_reached) in [
            ("2024", "2024.01.01", true),
            ("2024", "2023.12.31", false),
            ("2024.05", "2024.04.30", false),
            ("2024.05", "2024.??.??", true),
            ("2024.05.02", "2024.05.01", false),
            ("2024.05.02", "2024.05", true),
        ] {
            assert_eq!(
                date(since).is_reached_by(date(game)),
                is_reached,
                "{since} {game}"
            );
        }
        for (until, game, reaches) in [
            ("2024", "2024.12.31", true),
            ("2024", "2025.01.01", false),
            ("2024.05", "2024.05.31", true),
            ("2024.05", "2024.06.01", false),
            ("2024.05", "2024.??.??", true),
        ] {
            assert_eq!(date(until).reaches(date(game)), reaches, "{until} {game}");
        }
    }
}
