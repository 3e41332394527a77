//! Scores as engines report them.

use engine_core::Color;
use pgn::Eval;
use std::cmp::Ordering;
use std::fmt;
use std::ops::Neg;

/// A score for one side.
///
/// They are totally ordered: `Mate(0)` < `Mate(-1)` < `Cp(-50)` < `Cp(200)` < `Mate(4)` <
/// `Mate(1)` < `MateGiven`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Score {
    /// Hundredths of a pawn.
    Cp(i32),
    /// Moves to mate: positive when mating, negative when being mated, zero when mated.
    Mate(i32),
    /// The opponent is mated: the opposite of `Mate(0)`.
    MateGiven,
}

impl Score {
    /// Centipawns; `None` for a mate.
    pub fn cp(self) -> Option<i32> {
        match self {
            Score::Cp(cp) => Some(cp),
            Score::Mate(_) | Score::MateGiven => None,
        }
    }

    /// Moves to mate, if it is one; zero for a mate on the board by either side.
    pub fn mate(self) -> Option<i32> {
        match self {
            Score::Cp(_) => None,
            Score::Mate(moves) => Some(moves),
            Score::MateGiven => Some(0),
        }
    }

    /// Centipawns, where a mate counts as this many less its distance.
    pub fn with_mate(self, mate: i32) -> i32 {
        match self {
            Score::Cp(cp) => cp,
            Score::Mate(moves) if moves > 0 => mate.saturating_sub(moves),
            Score::Mate(moves) => mate.saturating_neg().saturating_sub(moves),
            Score::MateGiven => mate,
        }
    }

    /// First what kind of score, then how large.
    fn rank(self) -> (i8, i32) {
        match self {
            Score::MateGiven => (2, 0),
            Score::Mate(moves) if moves > 0 => (1, -moves),
            Score::Cp(cp) => (0, cp),
            Score::Mate(moves) => (-1, moves.saturating_neg()),
        }
    }
}

/// The evaluation, where this is White's score.
impl From<Score> for Eval {
    fn from(score: Score) -> Eval {
        match score {
            Score::Cp(cp) => Eval::Cp(cp.into()),
            Score::Mate(moves) => Eval::Mate(moves.into()),
            Score::MateGiven => Eval::Mate(0),
        }
    }
}

impl Ord for Score {
    fn cmp(&self, other: &Score) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl PartialOrd for Score {
    fn partial_cmp(&self, other: &Score) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Neg for Score {
    type Output = Score;

    fn neg(self) -> Score {
        match self {
            Score::Cp(cp) => Score::Cp(cp.saturating_neg()),
            Score::Mate(0) => Score::MateGiven,
            Score::Mate(moves) => Score::Mate(moves.saturating_neg()),
            Score::MateGiven => Score::Mate(0),
        }
    }
}

/// As PGN comments have it: `+0.34`, `#3`, `#-2`; `#0` is a mate given, `#-0` one suffered.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Score::Cp(cp) => {
                let sign = if cp < 0 { '-' } else { '+' };
                let cp = cp.unsigned_abs();
                write!(f, "{sign}{}.{:02}", cp / 100, cp % 100)
            }
            Score::Mate(0) => f.write_str("#-0"),
            Score::Mate(moves) => write!(f, "#{moves}"),
            Score::MateGiven => f.write_str("#0"),
        }
    }
}

/// A score and whose it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PovScore {
    /// The score from the point of view of `turn`.
    pub relative: Score,
    /// The side whose point of view it is.
    pub turn: Color,
}

impl PovScore {
    /// The score for this side.
    pub fn pov(self, color: Color) -> Score {
        if self.turn == color {
            self.relative
        } else {
            -self.relative
        }
    }

    /// The score for White.
    pub fn white(self) -> Score {
        self.pov(Color::White)
    }
}

#[cfg(test)]
mod tests {
    use super::Score::{Cp, Mate, MateGiven};
    use super::*;

    #[test]
    fn order_and_negation() {
        let ascending = [
            Mate(0),
            Mate(-1),
            Mate(-99),
            Cp(-50),
            Cp(0),
            Cp(200),
            Mate(4),
            Mate(1),
            MateGiven,
        ];
        for pair in ascending.windows(2) {
            assert!(pair[0] < pair[1], "{pair:?}");
            assert!(-pair[0] > -pair[1], "{pair:?}");
        }
        for score in ascending {
            assert_eq!(-(-score), score);
        }
    }

    #[test]
    fn numbers() {
        assert_eq!(Mate(5).with_mate(100_000), 99_995);
        assert_eq!(Mate(-5).with_mate(100_000), -99_995);
        assert_eq!(Mate(0).with_mate(100_000), -100_000);
        assert_eq!(Mate(-1).with_mate(i32::MIN), i32::MAX);
        assert_eq!(Mate(i32::MIN).with_mate(100_000), i32::MAX - 99_999);
        assert!(Mate(-1) < Mate(i32::MIN));
        assert_eq!(MateGiven.with_mate(100_000), 100_000);
        assert_eq!(MateGiven.mate(), Some(0));
        assert_eq!((Cp(3).cp(), Mate(3).cp()), (Some(3), None));
        assert_eq!(Cp(i32::MIN).to_string(), "-21474836.48");
        let score = PovScore {
            relative: Cp(-34),
            turn: Color::Black,
        };
        assert_eq!(score.white(), Cp(34));
        assert_eq!(score.pov(Color::Black).to_string(), "-0.34");
    }
}
