//! Tallies of results and ratings.

use super::GameSummary;
use super::game_summary::Winner;
use engine_core::Color;
use serde::Serialize;

/// A sum of ratings, and the number of games that it is of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct RatingSum {
    sum: u64,
    games: u64,
}

impl RatingSum {
    fn add(&mut self, rating: u16) {
        self.sum += u64::from(rating);
        self.games += 1;
    }

    fn add_all(&mut self, other: RatingSum) {
        self.sum += other.sum;
        self.games += other.games;
    }

    /// The average, rounded, if there is a game.
    fn average(self) -> Option<u64> {
        (self.games > 0).then(|| (self.sum + self.games / 2) / self.games)
    }
}

/// Results of games, and the ratings of one side and of its opponents.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct ResultTally {
    pub(crate) games: u64,
    pub(crate) white: u64,
    pub(crate) draws: u64,
    pub(crate) black: u64,
    /// Ratings of the side in question.
    own: RatingSum,
    /// Ratings of its opponents in games with a result.
    opponents: RatingSum,
    /// The half points of the side in question against these opponents.
    half_points_against: u64,
    pub(crate) first_year: Option<u16>,
    pub(crate) last_year: Option<u16>,
}

/// The tally as printed.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct TallySummary {
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

/// The greatest difference between performance and the average rating of the opponents, in Elo: that
/// for a score of 100 % in FIDE's table (Rating Regulations B.02, 8.1).
const MAX_DIFFERENCE: f64 = 800.0;

impl ResultTally {
    /// Adds a game in which the side in question had this colour.
    pub(crate) fn add(&mut self, summary: &GameSummary, side: Color) {
        self.games += 1;
        match summary.winner {
            Winner::Side(Color::White) => self.white += 1,
            Winner::Side(Color::Black) => self.black += 1,
            Winner::Nobody => self.draws += 1,
            Winner::Unknown => {}
        }
        if let Some(rating) = summary.rating(side) {
            self.own.add(rating);
        }
        let points = match summary.winner {
            Winner::Unknown => None,
            Winner::Nobody => Some(1),
            Winner::Side(winner) => Some(if winner == side { 2 } else { 0 }),
        };
        if let (Some(rating), Some(points)) = (summary.rating(!side), points) {
            self.opponents.add(rating);
            self.half_points_against += points;
        }
        if let Some(year) = summary.year {
            self.first_year = Some(self.first_year.map_or(year, |first| first.min(year)));
            self.last_year = self.last_year.max(Some(year));
        }
    }

    /// Adds other games.
    pub(crate) fn add_all(&mut self, other: &ResultTally) {
        self.games += other.games;
        self.white += other.white;
        self.draws += other.draws;
        self.black += other.black;
        self.own.add_all(other.own);
        self.opponents.add_all(other.opponents);
        self.half_points_against += other.half_points_against;
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
        self.own.average()
    }

    /// The average rating of its opponents.
    pub(crate) fn average_opponent_rating(&self) -> Option<u64> {
        self.opponents.average()
    }

    /// The performance: the rating for which the results are expected, by Elo's logistic curve.
    pub(crate) fn performance(&self) -> Option<i64> {
        let RatingSum { sum, games } = self.opponents;
        let average = (games > 0).then(|| sum as f64 / games as f64)?;
        let score = self.half_points_against as f64 / (2 * games) as f64;
        let difference = 400.0 * (score / (1.0 - score)).log10();
        Some((average + difference.clamp(-MAX_DIFFERENCE, MAX_DIFFERENCE)).round() as i64)
    }

    /// The tally as printed, with the score of a colour.
    pub(crate) fn summary(&self, side: Color) -> TallySummary {
        TallySummary {
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
