//! The choice of the square to sense.

use super::beliefs::Beliefs;
use super::choose::candidates;
use super::evaluate::{KingOutcome, estimate, outcome};
use super::options::affordable;
use super::packed::Packed;
use crate::actions::window;
use crate::board::Board;
use crate::moves::UciMove;
use engine_core::{Bitboard, Square};
use rayon::prelude::*;
use std::collections::HashMap;

/// The number of boards on which the information of a sense is computed.
const INFORMATION_BOARDS: usize = 4096;
/// The number of boards on which moves are evaluated, to estimate how a sense helps to choose one.
const VALUE_BOARDS: usize = 512;
/// The value of a bit of information for later moves, where 1 is a game won.
const BIT: f64 = 0.02;

/// The weight of a board on which the king is attacked, where that of others is 1: the opponent
/// aims at such boards.
const THREAT: f64 = 40.0;
/// The least share of such boards in a sample, if there are any.
const MIN_THREAT_SHARE: f64 = 0.25;

/// A board, and the values of the requests on it.
type BoardValues = (Packed, Vec<f64>);

/// The square whose window is worth most: by the gain in the expected value of the best move, and
/// the information in bits, weighted.
pub(super) fn choose(
    beliefs: &mut Beliefs,
    moves: &[UciMove],
    seconds_left: f64,
) -> Option<Square> {
    let sample = beliefs.sample(
        affordable(INFORMATION_BOARDS, seconds_left),
        THREAT,
        MIN_THREAT_SHARE,
    );
    let packed = |&(number, _): &(usize, Board)| beliefs.boards().get(number).copied();
    let observed: Vec<Packed> = sample.iter().filter_map(packed).collect();
    let (_, any) = sample.first()?;
    let requests = candidates(moves, any);
    let valued = sample
        .par_iter()
        .zip(&observed)
        .take(affordable(VALUE_BOARDS, seconds_left));
    let values = |board: &Board| {
        requests
            .iter()
            .map(|&request| quick_value(board, request))
            .collect()
    };
    let rows: Vec<BoardValues> = valued
        .map(|((_, board), &packed)| (packed, values(board)))
        .collect();
    let places: Vec<(Square, Bitboard)> = centers().collect();
    let is_sample = rows.len() < beliefs.boards().len();
    let worth = |&(square, squares): &(Square, Bitboard)| {
        (
            square,
            gain(&rows, squares, is_sample) + BIT * information(&observed, squares),
        )
    };
    let worths = places.par_iter().map(worth);
    let (square, worth) = worths.max_by(|(_, a), (_, b)| a.total_cmp(b))?;
    log::debug!(
        "{} boards: senses {square}, worth {worth:.3}",
        beliefs.boards().len()
    );
    Some(square)
}

/// The value of a request on a board.
fn quick_value(board: &Board, request: Option<UciMove>) -> f64 {
    match outcome(board, request) {
        (_, KingOutcome::Won) => 1.0,
        (_, KingOutcome::Exposed) => -1.0,
        (after, KingOutcome::Open) => estimate(&after),
    }
}

/// The squares whose windows have all nine squares, with their windows: every other window is part
/// of one of these.
fn centers() -> impl Iterator<Item = (Square, Bitboard)> {
    let all = Square::ALL.into_iter();
    all.map(|square| (square, window(square).collect::<Bitboard>()))
        .filter(|(_, squares)| squares.count() == 9)
}

/// How many bits of information an observation of these squares gives on the average.
fn information(observed: &[Packed], squares: Bitboard) -> f64 {
    let mut counts: HashMap<_, u32> = HashMap::new();
    for packed in observed {
        *counts.entry(packed.observation(squares)).or_default() += 1;
    }
    let total = observed.len() as f64;
    let bits = |&count: &u32| {
        let share = f64::from(count) / total;
        -share * share.log2()
    };
    counts.values().map(bits).sum()
}

/// How much the best move gets better on the average when these squares are known. If the boards
/// are a sample, moves are chosen on one half of them and valued on the other (cross-validation),
/// so that single boards are not overfitted.
fn gain(rows: &[BoardValues], squares: Bitboard, is_sample: bool) -> f64 {
    let total = if is_sample {
        let half = |first: usize| rows.iter().skip(first).step_by(2);
        cross_validated_gain(half(0), half(1), squares, PRIOR)
            + cross_validated_gain(half(1), half(0), squares, PRIOR)
    } else {
        cross_validated_gain(rows.iter(), rows.iter(), squares, 0.0)
    };
    total / rows.len().max(1) as f64
}

/// The weight of the average of all boards within a group, in boards.
const PRIOR: f64 = 2.0;

/// The sum of what is gained on some boards by the moves that seem best on others with the same
/// observation, against the move that seems best on all of those.
fn cross_validated_gain<'a>(
    learned: impl ExactSizeIterator<Item = &'a BoardValues>,
    boards: impl Iterator<Item = &'a BoardValues>,
    squares: Bitboard,
    prior: f64,
) -> f64 {
    let weight = prior / learned.len().max(1) as f64;
    let mut overall = Vec::new();
    let mut groups: HashMap<_, Vec<f64>> = HashMap::new();
    for (packed, values) in learned {
        add(&mut overall, values, 1.0);
        add(
            groups.entry(packed.observation(squares)).or_default(),
            values,
            1.0,
        );
    }
    let overall_best = best(&overall);
    for sums in groups.values_mut() {
        add(sums, &overall, weight);
    }
    let choices: HashMap<_, usize> = groups
        .iter()
        .map(|(look, sums)| (*look, best(sums)))
        .collect();
    let gained = |(packed, values): &BoardValues| {
        let choice = choices
            .get(&packed.observation(squares))
            .copied()
            .unwrap_or(overall_best);
        let value = |place: usize| values.get(place).copied().unwrap_or_default();
        value(choice) - value(overall_best)
    };
    boards.map(gained).sum()
}

fn add(sums: &mut Vec<f64>, values: &[f64], weight: f64) {
    sums.resize(values.len(), 0.0);
    for (sum, value) in sums.iter_mut().zip(values) {
        *sum += weight * value;
    }
}

/// The index of the largest value.
fn best(values: &[f64]) -> usize {
    let places = values.iter().enumerate();
    places
        .max_by(|(_, a), (_, b)| a.total_cmp(b))
        .map_or(0, |(place, _)| place)
}
