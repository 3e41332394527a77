//! Tests of tags, and of properties of a game that are like tags.

use super::game::QueriedGame;
use super::soundex::sounds;
use crate::{Opening, variant_of};
use engine_core::{CastlingMode, Variant};
use regex::{Regex, RegexBuilder};
use std::borrow::Cow;
use std::cmp::Ordering;

/// The tag or property that is tested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Subject {
    /// A tag by its name.
    Tag(String),
    /// White or Black.
    Player,
    Winner,
    Loser,
    /// The ratings of both.
    Elo,
    Result,
    Year,
    Plies,
    /// The code of the opening by the moves.
    Eco,
    /// Its name.
    Opening,
    Variant,
}

impl Subject {
    /// Whether its values are compared as dates.
    fn is_date(&self) -> bool {
        matches!(self, Subject::Tag(name) if is_date(name))
    }

    /// The subject of a name: tags begin with a capital letter, properties with a small one.
    pub(super) fn of(name: &str) -> Option<Subject> {
        Some(match name {
            "player" => Subject::Player,
            "winner" => Subject::Winner,
            "loser" => Subject::Loser,
            "elo" => Subject::Elo,
            "result" => Subject::Result,
            "year" => Subject::Year,
            "plies" => Subject::Plies,
            "eco" => Subject::Eco,
            "opening" => Subject::Opening,
            "variant" => Subject::Variant,
            tag if tag.starts_with(|c: char| c.is_ascii_uppercase()) => {
                Subject::Tag(tag.to_owned())
            }
            _ => return None,
        })
    }
}

/// An operator of comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    Equal,
    NotEqual,
    Less,
    AtMost,
    Greater,
    AtLeast,
    Matches,
    MatchesNot,
    Sounds,
}

/// A comparison.
#[derive(Debug, Clone)]
pub(super) struct TagTest {
    subject: Subject,
    wanted: TagOperand,
}

/// The value to compare with.
#[derive(Debug, Clone)]
enum TagOperand {
    Matches(Regex),
    MatchesNot(Regex),
    Sounds(String),
    Compares(Operator, String),
    Variant(bool, (Variant, CastlingMode)),
}

/// The largest program that a regular expression may become, in bytes.
const MAX_REGEX_SIZE: usize = 1 << 20;

fn regex(text: &str) -> Result<Regex, String> {
    let built = RegexBuilder::new(text)
        .case_insensitive(true)
        .size_limit(MAX_REGEX_SIZE)
        .build();
    built.map_err(|error| match error {
        regex::Error::Syntax(text) => {
            let last = text.lines().last().unwrap_or_default();
            let reason = last.strip_prefix("error: ").unwrap_or(last);
            format!("not a regular expression: {reason}")
        }
        _ => "the regular expression is too large".to_owned(),
    })
}

impl TagTest {
    /// The comparison of a value.
    ///
    /// # Errors
    /// When the value cannot be compared in this way.
    pub(super) fn new(
        subject: Subject,
        operator: Operator,
        value: &str,
    ) -> Result<TagTest, String> {
        let wanted = match (&subject, operator) {
            (_, Operator::Matches) => TagOperand::Matches(regex(value)?),
            (_, Operator::MatchesNot) => TagOperand::MatchesNot(regex(value)?),
            (_, Operator::Sounds) => TagOperand::Sounds(value.to_owned()),
            (Subject::Variant, Operator::Equal | Operator::NotEqual) => {
                TagOperand::Variant(operator == Operator::Equal, variant_of(Some(value))?)
            }
            (Subject::Result, _) => {
                let result = match value {
                    "white" => "1-0",
                    "black" => "0-1",
                    "draw" | "1/2" => "1/2-1/2",
                    "1-0" | "0-1" | "1/2-1/2" | "*" => value,
                    _ => return Err("no result: white, draw, black, 1-0, 1/2-1/2, 0-1 or *".into()),
                };
                TagOperand::Compares(operator, result.to_owned())
            }
            (Subject::Plies | Subject::Year | Subject::Elo, _) if value.parse::<u32>().is_err() => {
                return Err("a number is expected".to_owned());
            }
            _ => TagOperand::Compares(operator, value.to_owned()),
        };
        Ok(TagTest { subject, wanted })
    }

    pub(super) fn holds(&self, game: &QueriedGame<'_>) -> bool {
        let headers = &game.tree.headers;
        let tag = |name: &str| headers.get(name);
        let test = |value: Option<Cow<'_, str>>| value.is_some_and(|value| self.is_met(&value));
        match &self.subject {
            Subject::Tag(name) => test(tag(name)),
            Subject::Player if self.is_negative() => {
                let mut players = ["White", "Black"].into_iter().filter_map(tag).peekable();
                players.peek().is_some() && players.all(|name| self.is_met(&name))
            }
            Subject::Player => test(tag("White")) || test(tag("Black")),
            Subject::Winner => test(winner(game, "1-0", "0-1")),
            Subject::Loser => test(winner(game, "0-1", "1-0")),
            Subject::Elo => test(tag("WhiteElo")) && test(tag("BlackElo")),
            Subject::Result => self.is_met(&game.tree.known_result()),
            Subject::Year => test(tag("Date").and_then(|date| year(&date))),
            Subject::Plies => self.is_met(&game.line().moves.len().to_string()),
            Subject::Eco => {
                let opening = opening(game);
                test(opening.map(|opening| opening.eco().into()))
            }
            Subject::Opening => test(opening(game).map(|opening| opening.name().into())),
            Subject::Variant => self.is_met(&tag("Variant").unwrap_or("Standard".into())),
        }
    }

