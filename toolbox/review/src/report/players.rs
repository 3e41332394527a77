//! The figures of the two sides of a game.

use super::{Node, Player};
use crate::accuracy::{self, Mark};
use engine_core::Color;
use pgn::{Eval, Headers};

/// A move of the main line in numbers.
pub(super) struct Ply {
    pub(super) color: Color,
    /// White's evaluations before and after it.
    pub(super) evals: Option<(Eval, Eval)>,
}

/// The figures of White and of Black.
pub(super) fn players(headers: &Headers, plies: &[Ply], nodes: &[Node]) -> [Player; 2] {
    let accuracies = accuracies(plies);
    let mut sides = Color::ALL.into_iter().zip(accuracies);
    let mut next = || {
        let (color, accuracy) = sides.next().unwrap_or((Color::White, None));
        player(headers, color, accuracy, plies, nodes)
    };
    [next(), next()]
}

/// The accuracies of a game in which every position has an evaluation. That of the start may be
/// missing, as comments follow moves: then the first move is not judged.
fn accuracies(plies: &[Ply]) -> [Option<f64>; 2] {
    let judged = match plies {
        [first, second, ..] if first.evals.is_none() && second.evals.is_some() => {
            plies.get(1..).unwrap_or_default()
        }
        _ => plies,
    };
    let Some(first) = judged.first() else {
        return [None; 2];
    };
    let percents = judged
        .iter()
        .map(|ply| Some(accuracy::win_percent(ply.evals?.1)));
    let start = first.evals.map(|(before, _)| accuracy::win_percent(before));
    let percents: Option<Vec<f64>> = std::iter::once(start).chain(percents).collect();
    percents.map_or([None; 2], |percents| {
        accuracy::of_game(&percents, first.color)
    })
}

fn player(
    headers: &Headers,
    color: Color,
    accuracy: Option<f64>,
    plies: &[Ply],
    nodes: &[Node],
) -> Player {
    let (name, rating) = match color {
        Color::White => ("White", "WhiteElo"),
        Color::Black => ("Black", "BlackElo"),
    };
    let tag = |name| {
        let value = headers.get(name).map(|value| value.trim().to_owned());
        value.filter(|value| !matches!(value.as_str(), "" | "?" | "-"))
    };
    // The first node is the start, which no move led to.
    let own = || {
        plies
            .iter()
            .zip(nodes.iter().skip(1))
            .filter(|(ply, _)| ply.color == color)
    };
    let losses: Vec<i64> = own()
        .filter_map(|(ply, _)| Some(super::why::loss(color, ply.evals?)))
        .collect();
    let count = |mark| {
        let marks = own().filter_map(|(_, node)| node.fault.as_ref());
        marks.filter(|fault| fault.mark == mark).count() as u32
    };
    let times: Vec<f64> = own().filter_map(|(_, node)| node.time).collect();
    Player {
        name: tag(name).unwrap_or_else(|| name.to_owned()),
        rating: tag(rating),
        moves: own().count() as u32,
        accuracy: accuracy.map(round),
        average_loss: (!losses.is_empty())
            .then(|| round(losses.iter().sum::<i64>() as f64 / losses.len() as f64)),
        inaccuracies: count(Mark::Inaccuracy),
        mistakes: count(Mark::Mistake),
        blunders: count(Mark::Blunder),
        time: (!times.is_empty()).then(|| round(times.iter().sum())),
    }
}

/// Two decimals: more are noise.
pub(super) fn round(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}
