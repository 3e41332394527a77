//! Tests of tags, and of properties of a game that are like tags.

use super::game::QueriedGame;
use super::soundex::{has_code, sounds};
use super::tag_values::{check_wanted, compare, needs_known, order};
use crate::date::PartialDate;
use crate::{Headers, Opening, variant_argument, variant_of};
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

impl Operator {
    /// Whether it asks what comes first.
    fn has_order(self) -> bool {
        !matches!(self, Operator::Equal | Operator::NotEqual)
    }

    fn accepts(self, order: Ordering) -> bool {
        match self {
            Operator::Equal => order.is_eq(),
            Operator::NotEqual => order.is_ne(),
            Operator::Less => order.is_lt(),
            Operator::AtMost => order.is_le(),
            Operator::Greater => order.is_gt(),
            _ => order.is_ge(),
        }
    }
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
            (_, Operator::Sounds) if !has_code(value) => {
                return Err("Soundex needs a word in Latin letters".to_owned());
            }
            (_, Operator::Sounds) => TagOperand::Sounds(value.to_owned()),
            (Subject::Variant, Operator::Equal | Operator::NotEqual) => {
                TagOperand::Variant(operator == Operator::Equal, variant_argument(value)?)
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
                return Err("a whole number is expected".to_owned());
            }
            (Subject::Tag(name), _) => {
                check_wanted(name, value, operator.has_order())?;
                TagOperand::Compares(operator, value.to_owned())
            }
            _ => TagOperand::Compares(operator, value.to_owned()),
        };
        Ok(TagTest { subject, wanted })
    }

    pub(super) fn holds(&self, game: &QueriedGame<'_>) -> bool {
        let headers = &game.tree.headers;
        let tag = |name: &str| headers.get(name);
        let test =
            |value: Option<Cow<'_, str>>| value.is_some_and(|value| self.is_met(headers, &value));
        match &self.subject {
            Subject::Tag(name) => test(tag(name)),
            Subject::Player if self.is_negative() => {
                let mut players = ["White", "Black"].into_iter().filter_map(tag).peekable();
                players.peek().is_some() && players.all(|name| self.is_met(headers, &name))
            }
            Subject::Player => test(tag("White")) || test(tag("Black")),
            Subject::Winner => test(winner(game, "1-0", "0-1")),
            Subject::Loser => test(winner(game, "0-1", "1-0")),
            Subject::Elo => test(tag("WhiteElo")) && test(tag("BlackElo")),
            Subject::Result => test(Some(game.tree.known_result().into())),
            Subject::Year => test(headers.date().map(year)),
            Subject::Plies => test(Some(game.line().moves.len().to_string().into())),
            Subject::Eco => {
                let opening = opening(game);
                test(opening.map(|opening| opening.eco().into()))
            }
            Subject::Opening => test(opening(game).map(|opening| opening.name().into())),
            Subject::Variant => test(Some(headers.variant_name())),
        }
    }

    /// Whether the value must differ: then that of neither player may be the one given.
    fn is_negative(&self) -> bool {
        matches!(
            self.wanted,
            TagOperand::MatchesNot(_) | TagOperand::Compares(Operator::NotEqual, _)
        )
    }

    fn is_met(&self, headers: &Headers, value: &str) -> bool {
        match &self.wanted {
            TagOperand::Matches(regex) => regex.is_match(value),
            TagOperand::MatchesNot(regex) => !regex.is_match(value),
            TagOperand::Sounds(wanted) => sounds(value, wanted),
            TagOperand::Variant(is, wanted) => {
                (variant_of(Some(value)).as_ref() == Ok(wanted)) == *is
            }
            TagOperand::Compares(operator, wanted) => {
                let (order, needs_known) = match &self.subject {
                    Subject::Tag(name) => (
                        order(headers, name, value, wanted),
                        needs_known(name, wanted),
                    ),
                    _ => (compare(value, wanted), false),
                };
                match order {
                    Some(order) => operator.accepts(order),
                    // A text that is no number is another one than a number, though neither less nor
                    // greater; a date that is not known may be any.
                    None => *operator == Operator::NotEqual && !needs_known,
                }
            }
        }
    }
}

fn winner<'a>(game: &'a QueriedGame<'_>, white: &str, black: &str) -> Option<Cow<'a, str>> {
    let result = game.tree.known_result();
    let headers = &game.tree.headers;
    match result {
        result if result == white => headers.get("White"),
        result if result == black => headers.get("Black"),
        _ => None,
    }
}

fn year<'a>(date: PartialDate) -> Cow<'a, str> {
    let (year, ..) = date.parts();
    year.to_string().into()
}

fn opening(game: &QueriedGame<'_>) -> Option<Opening> {
    let mut positions = game.line().positions.iter().rev();
    positions.find_map(Opening::of)
}
