//! The values of tags, and their order.

use crate::date::{PartialDate, SEPARATORS};
use crate::{Headers, is_tag_name};
use std::cmp::Ordering;

/// What the values of a tag are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum TagKind {
    Number,
    Date,
    /// Numbers with parts, such as 1.10, which comes after 1.9.
    Round,
    Text,
}

/// How the names of tags end whose values are numbers.
const NUMBERS: [&str; 5] = ["Elo", "USCF", "RatingDiff", "FideId", "PlyCount"];

/// What stands for a number that is not known, or that a player does not have.
const NO_NUMBER: [&str; 3] = ["", "?", "-"];

impl TagKind {
    fn of(tag: &str) -> TagKind {
        if tag.ends_with("Date") {
            TagKind::Date
        } else if tag.ends_with("Round") {
            TagKind::Round
        } else if NUMBERS.iter().any(|end| tag.ends_with(end)) {
            TagKind::Number
        } else {
            TagKind::Text
        }
    }
}

/// Whether values that are not known meet no comparison of a tag, not even that they differ: dates,
/// and those of two tags.
pub(super) fn needs_known(tag: &str, wanted: &str) -> bool {
    TagKind::of(tag) == TagKind::Date || is_other_tag(tag, wanted)
}

/// Whether what a tag is compared with is another tag, of the same kind.
pub(crate) fn is_other_tag(tag: &str, wanted: &str) -> bool {
    let kind = TagKind::of(tag);
    let is_name = wanted.starts_with(|c: char| c.is_ascii_uppercase()) && is_tag_name(wanted);
    is_name && matches!(kind, TagKind::Number | TagKind::Date) && TagKind::of(wanted) == kind
}

/// Refuses what the values of a tag cannot be compared with. Less and more, for which `has_order`
/// is true, need something known.
///
/// # Errors
/// Says what is expected.
pub(crate) fn check_wanted(tag: &str, wanted: &str, has_order: bool) -> Result<(), String> {
    let (is_fit, expected) = match TagKind::of(tag) {
        _ if is_other_tag(tag, wanted) => return Ok(()),
        TagKind::Number => (
            is_number(wanted) || !has_order && NO_NUMBER.contains(&wanted),
            "a number, or a tag such as BlackElo,",
        ),
        TagKind::Date if has_order => (
            is_date(wanted),
            "a date such as 1962.06, or a tag such as EventDate,",
        ),
        TagKind::Date => {
            let is_sign = |c: char| c.is_ascii_digit() || c == '?' || SEPARATORS.contains(&c);
            (
                wanted.chars().all(is_sign),
                "a date such as 1962.06 or ????.??.??, or a tag such as EventDate,",
            )
        }
        TagKind::Round | TagKind::Text => return Ok(()),
    };
    if is_fit {
        Ok(())
    } else {
        Err(format!("{expected} is expected"))
    }
}

/// The order of the value of a tag and what it is compared with: another tag of the game, if that
/// has values of the same kind, or this text. Dates are compared as far as the wanted one goes,
/// others as [`compare`] does. There is no order where a date is not known that far, or a number is
/// wanted and the value is none.
pub(crate) fn order(headers: &Headers, tag: &str, value: &str, wanted: &str) -> Option<Ordering> {
    match TagKind::of(tag) {
        TagKind::Number if is_other_tag(tag, wanted) => {
            let other = headers.get(wanted)?;
            let (value, other) = (number(value.trim(), false)?, number(other.trim(), false)?);
            Some(compare_numbers(value, other))
        }
        TagKind::Date if is_other_tag(tag, wanted) => {
            compare_known_dates(value, &headers.get(wanted)?)
        }
        TagKind::Date => compare_dates(value, wanted),
        TagKind::Round => compare_as(value, wanted, true),
        TagKind::Number | TagKind::Text => compare(value, wanted),
    }
}

/// Whether a text is a number.
fn is_number(text: &str) -> bool {
    number(text, false).is_some()
}

