//! Tallies of results and ratings.

use super::Facts;
use super::facts::Winner;
use engine_core::Color;
use serde::Serialize;

/// Results of games, and the ratings of one side and of its opponents.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) games: u64,
    pub(crate) white: u64,
    pub(crate) draws: u64,
    pub(crate) black: u64,
    /// Ratings of the side in question, and how many games have one.
    rating: (u64, u64),
    /// Ratings of its opponents, of games with a result alone, and its half points in them.
    opponents: (u64, u64, u64),
    pub(crate) first_year: Option<u16>,
    pub(crate) last_year: Option<u16>,
}

/// A tally as people read it.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Summary {
    pub(crate) games: u64,
    pub(crate) white: u64,
    pub(crate) draws: u64,
    pub(crate) black: u64,
    /// Percent of the points of the side in question.
    pub(crate) score: Option<f64>,
    pub(crate) average_rating: Option<u64>,
    pub(crate) performance: Option<i64>,
    pub(crate) last_year: Option<u16>,
}

/// The greatest difference between performance and the average rating of the opponents.
const MAX_DIFFERENCE: f64 = 800.0;

impl Tally {
    /// Adds a game in which the side in question had this colour.
    pub(crate) fn add(&mut self, facts: &Facts, side: Color) {
        self.games += 1;
        match facts.winner {
            Winner::Side(Color::White) => self.white += 1,
            Winner::Side(Color::Black) => self.black += 1,
            Winner::Nobody => self.draws += 1,
            Winner::Unknown => {}
        }
        if let Some(rating) = facts.rating(side) {
            self.rating.0 += u64::from(rating);
            self.rating.1 += 1;
        }
        let points = match facts.winner {
            Winner::Unknown => None,
            Winner::Nobody => Some(1),
            Winner::Side(winner) => Some(if winner == side { 2 } else { 0 }),
        };
        if let (Some(rating), Some(points)) = (facts.rating(!side), points) {
            self.opponents.0 += u64::from(rating);
            self.opponents.1 += 1;
            self.opponents.2 += points;
        }
        if let Some(year) = facts.year {
            self.first_year = Some(self.first_year.map_or(year, |first| first.min(year)));
            self.last_year = self.last_year.max(Some(year));
        }
    }

    /// Adds other games.
    pub(crate) fn add_all(&mut self, other: &Tally) {
        self.games += other.games;
        self.white += other.white;
        self.draws += other.draws;
        self.black += other.black;
        self.rating.0 += other.rating.0;
        self.rating.1 += other.rating.1;
        self.opponents.0 += other.opponents.0;
        self.opponents.1 += other.opponents.1;
        self.opponents.2 += other.opponents.2;
        self.first_year = match (self.first_year, other.first_year) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        };
        self.last_year = self.last_year.max(other.last_year);
    }

    /// Games with a result.
    pub(crate) fn with_result(&self) -> u64 {
        self.white + self.draws + self.black
    }

    /// Half points of a colour.
    pub(crate) fn half_points(&self, side: Color) -> u64 {
        let wins = if side.is_white() {
            self.white
        } else {
            self.black
        };
        2 * wins + self.draws
    }

    /// Percent of the points of a colour, if a game has a result.
    pub(crate) fn score(&self, side: Color) -> Option<f64> {
        percent(self.half_points(side), self.with_result())
    }

    /// The average rating of the side in question.
    pub(crate) fn average_rating(&self) -> Option<u64> {
        let (sum, count) = self.rating;
        (count > 0).then(|| (sum + count / 2) / count)
    }

    /// The average rating of its opponents.
    pub(crate) fn average_opponent(&self) -> Option<u64> {
        let (sum, count, _) = self.opponents;
        (count > 0).then(|| (sum + count / 2) / count)
    }

    /// The performance: the rating for which the results are expected, by Elo's logistic curve.
    pub(crate) fn performance(&self) -> Option<i64> {
        let (sum, count, points) = self.opponents;
        let average = (count > 0).then(|| sum as f64 / count as f64)?;
        let score = points as f64 / (2 * count) as f64;
        let difference = 400.0 * (score / (1.0 - score)).log10();
        Some((average + difference.clamp(-MAX_DIFFERENCE, MAX_DIFFERENCE)).round() as i64)
    }

    /// All of it for people, with the score of a colour.
    pub(crate) fn summary(&self, side: Color) -> Summary {
        Summary {
            games: self.games,
            white: self.white,
            draws: self.draws,
            black: self.black,
            score: self.score(side),
            average_rating: self.average_rating(),
            performance: self.performance(),
            last_year: self.last_year,
        }
    }
}

/// Half points in percent, with one digit after the point.
pub(crate) fn percent(points: u64, games: u64) -> Option<f64> {
    (games > 0).then(|| (1000.0 * points as f64 / (2 * games) as f64).round() / 10.0)
}
