//! Patterns of material: how many pieces of each role each side has.

use engine_core::{Board, Color, Role};
use std::ops::RangeInclusive;

/// A pattern of the material of both sides.
#[derive(Debug, Clone)]
pub(crate) struct MaterialPattern {
    first: SidePattern,
    second: SidePattern,
    /// The colour of the first pieces; either colour if `None`.
    color: Option<Color>,
}

/// The pattern of one side's material.
#[derive(Debug, Clone, Default)]
struct SidePattern {
    counts: Vec<Count>,
    /// Whether the side may have pieces of roles that are not named.
    is_open: bool,
}

/// A condition on the number of pieces of some roles.
#[derive(Debug, Clone)]
struct Count {
    roles: &'static [Role],
    wanted: CountTest,
}

#[derive(Debug, Clone)]
enum CountTest {
    Between(RangeInclusive<i32>),
    /// How many more than the other side.
    More(RangeInclusive<i32>),
    /// Another number than the other side.
    Different,
}

/// More pieces than a board has squares.
const MANY: i32 = 64;

const MINOR: &[Role] = &[Role::Bishop, Role::Knight];
const HEAVY: &[Role] = &[Role::Queen, Role::Rook];

fn roles(letter: char) -> Option<&'static [Role]> {
    Some(match letter.to_ascii_uppercase() {
        'K' => &[Role::King],
        'Q' => &[Role::Queen],
        'R' => &[Role::Rook],
        'B' => &[Role::Bishop],
        'N' => &[Role::Knight],
        'P' => &[Role::Pawn],
        'L' => MINOR,
        'H' => HEAVY,
        _ => return None,
    })
}

impl MaterialPattern {
    /// Reads two sides with a `v` between.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub(crate) fn read(text: &str, color: Option<Color>) -> Result<MaterialPattern, String> {
        let sides = text.split_once(['v', 'V']);
        let (first, second) = sides.ok_or("expected two sides with a v between, as in KRPvKR")?;
        Ok(MaterialPattern {
            first: SidePattern::read(first)?,
            second: SidePattern::read(second)?,
            color,
        })
    }

    pub(super) fn matches(&self, board: &Board) -> bool {
        let side = |color| Role::ALL.map(|role| board.pieces(color, role).count() as i32);
        let (white, black) = (side(Color::White), side(Color::Black));
        let as_white = || self.first.fits(&white, &black) && self.second.fits(&black, &white);
        let as_black = || self.first.fits(&black, &white) && self.second.fits(&white, &black);
        match self.color {
            Some(Color::White) => as_white(),
            Some(Color::Black) => as_black(),
            None => as_white() || as_black(),
        }
    }
}

fn count(pieces: &[i32; 6], roles: &[Role]) -> i32 {
    let counts = roles.iter().filter_map(|role| pieces.get(role.index()));
    counts.sum()
}

impl SidePattern {
    fn read(text: &str) -> Result<SidePattern, String> {
        let mut side = SidePattern::default();
        let mut rest = text.trim();
        while let Some(letter) = rest.chars().next() {
            if rest == ".." {
                side.is_open = true;
                break;
            }
            let roles = roles(letter).ok_or_else(|| format!("{letter:?} is not a piece letter"))?;
            rest = rest.get(letter.len_utf8()..).unwrap_or_default();
            let (amount, after) = rest.split_at(amount_length(rest));
            side.add(roles, read_amount(amount)?);
            rest = after.trim_start();
        }
        Ok(side)
    }

    /// Adds a count; letters that are repeated add up.
    fn add(&mut self, roles: &'static [Role], wanted: CountTest) {
        let known = self.counts.iter_mut().find(|count| count.roles == roles);
        match (known, wanted) {
            (
                Some(Count {
                    wanted: CountTest::Between(known),
                    ..
                }),
                CountTest::Between(more),
            ) => {
                *known = known.start() + more.start()..=(known.end() + more.end()).min(MANY);
            }
            (_, wanted) => self.counts.push(Count { roles, wanted }),
        }
    }

    fn fits(&self, own: &[i32; 6], other: &[i32; 6]) -> bool {
        let all_fit = self.counts.iter().all(|wanted| {
            let (own, other) = (count(own, wanted.roles), count(other, wanted.roles));
            match &wanted.wanted {
                CountTest::Between(range) => range.contains(&own),
                CountTest::More(range) => range.contains(&(own - other)),
                CountTest::Different => own != other,
            }
        });
        all_fit && (self.is_open || self.has_nothing_else(own))
    }

    /// Whether there is nothing but what is named, and the king.
    fn has_nothing_else(&self, own: &[i32; 6]) -> bool {
        let is_named = |role: &Role| {
            let mut counts = self.counts.iter();
            *role == Role::King || counts.any(|count| count.roles.contains(role))
        };
        let mut roles = Role::ALL.into_iter().zip(own);
        roles.all(|(role, &count)| count == 0 || is_named(&role))
    }
}

/// The length of the count at the start of a text. Two dots are part of a range if a number follows.
fn amount_length(text: &str) -> usize {
    let is_sign = |c: char| c.is_ascii_digit() || "+-*=#<>".contains(c);
    let end = text.find(|c| !is_sign(c)).unwrap_or(text.len());
    let range = text.get(end..).and_then(|rest| rest.strip_prefix(".."));
    let digits = |rest: &str| {
        rest.find(|c: char| !c.is_ascii_digit())
            .unwrap_or(rest.len())
    };
    match range.map(digits) {
        None | Some(0) => end,
        Some(digits) => end + 2 + digits,
    }
}

/// What stands after a letter.
fn read_amount(text: &str) -> Result<CountTest, String> {
    let digits = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    let (digits, sign) = text.split_at(digits);
    let number = match digits {
        "" => None,
        digits => match digits.parse::<i32>() {
            Ok(number) if number <= MANY => Some(number),
            _ => return Err(format!("{digits} pieces are too many")),
        },
    };
    let n = number.unwrap_or(1);
    Ok(match (sign, number) {
        ("", _) => CountTest::Between(n..=n),
        ("*", None) => CountTest::Between(0..=MANY),
        ("+", _) => CountTest::Between(n..=MANY),
        ("-", Some(n)) => CountTest::Between(0..=n),
        ("=", None) => CountTest::More(0..=0),
        ("#", None) => CountTest::Different,
        (">", _) => CountTest::More(n..=MANY),
        ("<", _) => CountTest::More(-MANY..=-n),
        (">=", _) => CountTest::More(n..=n),
        ("<=", _) => CountTest::More(-n..=-n),
        (range, Some(from)) if range.starts_with("..") => {
            let to = range.get(2..).and_then(|to| to.parse::<i32>().ok());
            match to.filter(|to| (from..=MANY).contains(to)) {
                Some(to) => CountTest::Between(from..=to),
                None => return Err(format!("{text:?} is not a range such as 1..3")),
            }
        }
        _ => return Err(format!("{text:?} after a letter is not a number of pieces")),
    })
}
