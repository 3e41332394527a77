//! A query as it is evaluated.

use super::ending::{Ending, Feature};
use super::position_test::PositionTest;
use super::sequence::Sequence;
use super::tag_test::TagTest;
use std::ops::RangeInclusive;

/// What is to hold of a game.
#[derive(Debug, Clone)]
pub(super) enum Expression {
    Any(Vec<Expression>),
    All(Vec<Expression>),
    Not(Box<Expression>),
    Tag(TagTest),
    Ends(Ending),
    Has(Feature),
    /// The first moves.
    Line(Sequence),
    /// Moves that follow each other anywhere.
    Played(Sequence),
    Reaches(Box<Reach>),
}

/// A position that must be reached.
#[derive(Debug, Clone)]
pub(super) struct Reach {
    pub(super) test: Positions,
    /// After how many plies.
    pub(super) plies: RangeInclusive<usize>,
    /// In so many positions one after the other.
    pub(super) lasting: usize,
}

/// What is to hold of one position.
#[derive(Debug, Clone)]
pub(super) enum Positions {
    Any(Vec<Positions>),
    All(Vec<Positions>),
    Not(Box<Positions>),
    Test(PositionTest),
}

impl Expression {
    /// A position that must be reached anywhere.
    pub(super) fn position(test: PositionTest) -> Expression {
        Expression::Reaches(Box::new(Reach {
            test: Positions::Test(test),
            plies: 0..=usize::MAX,
            lasting: 1,
        }))
    }
}
