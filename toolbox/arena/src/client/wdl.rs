//! Expected wins, draws and losses in a thousand games, by a score.

use super::score::{PovScore, Score};
use engine_core::Color;
use std::ops::Neg;
use std::str::FromStr;

/// Wins, draws and losses for one side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Wdl {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
}

impl Wdl {
    /// All games; a thousand where a model made it.
    pub fn total(self) -> u32 {
        self.wins
            .saturating_add(self.draws)
            .saturating_add(self.losses)
    }

    /// The share of the points, 0 to 1; a half where there are no games.
    pub fn expectation(self) -> f64 {
        let [wins, draws, losses] = [self.wins, self.draws, self.losses].map(f64::from);
        let total = wins + draws + losses;
        if total > 0.0 {
            (wins + 0.5 * draws) / total
        } else {
            0.5
        }
    }
}

impl Neg for Wdl {
    type Output = Wdl;

    fn neg(self) -> Wdl {
        Wdl {
            wins: self.losses,
            draws: self.draws,
            losses: self.wins,
        }
    }
}

/// Wins, draws and losses, and whose they are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PovWdl {
    /// For the side.
    pub relative: Wdl,
    /// The side.
    pub turn: Color,
}

impl PovWdl {
    /// For this side.
    pub fn pov(self, color: Color) -> Wdl {
        if self.turn == color {
            self.relative
        } else {
            -self.relative
        }
    }
}

impl Score {
    /// The expected results of a score at this ply of the game.
    pub fn wdl(self, model: WdlModel, ply: u32) -> Wdl {
        let (wins, losses) = match (model.curve(), self) {
            (Some(curve), Score::Cp(cp)) => {
                let cp = f64::from(cp);
                (curve.wins(cp, ply), curve.wins(-cp, ply))
            }
            (None, Score::Cp(cp)) => lichess(cp.clamp(-1000, 1000)),
            // As lichess has it, a mate is worth some pawns more the nearer it is.
            (None, Score::Mate(moves)) => {
                let cp = (21 - moves.saturating_abs().min(10)) * 100;
                lichess(if moves > 0 { cp } else { -cp })
            }
            (Some(_), Score::Mate(moves)) if moves <= 0 => (0, 1000),
            (_, Score::Mate(_) | Score::MateGiven) => (1000, 0),
        };
        Wdl {
            wins,
            draws: 1000_u32.saturating_sub(wins + losses),
            losses,
        }
    }
}

impl PovScore {
    /// The expected results; see [`Score::wdl`].
    pub fn wdl(self, model: WdlModel, ply: u32) -> PovWdl {
        PovWdl {
            relative: self.relative.wdl(model, ply),
            turn: self.turn,
        }
    }
}

/// The model that converts scores to expected results.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum WdlModel {
    /// Stockfish 12.
    Stockfish12,
    /// Stockfish 14.
    Stockfish14,
    /// Stockfish 15.
    Stockfish15,
    /// Stockfish 15.1.
    Stockfish15_1,
    /// Stockfish 16.
    Stockfish16,
    /// Stockfish 16.1.
    #[default]
    Stockfish16_1,
    /// Lichess, which has no draws and ignores the ply.
    Lichess,
}

impl FromStr for WdlModel {
    type Err = String;

    /// Reads `sf12` to `sf16.1`, `sf` (the latest) and `lichess`.
    fn from_str(text: &str) -> Result<WdlModel, String> {
        match text.to_ascii_lowercase().as_str() {
            "sf12" => Ok(WdlModel::Stockfish12),
            "sf14" => Ok(WdlModel::Stockfish14),
            "sf15" => Ok(WdlModel::Stockfish15),
            "sf15.1" => Ok(WdlModel::Stockfish15_1),
            "sf16" => Ok(WdlModel::Stockfish16),
            "sf16.1" | "sf" => Ok(WdlModel::Stockfish16_1),
            "lichess" => Ok(WdlModel::Lichess),
            _ => Err(format!(
                "sf12, sf14, sf15, sf15.1, sf16, sf16.1 or lichess expected, not {text:?}"
            )),
        }
    }
}

/// Stockfish's model: wins follow a logistic curve whose middle `a` and width `b`, in internal
/// units, are cubic polynomials of the game's progress (`src/uci.cpp` of each release).
struct Curve {
    a: [f64; 4],
    b: [f64; 4],
    /// Internal units in a pawn.
    pawn: f64,
    /// Scores count up to here, in internal units.
    limit: f64,
    progress: GameProgress,
}

