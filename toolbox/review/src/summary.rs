//! Sums over many games, by player and by opening.

use crate::report::{Player, Review};
use std::collections::BTreeMap;

/// The sums of many games.
#[derive(Default)]
pub(crate) struct Sums {
    players: BTreeMap<String, Total>,
    openings: BTreeMap<&'static str, Total>,
}

/// The sums of a player, or of an opening.
#[derive(Default)]
pub(crate) struct Total {
    pub(crate) games: u64,
    pub(crate) inaccuracies: u64,
    pub(crate) mistakes: u64,
    pub(crate) blunders: u64,
    points: f64,
    /// Games with a result.
    ended: u64,
    accuracy: Mean,
    average_loss: Mean,
}

/// A running mean.
#[derive(Default)]
struct Mean {
    sum: f64,
    weight: f64,
}

impl Mean {
    fn add(&mut self, value: Option<f64>, weight: f64) {
        if let Some(value) = value {
            self.sum += value * weight;
            self.weight += weight;
        }
    }

    fn value(&self) -> Option<f64> {
        (self.weight > 0.0).then(|| self.sum / self.weight)
    }
}

impl Total {
    fn add(&mut self, player: &Player, points: Option<f64>) {
        self.inaccuracies += u64::from(player.inaccuracies);
        self.mistakes += u64::from(player.mistakes);
        self.blunders += u64::from(player.blunders);
        self.points += points.unwrap_or(0.0);
        self.ended += u64::from(points.is_some());
        self.accuracy.add(player.accuracy, 1.0);
        self.average_loss
            .add(player.average_loss, player.moves.into());
    }

    /// Points in percent; of an opening, White's.
    pub(crate) fn score(&self) -> Option<f64> {
        (self.ended > 0).then(|| 100.0 * self.points / self.ended as f64)
    }

    /// The mean accuracy of a game.
    pub(crate) fn accuracy(&self) -> Option<f64> {
        self.accuracy.value()
    }

    /// The mean loss of a move in centipawns.
    pub(crate) fn average_loss(&self) -> Option<f64> {
        self.average_loss.value()
    }
}

impl Sums {
    /// Adds a game.
    pub(crate) fn add(&mut self, review: &Review) {
        let points = match review.result.as_str() {
            "1-0" => Some(1.0),
            "0-1" => Some(0.0),
            "1/2-1/2" => Some(0.5),
            _ => None,
        };
        let sides = [
            (&review.white, points),
            (&review.black, points.map(|points| 1.0 - points)),
        ];
        for (player, points) in sides {
            let total = self.players.entry(player.name.clone()).or_default();
            total.games += 1;
            total.add(player, points);
        }
        if let Some(opening) = &review.opening {
            let total = self.openings.entry(opening.family).or_default();
            total.games += 1;
            total.add(&review.white, points);
            total.add(&review.black, None);
        }
    }

    /// The players, those with most games first.
    pub(crate) fn players(&self) -> impl Iterator<Item = (&str, &Total)> {
        by_games(
            self.players
                .iter()
                .map(|(name, total)| (name.as_str(), total)),
        )
    }

    /// The openings, the most frequent first.
    pub(crate) fn openings(&self) -> impl Iterator<Item = (&str, &Total)> {
        by_games(self.openings.iter().map(|(name, total)| (*name, total)))
    }
}

fn by_games<'a>(
    totals: impl Iterator<Item = (&'a str, &'a Total)>,
) -> impl Iterator<Item = (&'a str, &'a Total)> {
    let mut totals: Vec<_> = totals.collect();
    totals.sort_by_key(|(_, total)| std::cmp::Reverse(total.games));
    totals.into_iter()
}
