//! How well a side has played, by the formulas of lichess: <https://lichess.org/page/accuracy>, and
//! `AccuracyPercent` and `WinPercent` in its source.

use arena::expectation::chances;
use engine_core::Color;
use pgn::Eval;

/// Centipawns beyond which nothing changes, and what a mate counts as.
const CEILING: i64 = 1000;

/// The evaluation that lichess gives the start position, if the game has none.
pub(crate) const START: Eval = Eval::Cp(15);

/// White's evaluation in centipawns, mates and all beyond ten pawns as ten pawns.
pub(crate) fn centipawns(eval: Eval) -> i64 {
    match eval {
        Eval::Cp(cp) => cp.clamp(-CEILING, CEILING),
        Eval::Mate(moves) => CEILING * moves.signum(),
    }
}

/// Moves until `color` mates, if that is what White's evaluation says.
pub(crate) fn mate_by(color: Color, eval: Eval) -> Option<i64> {
    match eval {
        Eval::Mate(moves) if (moves > 0) == color.is_white() => Some(moves.abs()),
        _ => None,
    }
}

/// White's expected points in percent.
pub(crate) fn win_percent(eval: Eval) -> f64 {
    50.0 + 50.0 * chances(Eval::Cp(centipawns(eval)))
}

/// A side's expected points in percent.
pub(crate) fn win_percent_of(color: Color, eval: Eval) -> f64 {
    match color {
        Color::White => win_percent(eval),
        Color::Black => 100.0 - win_percent(eval),
    }
}

/// How good a move was, from 0 to 100, by the mover's expected points before and after it.
pub(crate) fn of_move(before: f64, after: f64) -> f64 {
    if after >= before {
        return 100.0;
    }
    let raw = 103.166_810_071_164_9 * (-0.043_544_153_867_539_51 * (before - after)).exp()
        - 3.166_924_740_191_411;
    // One is added since no analysis is perfect.
    (raw + 1.0).clamp(0.0, 100.0)
}

/// The judgement of a move by what it loses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Mark {
    Inaccuracy,
    Mistake,
    Blunder,
}

impl Mark {
    /// The mark of a move of this side by White's evaluations before and after it, as `mola pgn
    /// annotate` has it.
    pub(crate) fn of(color: Color, before: Eval, after: Eval) -> Option<Mark> {
        match arena::expectation::mark(color, before, after)? {
            4 => Some(Mark::Blunder),
            2 => Some(Mark::Mistake),
            _ => Some(Mark::Inaccuracy),
        }
    }
}

/// The accuracy of both sides over a game, White's first: `percents` are White's expected points
/// before the first move and after each, `first` is who made the first move.
///
/// Each is the mean of two means of the accuracies of the moves: one weighted by how much is at
/// stake around the move (the standard deviation of the expected points), and the harmonic mean.
pub(crate) fn of_game(percents: &[f64], first: Color) -> [Option<f64>; 2] {
    let plies = percents.len().saturating_sub(1);
    let size = (plies / 10).clamp(2, 8);
    let volatility = |window: &[f64]| deviation(window).clamp(0.5, 12.0);
    // The first moves share the first window.
    let head = percents.get(..size.min(percents.len())).unwrap_or_default();
    let shared = std::iter::repeat_n(volatility(head), size.min(percents.len()).saturating_sub(2));
    let weights = shared.chain(percents.windows(size).map(volatility));
    let mut sides: [Vec<(f64, f64)>; 2] = Default::default();
    for (ply, (pair, weight)) in percents.windows(2).zip(weights).enumerate() {
        let &[before, after] = pair else { continue };
        let is_white = (ply % 2 == 0) == first.is_white();
        let accuracy = if is_white {
            of_move(before, after)
        } else {
            of_move(100.0 - before, 100.0 - after)
        };
        let [white, black] = &mut sides;
        let side = if is_white { white } else { black };
        side.push((accuracy, weight));
    }
    sides.map(|moves| overall(&moves))
}

fn overall(moves: &[(f64, f64)]) -> Option<f64> {
    if moves.is_empty() {
        return None;
    }
    let weights: f64 = moves.iter().map(|(_, weight)| weight).sum();
    let weighted: f64 = moves
        .iter()
        .map(|(accuracy, weight)| accuracy * weight)
        .sum();
    let inverse: f64 = moves
        .iter()
        .map(|(accuracy, _)| 1.0 / accuracy.max(1.0))
        .sum();
    Some(f64::midpoint(
        weighted / weights,
        moves.len() as f64 / inverse,
    ))
}

/// The standard deviation of the values, taken as the whole population.
fn deviation(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares = values.iter().map(|value| (value - mean).powi(2));
    (squares.sum::<f64>() / count).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expected_points() {
        assert!((win_percent(Eval::Cp(0)) - 50.0).abs() < 1e-9);
        assert!((win_percent(Eval::Cp(100)) - 59.10).abs() < 0.01);
        let bounded = [Eval::Mate(3), Eval::Cp(2000)].map(win_percent);
        assert!((bounded[0] - bounded[1]).abs() < 1e-9);
        assert!((win_percent_of(Color::Black, Eval::Mate(-1)) - 97.54).abs() < 0.01);
    }

    #[test]
    fn perfect_and_poor_games() {
        assert_eq!(of_game(&[50.0, 50.0, 50.0], Color::White), [Some(100.0); 2]);
        assert_eq!(of_game(&[50.0], Color::White), [None, None]);
        // White gives away what Black gives back.
        let [white, black] = of_game(&[50.0, 10.0, 50.0, 50.0, 50.0], Color::White);
        assert!(white.unwrap() < 60.0 && black.unwrap() < 60.0);
        let [white, black] = of_game(&[50.0, 10.0, 10.0], Color::Black);
        assert!((white.unwrap(), black.unwrap()) == (100.0, 100.0));
    }
}