/// What the progress of a game is counted in.
#[derive(Clone, Copy)]
enum GameProgress {
    Plies,
    Moves,
}

const STOCKFISH_12: Curve = Curve {
    a: [-8.24404295, 64.23892342, -95.73056462, 153.86478679],
    b: [-3.37154371, 28.44489198, -56.67657741, 72.05858751],
    pawn: 100.0,
    limit: 1000.0,
    progress: GameProgress::Plies,
};
const STOCKFISH_14: Curve = Curve {
    a: [-3.68389304, 30.07065921, -60.52878723, 149.53378557],
    b: [-2.01818570, 15.85685038, -29.83452023, 47.59078827],
    pawn: 100.0,
    limit: 2000.0,
    progress: GameProgress::Plies,
};
const STOCKFISH_15: Curve = Curve {
    a: [-0.117202460, 0.594729104, 11.2065546, 122.606222],
    b: [-1.79066759, 11.30759193, -17.43677612, 36.47147479],
    pawn: 100.0,
    limit: 2000.0,
    progress: GameProgress::Plies,
};
const STOCKFISH_15_1: Curve = Curve {
    a: [-0.58270499, 2.68512549, 15.24638015, 344.49745382],
    b: [-2.65734562, 15.96509799, -20.69040836, 73.61029937],
    pawn: 361.0,
    limit: 4000.0,
    progress: GameProgress::Plies,
};
const STOCKFISH_16: Curve = Curve {
    a: [0.38036525, -2.82015070, 23.17882135, 307.36768407],
    b: [-2.29434733, 13.27689788, -14.26828904, 63.45318330],
    pawn: 328.0,
    limit: 4000.0,
    progress: GameProgress::Plies,
};
const STOCKFISH_16_1: Curve = Curve {
    a: [-1.06249702, 7.42016937, 0.89425629, 348.60356174],
    b: [-5.33122190, 39.57831533, -90.84473771, 123.40620748],
    pawn: 356.0,
    limit: 4000.0,
    progress: GameProgress::Moves,
};

impl Curve {
    /// Wins in a thousand games.
    fn wins(&self, cp: f64, ply: u32) -> u32 {
        let ply = f64::from(ply);
        let m = match self.progress {
            GameProgress::Plies => ply.min(240.0) / 64.0,
            GameProgress::Moves => (ply / 2.0 + 1.0).clamp(8.0, 120.0) / 32.0,
        };
        let polynomial = |[p, q, r, s]: [f64; 4]| ((p * m + q) * m + r) * m + s;
        let x = (cp * self.pawn / 100.0).clamp(-self.limit, self.limit);
        let exponent = (polynomial(self.a) - x) / polynomial(self.b);
        (0.5 + 1000.0 / (1.0 + exponent.exp())) as u32
    }
}

impl WdlModel {
    fn curve(self) -> Option<&'static Curve> {
        match self {
            WdlModel::Stockfish12 => Some(&STOCKFISH_12),
            WdlModel::Stockfish14 => Some(&STOCKFISH_14),
            WdlModel::Stockfish15 => Some(&STOCKFISH_15),
            WdlModel::Stockfish15_1 => Some(&STOCKFISH_15_1),
            WdlModel::Stockfish16 => Some(&STOCKFISH_16),
            WdlModel::Stockfish16_1 => Some(&STOCKFISH_16_1),
            WdlModel::Lichess => None,
        }
    }
}