/// Numbers as numbers, other texts by their letters. There is no order where a number is wanted and
/// the value is none.
pub(super) fn compare(value: &str, wanted: &str) -> Option<Ordering> {
    compare_as(value, wanted, false)
}

fn compare_as(value: &str, wanted: &str, has_parts: bool) -> Option<Ordering> {
    match (number(value.trim(), has_parts), number(wanted, has_parts)) {
        (Some(value), Some(wanted)) => Some(compare_numbers(value, wanted)),
        (None, Some(_)) => None,
        _ => Some(value.cmp(wanted)),
    }
}

fn compare_numbers(value: Number<'_>, wanted: Number<'_>) -> Ordering {
    match (value, wanted) {
        ((false, value), (false, wanted)) => value.cmp(&wanted),
        ((true, value), (true, wanted)) => wanted.cmp(&value),
        // False, of a number without a minus, comes before true.
        ((value, _), (wanted, _)) => wanted.cmp(&value),
    }
}

/// Whether a number is negative, and its size.
type Number<'a> = (bool, Size<'a>);

/// The size of a number: how many digits there are before the point, and which, and those after
/// it, if there are any that count. If the number has parts, these are a number of their own, with
/// its length; else they are a fraction, for which all lengths are 0.
type Size<'a> = ((usize, &'a str), Option<(usize, &'a str)>);

/// How many digits of a whole number count, and which.
fn counted(digits: &str) -> (usize, &str) {
    let digits = digits.trim_start_matches('0');
    (digits.len(), digits)
}

/// The number of a text; `None` for other text than digits with at most one point among them and a
/// sign before them.
fn number(text: &str, has_parts: bool) -> Option<Number<'_>> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (whole, after_point) = match digits.split_once('.') {
        None => (digits, None),
        Some((whole, after_point)) => (whole, Some(after_point)),
    };
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_digits(whole) || !after_point.is_none_or(is_digits) {
        return None;
    }
    let after_point = if has_parts {
        after_point.map(counted)
    } else {
        let fraction = after_point.map(|digits| digits.trim_end_matches('0'));
        fraction
            .filter(|digits| !digits.is_empty())
            .map(|digits| (0, digits))
    };
    let size = (counted(whole), after_point);
    let is_zero = size == ((0, ""), None);
    Some((text.starts_with('-') && !is_zero, size))
}

/// Whether a text is a date that later and earlier ones can be compared with: one without question
/// marks.
fn is_date(text: &str) -> bool {
    text.parse::<PartialDate>().is_ok() && !text.contains('?')
}

/// The order of a date and the wanted one, as far as that goes; as written, if that is no date.
fn compare_dates(value: &str, wanted: &str) -> Option<Ordering> {
    if !is_date(wanted) {
        return Some(value.cmp(wanted));
    }
    let mut parts = known_parts(value);
    for part in wanted.split(SEPARATORS) {
        let part: u32 = part.trim().parse().ok()?;
        // Zero stands for what is not known, as some write it.
        let known = parts.next()?.unwrap_or(0);
        if known != part {
            return (known > 0).then(|| known.cmp(&part));
        }
    }
    Some(Ordering::Equal)
}

/// Year, month and day of a value, where they are known; nothing of what is no date.
fn known_parts(value: &str) -> impl Iterator<Item = Option<u32>> + use<> {
    let date = value.parse::<PartialDate>().ok();
    let parts = date.map(PartialDate::parts).map(|(year, month, day)| {
        let (month, day) = (month.map(u32::from), day.map(u32::from));
        [Some(u32::from(year)), month, day]
    });
    parts.into_iter().flatten()
}

/// The order of two dates of a game, if what is known of both decides it.
fn compare_known_dates(value: &str, other: &str) -> Option<Ordering> {
    let mut others = known_parts(other);
    for part in known_parts(value) {
        let (part, other) = (part?, others.next()??);
        if part != other {
            return Some(part.cmp(&other));
        }
    }
    others.next().is_none().then_some(Ordering::Equal)
}
