//! How players did.

use super::tally::percent;
use super::{GameSummary, ResultTally};
use crate::date::PartialDate;
use engine_core::Color;
use serde::Serialize;
use std::collections::BTreeMap;

/// How one player did.
#[derive(Debug, Clone, Default)]
pub(crate) struct PlayerTally {
    pub(crate) as_white: ResultTally,
    pub(crate) as_black: ResultTally,
    pub(crate) best_rating: Option<u16>,
}

/// How one player did, for people.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct PlayerSummary {
    pub(crate) player: String,
    pub(crate) games: u64,
    pub(crate) wins: u64,
    pub(crate) draws: u64,
    pub(crate) losses: u64,
    pub(crate) score: Option<f64>,
    pub(crate) score_as_white: Option<f64>,
    pub(crate) score_as_black: Option<f64>,
    pub(crate) average_rating: Option<u64>,
    pub(crate) best_rating: Option<u16>,
    pub(crate) average_opponent: Option<u64>,
    pub(crate) performance: Option<i64>,
    pub(crate) first_year: Option<u16>,
    pub(crate) last_year: Option<u16>,
}

impl PlayerTally {
    pub(crate) fn add(&mut self, summary: &GameSummary, side: Color) {
        match side {
            Color::White => self.as_white.add(summary, side),
            Color::Black => self.as_black.add(summary, side),
        }
        self.best_rating = self.best_rating.max(summary.rating(side));
    }

    pub(crate) fn games(&self) -> u64 {
        self.as_white.games + self.as_black.games
    }

    pub(crate) fn summary(&self, name: &str) -> PlayerSummary {
        let (white, black) = (&self.as_white, &self.as_black);
        let mut all = *white;
        all.add_all(black);
        let half_points = white.half_points(Color::White) + black.half_points(Color::Black);
        PlayerSummary {
            player: name.to_owned(),
            games: all.games,
            wins: white.white + black.black,
            draws: all.draws,
            losses: white.black + black.white,
            score: percent(half_points, all.with_result()),
            score_as_white: white.score(Color::White),
            score_as_black: black.score(Color::Black),
            average_rating: all.average_rating(),
            best_rating: self.best_rating,
            average_opponent: all.average_opponent_rating(),
            performance: all.performance(),
            first_year: all.first_year,
            last_year: all.last_year,
        }
    }
}

/// What one player did against whom, when, and with which openings.
#[derive(Debug, Clone, Default)]
pub(crate) struct Career {
    pub(crate) all: PlayerTally,
    pub(crate) opponents: BTreeMap<String, PlayerTally>,
    /// The last rating of each month, a year and its month, and the day when it was so.
    pub(crate) ratings: BTreeMap<(u16, u8), (Option<u8>, u16)>,
    /// By colour and name of the opening.
    pub(crate) repertoire: [BTreeMap<&'static str, ResultTally>; 2],
}

impl Career {
    /// Adds a game.
    pub(crate) fn add(
        &mut self,
        summary: &GameSummary,
        side: Color,
        opponent: &str,
        date: &str,
        opening: Option<&'static str>,
    ) {
        self.all.add(summary, side);
        let opponent = self.opponents.entry(opponent.to_owned()).or_default();
        opponent.add(summary, side);
        let parts = date.parse::<PartialDate>().map(PartialDate::parts);
        if let (Ok((year, Some(month), day)), Some(rating)) = (parts, summary.rating(side)) {
            let known = self.ratings.entry((year, month)).or_default();
            if day >= known.0 {
                *known = (day, rating);
            }
        }
        let [white, black] = &mut self.repertoire;
        let repertoire = if side.is_white() { white } else { black };
        let tally = repertoire.entry(opening.unwrap_or("no name")).or_default();
        tally.add(summary, side);
    }
}
