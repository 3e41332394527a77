//! Scores: centipawns, tablebase wins, and mates by ply.

use crate::eval::Centipawns;
use std::fmt;

/// A score from the view of the side to move, in centipawns. Mates are counted in plies from the
/// root: `Score::mate_in(1)` mates with the next move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Score(pub i32);

/// The deepest ply a search can reach.
pub(super) const MAX_PLY: usize = 246;

impl Score {
    /// A draw.
    pub const DRAW: Score = Score(0);
    /// Mate at the root; a mate `n` plies from it scores `MATE - n`. No score is further from zero.
    pub const MATE: Score = Score(32_000);
    /// Above every score.
    pub(super) const INFINITE: Score = Score(32_001);
    /// Scores beyond this are mates.
    pub(super) const MATE_BOUND: Score = Score(Self::MATE.0 - MAX_PLY as i32);
    /// Scores beyond this, and not mates, are wins by tablebase.
    pub const TB_BOUND: Score = Score(Self::MATE_BOUND.0 - 2 * MAX_PLY as i32);

    /// A tablebase win found at this ply, with unknown distance to mate.
    #[inline(always)]
    pub const fn tb_win(ply: usize) -> Score {
        Score(Self::MATE_BOUND.0 - ply as i32)
    }

    /// Mating in this many plies.
    #[inline(always)]
    pub const fn mate_in(plies: usize) -> Score {
        Score(Self::MATE.0 - plies as i32)
    }

    /// Being mated in this many plies.
    #[inline(always)]
    pub const fn mated_in(plies: usize) -> Score {
        Score(plies as i32 - Self::MATE.0)
    }

    /// Whether a mate score can still be reached under the fifty-move rule with the counter at
    /// `halfmoves`: the entry may have been stored with a lower counter. Mates are counted from
    /// `ply` plies earlier.
    #[inline(always)]
    pub(super) fn fits_fifty_moves(self, ply: usize, halfmoves: u32) -> bool {
        self.plies_to_mate()
            .is_none_or(|plies| halfmoves as usize + plies <= 100 + ply)
    }

    /// The distance to mate in plies from the root, if this is a mate score.
    pub(super) fn plies_to_mate(self) -> Option<usize> {
        let plies = (Self::MATE.0 - self.0.abs()).max(0) as usize;
        (self.0.abs() > Self::MATE_BOUND.0).then_some(plies)
    }

    /// The score as protocols write it.
    pub const fn kind(self) -> ScoreKind {
        if self.0 > Self::MATE_BOUND.0 {
            ScoreKind::Mate((Self::MATE.0 - self.0 + 1) / 2)
        } else if self.0 < -Self::MATE_BOUND.0 {
            // Rounded up: in some variants a side loses by its own move.
            ScoreKind::Mate(-((Self::MATE.0 + self.0 + 1) / 2))
        } else {
            ScoreKind::Centipawns(self.0)
        }
    }
}

/// A score as protocols write it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ScoreKind {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Moves (not plies) to mate: positive when mating, zero or negative when mated.
    Mate(i32),
}

impl std::ops::Neg for Score {
    type Output = Score;

    #[inline(always)]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl std::ops::Add<i32> for Score {
    type Output = Score;

    #[inline(always)]
    fn add(self, centipawns: i32) -> Score {
        Score(self.0 + centipawns)
    }
}

impl std::ops::Sub<i32> for Score {
    type Output = Score;

    #[inline(always)]
    fn sub(self, centipawns: i32) -> Score {
        Score(self.0 - centipawns)
    }
}

/// For display: `+0.34`, `-1.20`, `#3`, `#-2`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            ScoreKind::Centipawns(cp) => Centipawns(cp).fmt(f),
            ScoreKind::Mate(moves) => write!(f, "#{moves}"),
        }
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_count_moves() {
        assert_eq!(Score::mate_in(1).kind(), ScoreKind::Mate(1));
        assert_eq!(Score::mate_in(3).kind(), ScoreKind::Mate(2));
        assert_eq!(Score::mated_in(0).kind(), ScoreKind::Mate(0));
        assert_eq!(Score::mated_in(2).kind(), ScoreKind::Mate(-1));
        assert_eq!(Score(-34).kind(), ScoreKind::Centipawns(-34));
        assert_eq!(Score(-34).to_string(), "-0.34");
    }
}
