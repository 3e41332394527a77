//! The evaluation along the path of a search.

use super::accumulator::Accumulator;
use super::perspective::Perspective;
use super::rules::EvalRules;
use super::tapered::taper;
use super::tracker::{DirtyPieces, Tracker};
use super::weights::Weights;
use crate::types::{ByColor, Color};
use crate::{Board, Position, Standard};
use std::sync::Arc;

/// The sums of the positions on the path of a search, one for each ply.
///
/// They are computed when a value is asked for: from those of an ancestor, if its king was in the
/// same bucket, so that many positions (those in check, say) cost nothing.
pub(crate) struct Evaluator {
    weights: Arc<Weights>,
    path: Vec<AccumulatorState>,
}

/// The accumulators of a position on the path.
#[derive(Clone, Copy)]
struct AccumulatorState {
    perspectives: ByColor<Perspective>,
    dirty: DirtyPieces,
    /// Whether the sums are computed.
    computed: bool,
    sums: ByColor<Accumulator>,
}

impl Evaluator {
    /// For paths of this many plies.
    pub(crate) fn new(weights: Arc<Weights>, plies: usize) -> Evaluator {
        let start = Tracker::of(&Position::<Standard>::start());
        let state = AccumulatorState {
            perspectives: start.perspectives,
            dirty: DirtyPieces::NONE,
            computed: false,
            sums: ByColor([Accumulator::ZERO; 2]),
        };
        Evaluator {
            weights,
            path: vec![state; plies],
        }
    }

    /// Sets the weights to evaluate with.
    pub(crate) fn set_weights(&mut self, weights: &Arc<Weights>) {
        self.weights = Arc::clone(weights);
    }

    /// The dirty pieces of the move that leads to the position at a ply, cleared for that move to
    /// fill.
    #[inline(always)]
    pub(crate) fn dirty(&mut self, ply: usize) -> &mut DirtyPieces {
        let dirty = &mut self.path[ply].dirty;
        dirty.clear();
        dirty
    }

    /// Enters the position at a ply: the root, or the child of the position at the ply before.
    #[inline(always)]
    pub(crate) fn enter<R: EvalRules>(&mut self, ply: usize, tracker: &Tracker<R>) {
        let state = &mut self.path[ply];
        state.perspectives = tracker.perspectives;
        state.computed = false;
    }

    /// The value of the position at a ply for the side to move, in centipawns.
    // Not inlined: the search barely fits the instruction cache.
    #[inline(never)]
    pub(crate) fn value<R: EvalRules>(
        &mut self,
        ply: usize,
        position: &Position<R>,
        tracker: &Tracker<R>,
    ) -> i32 {
        if !self.path[ply].computed {
            self.compute(ply, position.board());
        }
        // One position in 32: to count all sums afresh is slow.
        debug_assert!(
            !position.key().is_multiple_of(32) || self.sums_match(ply, position.board(), tracker),
            "sums of another position at ply {ply}"
        );
        let counted;
        let sums = if R::LAYOUT.extras() > 0 {
            counted = self.sums(ply, position, tracker);
            &counted
        } else {
            &self.path[ply].sums
        };
        let turn = position.turn();
        let (own, opponent) = (&sums[turn], &sums[!turn]);
        let threats = self.weights.threats(position.board(), turn);
        let tables = own.table - opponent.table + threats + self.weights.tempo;
        let mut value = taper(tables, tracker.taper_phase()) + R::extra_terms(position);
        if let Some(vectors) = &self.weights.vectors {
            let pieces = position.board().occupied().count() as usize;
            value += vectors.value(&own.vector, &opponent.vector, pieces);
        }
        value
    }

    /// Whether the computed sums of a ply are those of a board: a check for development builds.
    fn sums_match<R: EvalRules>(&self, ply: usize, board: &Board, tracker: &Tracker<R>) -> bool {
        Color::ALL.into_iter().all(|color| {
            let kept = &self.path[ply].sums[color];
            let mut fresh = *kept;
            fresh.refresh(&self.weights, tracker.perspectives[color], board);
            fresh == *kept
        })
    }

    /// The computed sums of a ply, with the extra features of its position added.
    pub(super) fn sums<R: EvalRules>(
        &self,
        ply: usize,
        position: &Position<R>,
        tracker: &Tracker<R>,
    ) -> ByColor<Accumulator> {
        ByColor(Color::ALL.map(|color| {
            let sums = self.path[ply].sums[color];
            sums.with_extras(&self.weights, tracker.perspectives[color], position)
        }))
    }