/// The win rate of lichess.org (scalachess, `WinPercent`).
fn lichess(cp: i32) -> (u32, u32) {
    let wins = |cp: i32| (1000.0 / (1.0 + (-0.00368208 * f64::from(cp)).exp())).round_ties_even();
    // The better side's chance is the one that is rounded.
    let better = wins(cp.abs()) as u32;
    if cp >= 0 {
        (better, 1000 - better)
    } else {
        (1000 - better, better)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Facts computed with python-chess 1.11.
    #[test]
    fn models_agree_with_python_chess() {
        for &(model, cp, ply, [wins, draws, losses]) in FACTS {
            let wdl = Score::Cp(cp).wdl(model.parse().unwrap(), ply);
            assert_eq!(
                (wdl.wins, wdl.draws, wdl.losses),
                (wins, draws, losses),
                "{model} {cp} {ply}"
            );
        }
        assert!("sf17".parse::<WdlModel>().is_err());
    }

    #[test]
    fn expectations_are_shares() {
        let wdl = |wins, draws, losses| {
            Wdl {
                wins,
                draws,
                losses,
            }
            .expectation()
        };
        let most = u32::MAX;
        let is = |share: f64, wanted: f64| assert!((share - wanted).abs() < 1e-9, "{share}");
        is(wdl(most, most, most), 0.5);
        is(wdl(0, 0, 0), 0.5);
        is(wdl(most, 0, 0), 1.0);
        is(wdl(0, 0, most), 0.0);
    }

    #[test]
    fn mates() {
        let wins = |score: Score, model| score.wdl(model, 30).wins;
        assert_eq!(wins(Score::Mate(3), WdlModel::default()), 1000);
        assert_eq!(wins(Score::Mate(0), WdlModel::default()), 0);
        assert_eq!(wins(Score::MateGiven, WdlModel::Lichess), 1000);
        let mated = Score::Mate(-3).wdl(WdlModel::Lichess, 30);
        let mating = Score::Mate(3).wdl(WdlModel::Lichess, 30);
        assert_eq!(mated, -mating);
        assert!(mating.expectation() > 0.99);
    }

    const FACTS: &[(&str, i32, u32, [u32; 3])] = &[
        ("sf12", 0, 30, [85, 830, 85]),
        ("sf12", 100, 30, [393, 594, 13]),
        ("sf12", -100, 30, [13, 594, 393]),
        ("sf12", 37, 0, [165, 769, 66]),
        ("sf12", 250, 120, [916, 84, 0]),
        ("sf12", -1500, 60, [0, 0, 1000]),
        ("sf12", 9999, 300, [1000, 0, 0]),
        ("sf14", 0, 30, [31, 938, 31]),
        ("sf14", 100, 30, [322, 676, 2]),
        ("sf14", -100, 30, [2, 676, 322]),
        ("sf14", 37, 0, [86, 895, 19]),
        ("sf14", 250, 120, [980, 20, 0]),
        ("sf14", -1500, 60, [0, 0, 1000]),
        ("sf14", 9999, 300, [1000, 0, 0]),
        ("sf15", 0, 30, [15, 970, 15]),
        ("sf15", 100, 30, [286, 713, 1]),
        ("sf15", -100, 30, [1, 713, 286]),
        ("sf15", 37, 0, [87, 901, 12]),
        ("sf15", 250, 120, [965, 35, 0]),
        ("sf15", -1500, 60, [0, 0, 1000]),
        ("sf15", 9999, 300, [1000, 0, 0]),
        ("sf15.1", 0, 30, [5, 990, 5]),
        ("sf15.1", 100, 30, [533, 467, 0]),
        ("sf15.1", -100, 30, [0, 467, 533]),
        ("sf15.1", 37, 0, [54, 944, 2]),
        ("sf15.1", 250, 120, [999, 1, 0]),
        ("sf15.1", -1500, 60, [0, 0, 1000]),
        ("sf15.1", 9999, 300, [1000, 0, 0]),
        ("sf16", 0, 30, [5, 990, 5]),
        ("sf16", 100, 30, [543, 457, 0]),
        ("sf16", -100, 30, [0, 457, 543]),
        ("sf16", 37, 0, [51, 948, 1]),
        ("sf16", 250, 120, [999, 1, 0]),
        ("sf16", -1500, 60, [0, 0, 1000]),
        ("sf16", 9999, 300, [1000, 0, 0]),
        ("sf16.1", 0, 30, [18, 964, 18]),
        ("sf16.1", 100, 30, [515, 485, 0]),
        ("sf16.1", -100, 30, [0, 485, 515]),
        ("sf16.1", 37, 0, [108, 883, 9]),
        ("sf16.1", 250, 120, [1000, 0, 0]),
        ("sf16.1", -1500, 60, [0, 0, 1000]),
        ("sf16.1", 9999, 300, [1000, 0, 0]),
        ("lichess", 0, 30, [500, 0, 500]),
        ("lichess", 100, 30, [591, 0, 409]),
        ("lichess", -100, 30, [409, 0, 591]),
        ("lichess", 37, 0, [534, 0, 466]),
        ("lichess", 250, 120, [715, 0, 285]),
        ("lichess", -1500, 60, [25, 0, 975]),
        ("lichess", 9999, 300, [975, 0, 25]),
    ];
}
