//! The moves played in a position, and in the positions after it.

use super::{GameSummary, ResultTally};
use crate::Tree;
use engine_core::{AnyPosition, Color, Move};
use std::collections::HashMap;

/// The moves of one game in a position and in those after it, each position once, the first time.
#[derive(Debug, Clone)]
pub(crate) struct Visit {
    pub(crate) summary: GameSummary,
    /// The repetition key of each position, whose move it is, and the move that was played, if one was.
    pub(crate) plies: Vec<(u64, Color, Option<Move>)>,
}

impl Visit {
    /// The visit of a game, if its main line reaches the position.
    pub(crate) fn of(tree: &Tree, goal: &AnyPosition, depth: usize) -> Option<Visit> {
        let mut position = tree.start?;
        let mut plies: Vec<(u64, Color, Option<Move>)> = Vec::new();
        // How many positions have come from the first one on, repetitions included.
        let mut passed = 0;
        let mut line = tree.main_line(tree.root());
        loop {
            let next = line.next();
            if passed > 0 || position.repeats(goal) {
                passed += 1;
                let key = position.repetition_key();
                let m = next.and_then(|id| tree.move_to(id));
                if plies.iter().all(|ply| ply.0 != key) {
                    plies.push((key, position.turn(), m));
                }
                if passed >= depth {
                    break;
                }
            }
            let Some(id) = next else { break };
            position.play_or_pass(tree.move_to(id));
        }
        (!plies.is_empty()).then(|| Visit {
            summary: GameSummary::of(tree),
            plies,
        })
    }
}

/// The moves played in one position.
#[derive(Debug, Clone, Default)]
pub(crate) struct PositionMoves {
    pub(crate) tally: ResultTally,
    /// A list: most positions have one move, and tables would take twice the memory in all.
    moves: Vec<(Move, ResultTally)>,
}

impl PositionMoves {
    fn add_move(&mut self, m: Move, summary: &GameSummary, turn: Color) {
        if let Some((_, tally)) = self.moves.iter_mut().find(|(other, _)| *other == m) {
            tally.add(summary, turn);
            return;
        }
        let mut tally = ResultTally::default();
        tally.add(summary, turn);
        if self.moves.is_empty() {
            self.moves.reserve_exact(1);
        }
        self.moves.push((m, tally));
    }
}

/// The moves played in many positions, by repetition key.
#[derive(Debug, Clone, Default)]
pub(crate) struct Moves {
    nodes: HashMap<u64, PositionMoves>,
}

impl Moves {
    pub(crate) fn add(&mut self, visit: &Visit) {
        for &(key, turn, m) in &visit.plies {
            self.add_move(key, turn, m, &visit.summary);
        }
    }

    pub(crate) fn add_move(
        &mut self,
        key: u64,
        turn: Color,
        m: Option<Move>,
        summary: &GameSummary,
    ) {
        let node = self.nodes.entry(key).or_default();
        node.tally.add(summary, turn);
        if let Some(m) = m {
            node.add_move(m, summary, turn);
        }
    }

    /// How many positions there are.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn node(&self, position: &AnyPosition) -> Option<&PositionMoves> {
        self.nodes.get(&position.repetition_key())
    }

    /// The moves played in a position by at least this many games, the most frequent first.
    pub(crate) fn of(&self, position: &AnyPosition, least: u64) -> Vec<(Move, ResultTally)> {
        let Some(node) = self.node(position) else {
            return Vec::new();
        };
        let moves = node.moves.iter().copied();
        let mut moves: Vec<_> = moves
            .filter(|&(m, tally)| tally.games >= least && position.is_legal(m))
            .collect();
        moves.sort_by_cached_key(|&(m, tally)| {
            (
                std::cmp::Reverse(tally.games),
                position.to_uci(m).to_string(),
            )
        });
        moves
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine_core::Variant;

    #[test]
    fn depth_is_in_plies_also_where_positions_repeat() {
        let text = b"1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 e5 *";
        let (tree, _) = crate::read_tree(text).expect("a game");
        let start = AnyPosition::start(Variant::Standard);
        for (depth, positions) in [(1, 1), (4, 4), (5, 4), (9, 4), (10, 5), (11, 6), (99, 6)] {
            let visit = Visit::of(&tree, &start, depth).expect("the start");
            assert_eq!(visit.plies.len(), positions, "depth {depth}");
        }
    }
}