    /// Computes the sums of a ply, nearly always from those of the ply before.
    #[inline(always)]
    fn compute(&mut self, ply: usize, board: &Board) {
        if ply > 0 && !self.path[ply - 1].computed {
            self.compute_ancestors(ply - 1);
        }
        let (before, after) = self.path.split_at_mut(ply);
        let after = &mut after[0];
        after.computed = true;
        let before = before.last().filter(|before| before.computed);
        for color in Color::ALL {
            let perspective = after.perspectives[color];
            let before = before.filter(|before| before.perspectives[color] == perspective);
            let sums = &mut after.sums[color];
            match (before, after.dirty.lists()) {
                (Some(before), Some(lists)) => {
                    sums.update(&before.sums[color], &self.weights, perspective, lists);
                }
                _ => sums.refresh(&self.weights, perspective, board),
            }
        }
    }

    /// Computes the sums up to a ply from the nearest ancestor that has them. If a ply between
    /// needs a refresh, it does nothing, as the boards of earlier plies are not stored.
    #[cold]
    fn compute_ancestors(&mut self, ply: usize) {
        let mut first = ply;
        while !self.path[first].computed {
            let Some(before) = first.checked_sub(1) else {
                return;
            };
            let [from, to] = [&self.path[before], &self.path[first]];
            if from.perspectives != to.perspectives || to.dirty.lists().is_none() {
                return;
            }
            first = before;
        }
        for at in first + 1..=ply {
            let (before, after) = self.path.split_at_mut(at);
            let (before, after) = (&before[at - 1], &mut after[0]);
            let Some(lists) = after.dirty.lists() else {
                return;
            };
            for color in Color::ALL {
                let perspective = after.perspectives[color];
                let sums = &mut after.sums[color];
                sums.update(&before.sums[color], &self.weights, perspective, lists);
            }
            after.computed = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::file::WeightsFile;
    use crate::eval::vectors::{OUTPUT_BUCKETS, OUTPUT_UNIT, VectorsFile};
    use crate::eval::{THREATS, WeightsLayout, evaluate_with};
    use crate::rules::{Atomic, Crazyhouse, Horde, Pockets, RacingKings, ThreeCheck};
    use crate::types::Role;
    use crate::{Setup, Variant, zobrist};

    const WIDTH: usize = 32;

    /// Weights that no learning would find, but that use all of their range.
    fn random_weights(variant: Variant) -> WeightsFile {
        let mut seed = 7;
        let mut random = |most: i32| {
            seed = zobrist::splitmix64(seed);
            (seed >> 33) as i32 % (2 * most + 1) - most
        };
        let layout = WeightsLayout::of(variant);
        let mut integers = |count: usize, most: i32| -> Vec<i16> {
            (0..count).map(|_| random(most) as i16).collect()
        };
        let tables = integers(2 * layout.tables() * layout.table_size(), 900);
        WeightsFile {
            variant,
            tempo: [20, 10],
            threats: integers(2 * THREATS, 90).as_chunks().0.to_vec(),
            tables: tables.as_chunks().0.to_vec(),
            vectors: Some(VectorsFile {
                width: WIDTH,
                features: integers(layout.vector_rows() * WIDTH, 300),
                bias: integers(WIDTH, 700),
                outputs: integers(OUTPUT_BUCKETS * 2 * WIDTH, 127),
                output_bias: vec![123_456; OUTPUT_BUCKETS],
                limit: 1500,
            }),
        }
    }

    /// The part of the vectors in the value, straight from the formula.
    fn plain<R: EvalRules>(position: &Position<R>, vectors: &VectorsFile) -> i32 {
        let board = position.board();
        let sums = |color| {
            let perspective = Perspective::new(R::LAYOUT, color, board.king(color));
            let mut sums: Vec<i32> = vectors.bias.iter().map(|&bias| i32::from(bias)).collect();
            for (square, piece) in board.iter() {
                let row = perspective.vector_row(piece, square) * WIDTH;
                for (k, sum) in sums.iter_mut().enumerate() {
                    *sum += i32::from(vectors.features[row + k]);
                }
            }
            for side in Color::ALL {
                for extra in
                    (0..32).filter(|extra| R::extra_features(position, side) >> extra & 1 > 0)
                {
                    let [_, row] = perspective.extra_feature(R::LAYOUT, side, extra);
                    for (k, sum) in sums.iter_mut().enumerate() {
                        *sum += i32::from(vectors.features[row * WIDTH + k]);
                    }
                }
            }
            sums
        };
        let bucket = (board.occupied().count() as usize - 1) / 4 % OUTPUT_BUCKETS;
        let mut total = vectors.output_bias[bucket];
        for (side, color) in [position.turn(), !position.turn()].into_iter().enumerate() {
            for (k, sum) in sums(color).into_iter().enumerate() {
                let output = vectors.outputs[(2 * bucket + side) * WIDTH + k];
                total += sum.clamp(0, 255).pow(2) * i32::from(output);
            }
        }
        (total / OUTPUT_UNIT).clamp(-vectors.limit, vectors.limit)
    }

    /// Random games, in which now and then a position is not evaluated, as in a search.
    fn agrees<R: EvalRules>(mut count: usize) {
        let file = random_weights(R::VARIANT);
        let weights = Arc::new(Weights::from_bytes(&file.to_bytes()).expect("usable weights"));
        let tables = WeightsFile {
            vectors: None,
            ..file.clone()
        };
        let tables = Arc::new(Weights::from_bytes(&tables.to_bytes()).expect("usable weights"));
        let mut evaluator = Evaluator::new(Arc::clone(&weights), 201);
        let mut seed = 1;
        while count > 0 {
            let mut position = Position::<R>::start();
            let mut tracker = Tracker::of(&position);
            for ply in 0..200 {
                if R::is_variant_end(&position) {
                    // A king may be gone.
                    break;
                }
                evaluator.enter(ply, &tracker);
                if seed % 3 > 0 {
                    let value = evaluator.value(ply, &position, &tracker);
                    assert_eq!(value, evaluate_with(&position, &weights));
                    let vectors = file.vectors.as_ref().expect("vectors");
                    let added = plain(&position, vectors);
                    assert_eq!(value, evaluate_with(&position, &tables) + added);
                    count = count.saturating_sub(1);
                }
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                seed = zobrist::splitmix64(seed);
                let mut observer = tracker.observer(evaluator.dirty(ply + 1));
                position.play_observed(moves[seed as usize % moves.len()], &mut observer);
            }
        }
    }

    #[test]
    fn the_path_and_the_formula_agree() {
        agrees::<Standard>(10_000);
        agrees::<Atomic>(2000);
        agrees::<Crazyhouse>(2000);
        agrees::<ThreeCheck>(2000);
        agrees::<Horde>(2000);
        agrees::<RacingKings>(2000);
    }

    #[test]
    fn any_pieces_in_hand_and_the_formula_agree() {
        let file = random_weights(Variant::Crazyhouse);
        let weights = Arc::new(Weights::from_bytes(&file.to_bytes()).expect("usable weights"));
        let vectors = file.vectors.as_ref().expect("vectors");
        let without = WeightsFile {
            vectors: None,
            ..file.clone()
        };
        let tables = Arc::new(Weights::from_bytes(&without.to_bytes()).expect("usable weights"));
        let mut setup = Setup::from_fen("4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1").expect("a FEN");
        let mut seed = 5;
        for _ in 0..500 {
            let mut pockets = Pockets::default();
            seed = zobrist::splitmix64(seed);
            for number in 0..seed % 40 {
                let random = zobrist::splitmix64(seed + number) as usize;
                pockets.add(Color::ALL[random / 8 % 2], Role::ALL[random / 16 % 5]);
            }
            setup.pockets = Some(pockets);
            setup.turn = Color::ALL[seed as usize / 64 % 2];
            let mode = setup.castling_mode();
            let position = Position::<Crazyhouse>::from_setup_unchecked(&setup, mode);
            let added = plain(&position, vectors);
            let value = evaluate_with(&position, &weights);
            assert_eq!(value, evaluate_with(&position, &tables) + added);
        }
    }

    #[test]
    fn a_null_move_and_a_sibling_are_told_apart() {
        let weights = random_weights(Variant::Standard).to_bytes();
        let weights = Arc::new(Weights::from_bytes(&weights).expect("usable weights"));
        let mut evaluator = Evaluator::new(Arc::clone(&weights), 3);
        let position = Position::<Standard>::start();
        let tracker = Tracker::of(&position);
        evaluator.enter(0, &tracker);
        for m in &position.legal_moves() {
            let (mut child, mut moved) = (position, tracker);
            child.play_observed(m, &mut moved.observer(evaluator.dirty(1)));
            evaluator.enter(1, &moved);
            let mut passed = child;
            passed.play_null();
            evaluator.dirty(2);
            evaluator.enter(2, &moved);
            let value = evaluator.value(2, &passed, &moved);
            assert_eq!(value, evaluate_with(&passed, &weights));
        }
    }

    #[test]
    fn colours_are_alike() {
        let pairs = [
            (
                "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
                "r3k2r/pppbbppp/2n2q1P/1P2p3/3pn3/BN2PNP1/P1PPQPB1/R3K2R b KQkq - 0 1",
            ),
            (
                "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
                "8/4p1p1/8/1r3P1K/kp5R/3P4/2P5/8 b - - 0 1",
            ),
        ];
        let weights = random_weights(Variant::Standard).to_bytes();
        let weights = Arc::new(Weights::from_bytes(&weights).expect("usable weights"));
        for (white, black) in pairs {
            let value = |fen| {
                let setup = Setup::from_fen(fen).expect("a FEN");
                let mode = setup.castling_mode();
                let position = Position::<Standard>::from_setup(&setup, mode).expect("a position");
                evaluate_with(&position, &weights)
            };
            assert_eq!(value(white), value(black));
        }
    }
}
