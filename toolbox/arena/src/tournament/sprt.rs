//! The sequential probability ratio test.
//!
//! The log-likelihood ratio is the generalised one of a multinomial distribution: of all
//! distributions with the score that a hypothesis states, the likeliest is taken (M. Van den
//! Bergh, "Comments on normalized Elo" and "A practical introduction to the GSPRT").

use super::stats::{GAME_SCORES, NORMALISED, PAIR_SCORES, Tally, expected_score};
use serde::Serialize;
use std::str::FromStr;

/// The unit of the bounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum EloModel {
    /// Normalised Elo: the difference in units of the results' spread.
    #[default]
    Normalized,
    /// Elo as rating lists have it.
    Logistic,
    /// `BayesElo`, which models draws. It uses single games, not pairs.
    Bayesian,
}

impl FromStr for EloModel {
    type Err = String;

    fn from_str(text: &str) -> Result<EloModel, String> {
        match text {
            "normalized" | "normalised" => Ok(EloModel::Normalized),
            "logistic" => Ok(EloModel::Logistic),
            "bayesian" => Ok(EloModel::Bayesian),
            _ => Err(format!(
                "normalized, logistic or bayesian expected, not {text:?}"
            )),
        }
    }
}

/// A test whether the difference is rather `elo1` than `elo0`.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Sprt {
    /// The difference under the hypothesis H0.
    pub elo0: f64,
    /// The difference under the hypothesis H1.
    pub elo1: f64,
    /// The probability of accepting H1 although H0 is true (type I error).
    pub alpha: f64,
    /// The probability of accepting H0 although H1 is true (type II error).
    pub beta: f64,
    /// The unit of the differences.
    pub model: EloModel,
}

/// The hypothesis that a test has accepted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum Verdict {
    /// The difference is rather `elo0`.
    H0,
    /// The difference is rather `elo1`.
    H1,
}

impl FromStr for Sprt {
    type Err = String;

    /// Reads `ELO0,ELO1`, then `alpha=0.05`, `beta=0.05` or `model=logistic` if need be.
    fn from_str(text: &str) -> Result<Sprt, String> {
        let mut words = text.split(',').map(str::trim);
        let number = |word: &str| word.parse().ok().filter(|number: &f64| number.is_finite());
        let mut bound = || {
            let bound = words.next().and_then(number);
            bound.ok_or_else(|| format!("ELO0,ELO1 expected, such as 0,5, not {text:?}"))
        };
        let mut sprt = Sprt {
            elo0: bound()?,
            elo1: bound()?,
            alpha: 0.05,
            beta: 0.05,
            model: EloModel::default(),
        };
        for word in words {
            let share = |value| number(value).ok_or_else(|| format!("no number in {word:?}"));
            match word.split_once('=') {
                Some(("alpha", value)) => sprt.alpha = share(value)?,
                Some(("beta", value)) => sprt.beta = share(value)?,
                Some(("model", value)) => sprt.model = value.parse()?,
                _ => return Err(format!("alpha=, beta= or model= expected, not {word:?}")),
            }
        }
        let is_share = |share: f64| share > 0.0 && share < 1.0;
        if sprt.elo0 >= sprt.elo1 {
            Err("the first SPRT bound must be below the second".to_owned())
        } else if !is_share(sprt.alpha) || !is_share(sprt.beta) || sprt.alpha + sprt.beta >= 1.0 {
            Err("alpha and beta must be above 0, and their sum below 1".to_owned())
        } else {
            Ok(sprt)
        }
    }
}

impl Sprt {
    /// The log-likelihood ratios at which the test ends with H0 and H1.
    pub fn bounds(&self) -> (f64, f64) {
        let lower = (self.beta / (1.0 - self.alpha)).ln();
        let upper = ((1.0 - self.beta) / self.alpha).ln();
        (lower, upper)
    }

