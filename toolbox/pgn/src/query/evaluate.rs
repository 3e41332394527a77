//! Evaluating a query for a game.

use super::expression::{Expression, Positions, Reach};
use super::game::QueriedGame;
use crate::{NodeId, Tree};
use engine_core::AnyPosition;

/// The ply at which a game has fulfilled an expression.
pub(super) fn find(expression: &Expression, tree: &Tree, in_variations: bool) -> Option<usize> {
    expression.find(&QueriedGame::new(tree, in_variations))
}

impl Expression {
    fn find(&self, game: &QueriedGame<'_>) -> Option<usize> {
        let at_start = |holds: bool| holds.then_some(0);
        match self {
            Expression::Any(any) => any.iter().find_map(|one| one.find(game)),
            Expression::All(all) => all
                .iter()
                .try_fold(0, |ply, one| one.find(game).map(|found| found.max(ply))),
            Expression::Not(not) => at_start(not.find(game).is_none()),
            Expression::Tag(test) => at_start(test.holds(game)),
            Expression::Ends(ending) => ending.find(game),
            Expression::Has(feature) => feature.find(game),
            Expression::Line(sequence) => sequence.find_at_start(game.line()),
            Expression::Played(sequence) => sequence.find_anywhere(game.line()),
            Expression::Reaches(reach) => reach.find(game),
        }
    }
}

impl Reach {
    fn find(&self, game: &QueriedGame<'_>) -> Option<usize> {
        if game.in_variations {
            return self.find_in_tree(game.tree);
        }
        let mut lasted = 0;
        let positions = &game.line().positions;
        let first = positions.first().map_or(0, |start| self.first_ply(start));
        for (ply, position) in positions.iter().enumerate() {
            lasted = self.lasted(lasted, first + ply, position);
            if lasted >= self.lasting {
                return Some(ply);
            }
        }
        None
    }

    /// The ply of the first position of a game: by moves, that of its move number.
    fn first_ply(&self, start: &AnyPosition) -> usize {
        if !self.by_moves {
            return 0;
        }
        let moves = (start.fullmoves() as usize).saturating_sub(1);
        2 * moves + usize::from(!start.turn().is_white())
    }

    /// In how many positions in a row, up to this one, the test has held; `before` is that number
    /// at the position before.
    fn lasted(&self, before: usize, ply: usize, position: &AnyPosition) -> usize {
        if self.plies.contains(&ply) && self.test.holds(position) {
            before + 1
        } else {
            0
        }
    }

    fn find_in_tree(&self, tree: &Tree) -> Option<usize> {
        let start = tree.start?;
        let first = self.first_ply(&start);
        let lasted = self.lasted(0, first, &start);
        if lasted >= self.lasting {
            return Some(0);
        }
        let mut stack: Vec<(NodeId, AnyPosition, usize, usize)> =
            vec![(tree.root(), start, 0, lasted)];
        while let Some((id, before, ply, lasted)) = stack.pop() {
            for &child in tree.children(id).iter().rev() {
                let mut position = before;
                position.play_or_pass(tree.move_to(child));
                let lasted = self.lasted(lasted, first + ply + 1, &position);
                if lasted >= self.lasting {
                    return Some(ply + 1);
                }
                stack.push((child, position, ply + 1, lasted));
            }
        }
        None
    }
}

impl Positions {
    fn holds(&self, position: &AnyPosition) -> bool {
        match self {
            Positions::Any(any) => any.iter().any(|one| one.holds(position)),
            Positions::All(all) => all.iter().all(|one| one.holds(position)),
            Positions::Not(not) => !not.holds(position),
            Positions::Test(test) => test.holds(position),
        }
    }
}