    /// Whether the value must differ: then that of neither player may be the one given.
    fn is_negative(&self) -> bool {
        matches!(
            self.wanted,
            TagOperand::MatchesNot(_) | TagOperand::Compares(Operator::NotEqual, _)
        )
    }

    fn is_met(&self, value: &str) -> bool {
        match &self.wanted {
            TagOperand::Matches(regex) => regex.is_match(value),
            TagOperand::MatchesNot(regex) => !regex.is_match(value),
            TagOperand::Sounds(wanted) => sounds(value, wanted),
            TagOperand::Variant(is, wanted) => {
                (variant_of(Some(value)).as_ref() == Ok(wanted)) == *is
            }
            TagOperand::Compares(operator, wanted) => {
                let order = match &self.subject {
                    Subject::Tag(name) => compare_tags(name, value, wanted),
                    _ => compare(value, wanted),
                };
                match operator {
                    Operator::Equal => order == Some(Ordering::Equal),
                    // A text that is no number is another one than a number, though neither less nor
                    // greater; a date that is not known may be any.
                    Operator::NotEqual => order.map_or(!self.subject.is_date(), Ordering::is_ne),
                    Operator::Less => order.is_some_and(Ordering::is_lt),
                    Operator::AtMost => order.is_some_and(Ordering::is_le),
                    Operator::Greater => order.is_some_and(Ordering::is_gt),
                    _ => order.is_some_and(Ordering::is_ge),
                }
            }
        }
    }
}

fn winner<'a>(game: &'a QueriedGame<'_>, white: &str, black: &str) -> Option<Cow<'a, str>> {
    let result = game.tree.known_result();
    let headers = &game.tree.headers;
    match result.as_str() {
        result if result == white => headers.get("White"),
        result if result == black => headers.get("Black"),
        _ => None,
    }
}

fn year<'a>(date: &str) -> Option<Cow<'a, str>> {
    let year = date.split(['.', '-', '/']).next().unwrap_or_default();
    // As in all dates, zero is not known.
    let is_known = year.parse::<u32>().is_ok_and(|year| year > 0);
    is_known.then(|| year.to_owned().into())
}

fn opening(game: &QueriedGame<'_>) -> Option<Opening> {
    let positions = game.line().positions.iter().rev();
    positions.map(Opening::of).find(Option::is_some).flatten()
}

/// The values of a tag: dates as far as the wanted one goes, others as [`compare`] does. There is no
/// order where the date is not known that far.
pub(crate) fn compare_tags(name: &str, value: &str, wanted: &str) -> Option<Ordering> {
    if is_date(name) {
        compare_dates(value, wanted)
    } else {
        compare(value, wanted)
    }
}

fn is_date(tag: &str) -> bool {
    tag.ends_with("Date")
}

/// Numbers as numbers, other texts by their letters. There is no order where a number is wanted and
/// the value is none.
fn compare(value: &str, wanted: &str) -> Option<Ordering> {
    match (number(value.trim()), number(wanted)) {
        (Some((false, value)), Some((false, wanted))) => Some(value.cmp(&wanted)),
        (Some((true, value)), Some((true, wanted))) => Some(wanted.cmp(&value)),
        // False, of a number without a minus, comes before true.
        (Some((value, _)), Some((wanted, _))) => Some(wanted.cmp(&value)),
        (None, Some(_)) => None,
        _ => Some(value.cmp(wanted)),
    }
}

/// The size of a number: how many digits there are before the point, and which, and those after
/// it. These are a number of their own, as in a round: 1.10 comes after 1.9.
type Size<'a> = ((usize, &'a str), Option<(usize, &'a str)>);

/// Whether a number is negative, and its size; `None` for other text than digits with at most one
/// point among them and a sign before them.
fn number(text: &str) -> Option<(bool, Size<'_>)> {
    fn size(digits: &str) -> Option<(usize, &str)> {
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        let digits = digits.trim_start_matches('0');
        is_number.then_some((digits.len(), digits))
    }
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let size = match digits.split_once('.') {
        None => (size(digits)?, None),
        Some((whole, after_point)) => (size(whole)?, Some(size(after_point)?)),
    };
    Some((text.starts_with('-'), size))
}

fn compare_dates(value: &str, wanted: &str) -> Option<Ordering> {
    let mut parts = value.split(['.', '-', '/']);
    for part in wanted.split(['.', '-', '/']) {
        let Ok(part) = part.parse::<u32>() else {
            // As written, for what is no date.
            return Some(value.cmp(wanted));
        };
        let known = parts.next()?.parse::<u32>().ok()?;
        if known != part {
            // Some write zero for what is not known.
            return (known > 0).then(|| known.cmp(&part));
        }
    }
    Some(Ordering::Equal)
}