    /// The log-likelihood ratio of the results: of pairs where there are any, else of games.
    pub fn llr(&self, tally: &Tally) -> f64 {
        if tally.games() == 0 {
            return 0.0;
        }
        let games = [tally.losses, tally.draws, tally.wins];
        let llr = match self.model {
            EloModel::Bayesian if tally.wins == 0 || tally.losses == 0 => 0.0,
            EloModel::Bayesian => {
                let [l, _, w] = shares(&games).1;
                let draw_elo = 200.0 * ((1.0 - l) / l * (1.0 - w) / w).log10();
                let score = |elo: f64| {
                    let win = expected_score(elo - draw_elo);
                    let loss = expected_score(-elo - draw_elo);
                    win + 0.5 * (1.0 - win - loss)
                };
                of_mean(&GAME_SCORES, &games, score(self.elo0), score(self.elo1))
            }
            EloModel::Logistic => {
                let (low, high) = (expected_score(self.elo0), expected_score(self.elo1));
                if tally.is_paired() {
                    of_mean(&PAIR_SCORES, &tally.pairs, low, high)
                } else {
                    of_mean(&GAME_SCORES, &games, low, high)
                }
            }
            EloModel::Normalized => {
                let (low, high) = (self.elo0 / NORMALISED, self.elo1 / NORMALISED);
                if tally.is_paired() {
                    // The spread of a pair's score is smaller than that of a game's.
                    let root = std::f64::consts::SQRT_2;
                    of_t_value(&PAIR_SCORES, &tally.pairs, root * low, root * high)
                } else {
                    of_t_value(&GAME_SCORES, &games, low, high)
                }
            }
        };
        // No distribution has bounds that are too far apart: then the results tell nothing.
        if llr.is_nan() { 0.0 } else { llr }
    }

    /// The accepted hypothesis; `None` while the test continues.
    pub fn verdict(&self, tally: &Tally) -> Option<Verdict> {
        let (lower, upper) = self.bounds();
        let llr = self.llr(tally);
        if llr >= upper {
            Some(Verdict::H1)
        } else if llr <= lower {
            Some(Verdict::H0)
        } else {
            None
        }
    }
}

/// The number of results, and the share of each. What has not been seen yet counts a little, so
/// that it has a likelihood.
fn shares<const N: usize>(counts: &[u64; N]) -> (f64, [f64; N]) {
    let counts = counts.map(|count| if count == 0 { 1e-3 } else { count as f64 });
    let total = counts.iter().sum();
    (total, counts.map(|count| count / total))
}

/// The ratio between two expectations of the score.
fn of_mean<const N: usize>(scores: &[f64; N], counts: &[u64; N], s0: f64, s1: f64) -> f64 {
    let (total, seen) = shares(counts);
    let likeliest = |s: f64| {
        let deviations = scores.map(|score| score - s);
        tilt(&seen, &deviations)
    };
    total * log_ratio(&seen, &likeliest(s0), &likeliest(s1))
}

/// The ratio between two values of `(mean - 1/2) / sigma`.
fn of_t_value<const N: usize>(scores: &[f64; N], counts: &[u64; N], t0: f64, t1: f64) -> f64 {
    /// Rounds of the iteration, and the change at which it ends sooner.
    const ROUNDS: usize = 10;
    const CLOSE: f64 = 1e-4;
    let (total, seen) = shares(counts);
    let likeliest = |t: f64| {
        let mut p = [1.0 / N as f64; N];
        for _ in 0..ROUNDS {
            let mean: f64 = scores.iter().zip(&p).map(|(x, p)| x * p).sum();
            let square = |(x, p): (&f64, &f64)| p * (x - mean) * (x - mean);
            let sigma = scores.iter().zip(&p).map(square).sum::<f64>().sqrt();
            // The condition, made linear around the present distribution.
            let deviations = scores.map(|x| {
                let z = (x - mean) / sigma;
                x - 0.5 - 0.5 * t * sigma * (1.0 + z * z)
            });
            let next = tilt(&seen, &deviations);
            let change = p.iter().zip(&next).map(|(a, b)| (a - b).abs());
            let is_close = change.fold(0.0, f64::max) < CLOSE;
            p = next;
            if is_close {
                break;
            }
        }
        p
    };
    total * log_ratio(&seen, &likeliest(t0), &likeliest(t1))
}

