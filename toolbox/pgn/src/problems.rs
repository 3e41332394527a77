//! The problems of one game, counted, of which only so many are kept.

use super::Problem;
use std::slice::Iter;

/// The problems of a game, in the order in which they were found. All are counted, and the first
/// ones are kept: [`Problems::MAX_KEPT`] that were repaired, and as many errors.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Problems {
    kept: Vec<Problem>,
    repaired: u64,
    lost: u64,
}

impl Problems {
    /// How many of either kind are kept.
    pub const MAX_KEPT: u64 = 1000;

    /// Counts a problem, and keeps it if there is room.
    pub fn add(&mut self, problem: Problem) {
        let count = if problem.kind.is_repaired() {
            &mut self.repaired
        } else {
            &mut self.lost
        };
        if *count < Problems::MAX_KEPT {
            self.kept.push(problem);
        }
        *count += 1;
    }

    /// How many were repaired: nothing of the game is lost or wrong.
    pub fn repaired(&self) -> u64 {
        self.repaired
    }

    /// How many are errors: something is lost, or a result contradicts the tag or the board.
    pub fn lost(&self) -> u64 {
        self.lost
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.repaired + self.lost
    }

    /// Those that are kept.
    pub fn iter(&self) -> Iter<'_, Problem> {
        self.kept.iter()
    }

    /// Those that are kept, in the order of the text.
    pub fn in_order(&self) -> Vec<&Problem> {
        let mut problems: Vec<_> = self.iter().collect();
        problems.sort_by_key(|problem| problem.at);
        problems
    }

    /// At most so many of them in the order of the text, with preference for errors.
    pub fn worst(&self, most: usize) -> Vec<&Problem> {
        let mut problems = self.in_order();
        problems.sort_by_key(|problem| problem.kind.is_repaired());
        problems.truncate(most);
        problems.sort_by_key(|problem| problem.at);
        problems
    }
}

impl From<Problem> for Problems {
    fn from(problem: Problem) -> Problems {
        let mut problems = Problems::default();
        problems.add(problem);
        problems
    }
}

impl<'a> IntoIterator for &'a Problems {
    type Item = &'a Problem;
    type IntoIter = Iter<'a, Problem>;

    fn into_iter(self) -> Iter<'a, Problem> {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ProblemKind;

    #[test]
    fn all_are_counted_and_the_worst_are_kept() {
        let mut problems = Problems::default();
        let most = Problems::MAX_KEPT as usize;
        for at in 0..2 * most {
            let kind = ProblemKind::BlankLine;
            problems.add(Problem { at, ply: 0, kind });
        }
        for at in [3 * most, 5] {
            let kind = ProblemKind::NotAMove("x".to_owned());
            problems.add(Problem { at, ply: 0, kind });
        }
        assert_eq!((problems.repaired(), problems.lost()), (2 * most as u64, 2));
        assert_eq!(problems.iter().count(), most + 2);
        let places = |worst: Vec<&Problem>| -> Vec<_> { worst.iter().map(|one| one.at).collect() };
        assert_eq!(places(problems.worst(4)), [0, 1, 5, 3 * most]);
        assert_eq!(places(problems.worst(1)), [5]);
    }
}
