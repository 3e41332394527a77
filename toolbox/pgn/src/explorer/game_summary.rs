//! The winner, ratings and year of a game.

use crate::date::PartialDate;
use crate::result::result_of_game;
use crate::{Headers, Text, Tree};
use engine_core::Color;

/// Who won a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Winner {
    /// It has no result that counts.
    #[default]
    Unknown,
    Nobody,
    Side(Color),
}

/// The winner, ratings and year of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct GameSummary {
    pub(crate) winner: Winner,
    /// White's and Black's ratings.
    pub(crate) ratings: [Option<u16>; 2],
    pub(crate) year: Option<u16>,
}

impl GameSummary {
    pub(crate) fn of(tree: &Tree) -> GameSummary {
        let marker = tree.result.as_ref().map(Text::to_str);
        GameSummary::new(&tree.headers, marker.as_deref())
    }

    /// Whether a tag is one of those that [`new`](GameSummary::new) reads.
    pub(crate) fn reads(tag: &[u8]) -> bool {
        matches!(tag, b"Result" | b"Date" | b"WhiteElo" | b"BlackElo")
    }

    /// The summary of a game with these tags and this termination marker.
    pub(crate) fn new(headers: &Headers, marker: Option<&str>) -> GameSummary {
        let rating = |tag| {
            let rating = headers.get(tag)?.trim().parse::<u16>().ok()?;
            (1..4096).contains(&rating).then_some(rating)
        };
        let year = || {
            let (year, ..) = PartialDate::parts(headers.date()?);
            (1..4096).contains(&year).then_some(year)
        };
        let tag = headers.get("Result");
        let result = result_of_game(tag.as_deref(), marker);
        GameSummary {
            winner: result.map(winner).unwrap_or_default(),
            ratings: [rating("WhiteElo"), rating("BlackElo")],
            year: year(),
        }
    }

    /// The rating of a side.
    pub(crate) fn rating(&self, color: Color) -> Option<u16> {
        let [white, black] = self.ratings;
        if color.is_white() { white } else { black }
    }

    /// The summary in 40 bits: two of the winner, twelve of each rating and of the year; zero is
    /// what is not known.
    pub(crate) fn to_bits(self) -> u64 {
        let winner = match self.winner {
            Winner::Unknown => 0,
            Winner::Nobody => 1,
            Winner::Side(Color::White) => 2,
            Winner::Side(Color::Black) => 3,
        };
        let [white, black] = self.ratings.map(|rating| u64::from(rating.unwrap_or(0)));
        winner | white << 2 | black << 14 | u64::from(self.year.unwrap_or(0)) << 26
    }

    pub(crate) fn from_bits(bits: u64) -> GameSummary {
        let twelve = |shift: u32| {
            let number = (bits >> shift & 0xfff) as u16;
            (number > 0).then_some(number)
        };
        GameSummary {
            winner: match bits & 3 {
                0 => Winner::Unknown,
                1 => Winner::Nobody,
                2 => Winner::Side(Color::White),
                _ => Winner::Side(Color::Black),
            },
            ratings: [twelve(2), twelve(14)],
            year: twelve(26),
        }
    }
}

fn winner(result: &str) -> Winner {
    match result {
        "1-0" => Winner::Side(Color::White),
        "0-1" => Winner::Side(Color::Black),
        "1/2-1/2" => Winner::Nobody,
        _ => Winner::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_hold_all() {
        for result in ["*", "1/2-1/2", "1-0", "0-1"] {
            for (white, black, year) in [(None, Some(1), Some(4095)), (Some(4095), None, None)] {
                let summary = GameSummary {
                    winner: winner(result),
                    ratings: [white, black],
                    year,
                };
                assert_eq!(GameSummary::from_bits(summary.to_bits()), summary);
            }
        }
    }
}