/// The likeliest distribution in which the deviations have expectation zero: each share divided
/// by `1 + theta * deviation` for the one theta that makes it so.
fn tilt<const N: usize>(seen: &[f64; N], deviations: &[f64; N]) -> [f64; N] {
    let least = deviations.iter().copied().fold(f64::INFINITY, f64::min);
    let most = deviations.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    // The expectation falls with theta, from infinity to minus infinity between these.
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    for _ in 0..200 {
        let theta = f64::midpoint(low, high);
        let term = |(p, d): (&f64, &f64)| p * d / (1.0 + theta * d);
        if seen.iter().zip(deviations).map(term).sum::<f64>() > 0.0 {
            low = theta;
        } else {
            high = theta;
        }
    }
    let theta = f64::midpoint(low, high);
    let mut tilted = *seen;
    for (p, d) in tilted.iter_mut().zip(deviations) {
        *p /= 1.0 + theta * d;
    }
    tilted
}

fn log_ratio<const N: usize>(seen: &[f64; N], p0: &[f64; N], p1: &[f64; N]) -> f64 {
    let logs = p1.iter().zip(p0).map(|(p1, p0)| (p1 / p0).ln());
    logs.zip(seen).map(|(log, share)| log * share).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_and_reading() {
        let sprt: Sprt = "0,5".parse().unwrap();
        let (lower, upper) = sprt.bounds();
        assert_eq!(format!("{lower:.2} {upper:.2}"), "-2.94 2.94");
        let sprt: Sprt = "-5, 0,alpha=0.1,beta=0.2,model=logistic".parse().unwrap();
        assert_eq!((sprt.alpha, sprt.model), (0.1, EloModel::Logistic));
        for wrong in [
            "",
            "0",
            "5,0",
            "0,5,alpha=0",
            "0,5,alpha=0.6,beta=0.5",
            "0,x",
            "0,5,x=1",
        ] {
            assert!(wrong.parse::<Sprt>().is_err(), "{wrong}");
        }
        let error = "0,5,alpha=x".parse::<Sprt>().unwrap_err();
        assert_eq!(error, "no number in \"alpha=x\"");
        assert!(sprt.llr(&Tally::default()).abs() < 1e-9);
    }

    #[test]
    fn what_has_not_been_seen_has_a_likelihood() {
        let sprt: Sprt = "0,5".parse().unwrap();
        let mut tally = Tally::default();
        for _ in 0..5000 {
            tally.add_game(2);
            tally.add_game(2);
            tally.add_pair(2, 2);
            assert!(sprt.llr(&tally).is_finite());
        }
        assert_eq!(sprt.verdict(&tally), Some(Verdict::H1));
        let far: Sprt = "0,400".parse().unwrap();
        assert!(far.llr(&tally).is_finite());
    }

    /// Facts computed with fastchess 1.8.
    struct Fact {
        /// Lost twice, lost and drawn, won and lost, drawn twice, won and drawn, won twice.
        pairs: [u64; 6],
        bounds: [f64; 2],
        /// Of pairs normalised and logistic, of games normalised, logistic and Bayesian.
        llr: [f64; 5],
        /// Elo and normalised Elo with their errors, and the likelihood of superiority.
        of_pairs: [f64; 5],
        of_games: [f64; 5],
    }

    #[test]
    fn all_figures_agree_with_fastchess() {
        for fact in FACTS {
            let [ll, ld, wl, dd, wd, ww] = fact.pairs;
            let paired = Tally {
                wins: 2 * ww + wd + wl,
                draws: ld + 2 * dd + wd,
                losses: 2 * ll + ld + wl,
                pairs: [ll, ld, wl + dd, wd, ww],
                won_and_lost: wl,
            };
            let single = Tally {
                pairs: [0; 5],
                won_and_lost: 0,
                ..paired
            };
            let cases = [
                (paired, EloModel::Normalized),
                (paired, EloModel::Logistic),
                (single, EloModel::Normalized),
                (single, EloModel::Logistic),
                (single, EloModel::Bayesian),
            ];
            for ((tally, model), expected) in cases.into_iter().zip(fact.llr) {
                let sprt = Sprt {
                    elo0: fact.bounds[0],
                    elo1: fact.bounds[1],
                    alpha: 0.05,
                    beta: 0.05,
                    model,
                };
                let llr = sprt.llr(&tally);
                assert!(
                    (llr - expected).abs() < 0.005,
                    "{tally:?} {model:?}: {llr}, {expected}"
                );
            }
            for (tally, expected) in [(paired, fact.of_pairs), (single, fact.of_games)] {
                let found = tally.estimate().unwrap();
                let los = 100.0 * found.los.unwrap();
                let found = [
                    found.elo,
                    found.elo_error.unwrap(),
                    found.nelo,
                    found.nelo_error,
                    los,
                ];
                for (found, expected) in found.into_iter().zip(expected) {
                    assert!(
                        (found - expected).abs() < 0.006,
                        "{tally:?}: {found}, {expected}"
                    );
                }
            }
        }
    }

    const FACTS: &[Fact] = &[
        Fact {
            pairs: [0, 4, 1, 2, 1, 1],
            bounds: [-1.5, 1.5],
            llr: [-0.0117, -0.0159, -0.0122, -0.0173, -0.0129],
            of_pairs: [-19.32, 117.46, -27.47, 160.50, 36.87],
            of_games: [-19.32, 117.86, -27.38, 160.50, 36.91],
        },
        Fact {
            pairs: [0, 0, 0, 4, 5, 1],
            bounds: [-1.5, 3.5],
            llr: [0.1196, 0.1435, 0.1696, 0.2869, 0.0000],
            of_pairs: [126.97, 80.50, 268.57, 152.27, 99.97],
            of_games: [126.97, 85.04, 254.95, 152.27, 99.95],
        },
        Fact {
            pairs: [28, 48, 43, 7, 10, 39],
            bounds: [-0.5, 2.5],
            llr: [-0.1507, -0.1550, -0.1637, -0.1849, -0.1766],
            of_pairs: [-15.89, 35.24, -16.49, 36.40, 18.72],
            of_games: [-15.89, 32.56, -17.84, 36.40, 16.83],
        },
        Fact {
            pairs: [11, 60, 76, 63, 5, 17],
            bounds: [0.5, 5.5],
            llr: [-0.9894, -1.5055, -0.8642, -1.1486, -0.9361],
            of_pairs: [-32.29, 19.27, -53.35, 31.61, 0.05],
            of_games: [-32.29, 24.32, -42.29, 31.61, 0.44],
        },
        Fact {
            pairs: [0, 67, 0, 65, 32, 33],
            bounds: [-1.5, 3.5],
            llr: [0.5972, 0.8105, 0.6731, 1.0270, 0.6821],
            of_pairs: [27.39, 26.20, 36.08, 34.31, 98.04],
            of_games: [27.39, 22.20, 42.56, 34.31, 99.25],
        },
        Fact {
            pairs: [653, 2548, 3571, 961, 4531, 2556],
            bounds: [-0.5, 4.5],
            llr: [99.4767, 121.3378, 97.3950, 116.1968, 104.8284],
            of_pairs: [68.74, 3.17, 87.93, 3.96, 100.00],
            of_games: [68.74, 3.34, 83.64, 3.96, 100.00],
        },
        Fact {
            pairs: [2211, 3969, 3779, 5147, 3316, 2420],
            bounds: [0.5, 3.5],
            llr: [-4.6504, -6.6133, -4.7402, -7.0911, -5.3061],
            of_pairs: [-1.96, 2.62, -2.49, 3.34, 7.18],
            of_games: [-1.96, 2.54, -2.58, 3.34, 6.51],
        },
        Fact {
            pairs: [1821, 2177, 3343, 527, 690, 868],
            bounds: [-0.5, 2.5],
            llr: [-34.1748, -39.3318, -33.3874, -37.5763, -35.8088],
            of_pairs: [-63.22, 4.16, -77.10, 4.96, 0.00],
            of_games: [-63.22, 4.47, -71.75, 4.96, 0.00],
        },
        Fact {
            pairs: [2212, 3188, 4661, 3916, 5999, 1700],
            bounds: [0.5, 3.5],
            llr: [18.0522, 22.8321, 17.6442, 21.8603, 18.9413],
            of_pairs: [14.33, 2.47, 18.98, 3.27, 100.00],
            of_games: [14.33, 2.55, 18.40, 3.27, 100.00],
        },
    ];
}
