//! Tallies of results, and the difference in strength estimated from them.
//!
//! The formulas are those of Fishtest (M. Van den Bergh, "Normalized Elo", and the statistics of
//! pairs of games): a pair of games from one opening with colours reversed is one observation,
//! as its two results depend on each other.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::iter::Sum;

/// Results of the first of two engines.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Pairs by their points: 0, 0.5, 1, 1.5 and 2.
    pub pairs: [u64; 5],
    /// Of the pairs with one point, those of a win and a loss.
    pub won_and_lost: u64,
}

impl Tally {
    /// Adds a game by its half points: 0, 1 or 2.
    pub fn add_game(&mut self, half_points: u8) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    /// Adds a pair of games by the half points of both; the games themselves are added apart.
    pub fn add_pair(&mut self, first: u8, second: u8) {
        if let Some(count) = self.pairs.get_mut(usize::from(first + second)) {
            *count += 1;
        }
        if first.abs_diff(second) == 2 {
            self.won_and_lost += 1;
        }
    }

    /// The tally from the other engine's point of view.
    #[must_use]
    pub fn mirrored(&self) -> Tally {
        let mut pairs = self.pairs;
        pairs.reverse();
        Tally {
            wins: self.losses,
            losses: self.wins,
            pairs,
            ..*self
        }
    }

    /// All games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// All pairs.
    pub fn pair_count(&self) -> u64 {
        self.pairs.iter().sum()
    }

    /// Points of the first engine.
    pub fn points(&self) -> f64 {
        self.wins as f64 + 0.5 * self.draws as f64
    }

    /// The difference in strength; `None` without results. Every game counts for the score; its
    /// error is estimated from pairs where there are any, else from single games.
    pub fn estimate(&self) -> Option<Estimate> {
        if self.games() == 0 {
            return None;
        }
        let score = self.points() / self.games() as f64;
        Some(if self.is_paired() {
            Estimate::new(score, &PAIR_SCORES, &self.pairs, 2.0)
        } else {
            let counts = [self.losses, self.draws, self.wins];
            Estimate::new(score, &GAME_SCORES, &counts, 1.0)
        })
    }

    /// Whether games belong to pairs.
    pub fn is_paired(&self) -> bool {
        self.pair_count() > 0
    }
}

/// The share of the points of each kind of game and of pair.
pub(super) const GAME_SCORES: [f64; 3] = [0.0, 0.5, 1.0];
pub(super) const PAIR_SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Elo of one unit of `(score - 1/2) / sigma`.
pub(super) const NORMALISED: f64 = 800.0 / std::f64::consts::LN_10;

/// 95 % of a normal distribution lie within this many standard deviations.
const TWO_SIDED_95: f64 = 1.959_963_984_540_054;

/// A difference in strength with the half width of its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Estimate {
    /// The share of the points, 0 to 1.
    pub score: f64,
    /// Half of its interval; unknown while all results are alike.
    pub score_error: Option<f64>,
    /// Elo; infinite if one side has all points.
    pub elo: f64,
    /// Half of the interval; unknown while all results are alike, or if the interval of the score
    /// reaches none or all of the points.
    pub elo_error: Option<f64>,
    /// Normalised Elo, in units of the standard deviation of the results.
    pub nelo: f64,
    /// Half of its interval.
    pub nelo_error: f64,
    /// The likelihood that the first engine is the stronger one; unknown while all results are alike.
    pub los: Option<f64>,
}

impl Estimate {
    fn new(score: f64, scores: &[f64], counts: &[u64], games: f64) -> Estimate {
        let total = counts.iter().sum::<u64>() as f64;
        let mean_of = |f: &dyn Fn(f64) -> f64| {
            let parts = scores.iter().zip(counts).map(|(&x, &n)| f(x) * n as f64);
            parts.sum::<f64>() / total
        };
        let mean = mean_of(&|x| x);
        let variance = mean_of(&|x| (x - mean) * (x - mean));
        let error = (variance / total).sqrt();
        let (low, high) = (score - TWO_SIDED_95 * error, score + TWO_SIDED_95 * error);
        let nelo = |score: f64| (score - 0.5) / (games * variance).sqrt() * NORMALISED;
        let elo_error = (elo(high) - elo(low)) / 2.0;
        Estimate {
            score,
            score_error: Some(TWO_SIDED_95 * error).filter(|_| variance > 0.0),
            elo: elo(score),
            elo_error: Some(elo_error).filter(|error| error.is_finite() && variance > 0.0),
            nelo: nelo(score),
            nelo_error: (nelo(high) - nelo(low)) / 2.0,
            los: (variance > 0.0).then(|| normal((score - 0.5) / error)),
        }
    }
}

/// In short, as `Elo +12.3 +- 4.5`; without the error if it is unknown.
impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Estimate { elo, .. } = self;
        match self.elo_error {
            Some(error) => write!(f, "Elo {elo:+.1} +- {error:.1}"),
            None if elo.is_finite() => write!(f, "Elo {elo:+.1}"),
            None => write!(f, "Elo {elo:+}"),
        }
    }
}

/// All games of an engine, against all opponents.
impl Sum for Tally {
    fn sum<I: Iterator<Item = Tally>>(tallies: I) -> Tally {
        tallies.fold(Tally::default(), |mut sum, tally| {
            sum.wins += tally.wins;
            sum.draws += tally.draws;
            sum.losses += tally.losses;
            for (sum, count) in sum.pairs.iter_mut().zip(tally.pairs) {
                *sum += count;
            }
            sum.won_and_lost += tally.won_and_lost;
            sum
        })
    }
}

/// The difference in rating that explains a share of the points.
fn elo(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        400.0 * (score / (1.0 - score)).log10()
    }
}

/// The share of the points that a difference in rating explains.
pub(super) fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// The cumulative normal distribution, to 1e-7 (Abramowitz and Stegun, 26.2.17).
fn normal(x: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.231_641_9 * x.abs());
    let series = [
        1.330_274_429,
        -1.821_255_978,
        1.781_477_937,
        -0.356_563_782,
        0.319_381_530,
    ];
    let sum = series.iter().fold(0.0, |sum, c| (sum + c) * t);
    let tail = sum * (-x * x / 2.0).exp() / std::f64::consts::TAU.sqrt();
    if x >= 0.0 { 1.0 - tail } else { tail }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_counts_and_equal_results_have_no_error() {
        let mut tally = Tally::default();
        for half_points in [2, 1] {
            tally.add_game(half_points);
        }
        tally.add_pair(2, 1);
        tally.add_game(0);
        let estimate = tally.estimate().unwrap();
        assert!((estimate.score - 0.5).abs() < 1e-9);
        assert_eq!((estimate.elo_error, estimate.los), (None, None));
        assert_eq!(estimate.to_string(), "Elo +0.0");
        assert!((tally.mirrored().estimate().unwrap().score - 0.5).abs() < 1e-9);
        let sum: Tally = [tally, tally.mirrored()].into_iter().sum();
        assert_eq!((sum.wins, sum.losses, sum.pairs), (2, 2, [0, 1, 0, 1, 0]));
        assert!(sum.estimate().unwrap().elo_error.is_some());
        assert!((sum.estimate().unwrap().los.unwrap() - 0.5).abs() < 1e-7);
        assert_eq!(Tally::default().estimate(), None);
    }
}
