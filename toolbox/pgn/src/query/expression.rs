//! The syntax tree of a query.

use super::ending::{BoardEnding, Feature};
use super::position_test::PositionTest;
use super::sequence::Sequence;
use super::tag_test::TagTest;
use crate::position_key::repetition_keys;
use std::ops::RangeInclusive;

/// A condition on a game.
#[derive(Debug, Clone)]
pub(super) enum Expression {
    Any(Vec<Expression>),
    All(Vec<Expression>),
    Not(Box<Expression>),
    Tag(TagTest),
    Ends(BoardEnding),
    Has(Feature),
    /// The first moves.
    Line(Sequence),
    /// A sequence of moves anywhere in the game.
    Played(Sequence),
    Reaches(Box<Reach>),
}

/// A condition that a position of the game must meet.
#[derive(Debug, Clone)]
pub(super) struct Reach {
    pub(super) test: Positions,
    /// After how many plies it must be met.
    pub(super) plies: RangeInclusive<usize>,
    /// Whether these plies are counted from the move with the number 1, not from the first position.
    pub(super) by_moves: bool,
    /// In how many positions in a row it must be met.
    pub(super) lasting: usize,
}

/// A condition on one position.
#[derive(Debug, Clone)]
pub(super) enum Positions {
    Any(Vec<Positions>),
    All(Vec<Positions>),
    Not(Box<Positions>),
    Test(PositionTest),
}

impl Expression {
    /// Keys of which the position must have one, if the condition implies any.
    pub(super) fn needed_keys(&self) -> Option<Vec<u64>> {
        match self {
            Expression::All(all) => all.iter().find_map(Expression::needed_keys),
            Expression::Reaches(reach) => reach.test.needed_keys(),
            _ => None,
        }
    }

    /// A position that must be reached anywhere.
    pub(super) fn position(test: PositionTest) -> Expression {
        Expression::Reaches(Box::new(Reach {
            test: Positions::Test(test),
            plies: 0..=usize::MAX,
            by_moves: false,
            lasting: 1,
        }))
    }
}

impl Positions {
    fn needed_keys(&self) -> Option<Vec<u64>> {
        match self {
            Positions::All(all) => all.iter().find_map(Positions::needed_keys),
            Positions::Test(PositionTest::Position(wanted)) => {
                Some(wanted.iter().flat_map(repetition_keys).collect())
            }
            Positions::Test(PositionTest::Key(key)) => Some(vec![*key]),
            _ => None,
        }
    }
}
