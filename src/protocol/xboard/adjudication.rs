//! When to resign, and when to offer or accept a draw.
//!
//! - **Resign** when the last six scores were each worse than ten pawns down.
//! - **Offer a draw** after move 40 when the last eight scores were within a tenth of a pawn of
//!   equal; again only after as many moves more.
//! - **Accept a draw** after move 30 when the last score was no better than equal.

use engine_core::search::Score;

/// Scores worse than this are hopeless.
const HOPELESS: Score = Score(-1000);
const HOPELESS_MOVES: u32 = 6;

/// Scores this far from equal at most are dead.
const DEAD: i32 = 10;
const DEAD_MOVES: u32 = 8;

/// No draw is offered, nor accepted, before these moves.
const OFFER_MOVE: u32 = 40;
const ACCEPT_MOVE: u32 = 30;

/// What may be said after a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    Resign,
    OfferDraw,
}

/// What the engine has thought of its last moves.
#[derive(Debug, Default)]
pub(super) struct AdjudicationPolicy {
    last: Option<Score>,
    /// Moves in a row with such a score.
    hopeless: u32,
    dead: u32,
}

impl AdjudicationPolicy {
    /// The engine has moved, with this opinion of its own chances.
    pub(super) fn moved(&mut self, score: Score) {
        let count = |fits: bool, before: u32| if fits { before + 1 } else { 0 };
        self.last = Some(score);
        self.hopeless = count(score < HOPELESS, self.hopeless);
        self.dead = count(score.0.abs() <= DEAD, self.dead);
    }

    /// What to say after the move of this number.
    pub(super) fn verdict(&mut self, fullmoves: u32) -> Option<Verdict> {
        if self.hopeless >= HOPELESS_MOVES {
            return Some(Verdict::Resign);
        }
        let offers = self.dead >= DEAD_MOVES && fullmoves > OFFER_MOVE;
        offers.then(|| {
            self.dead = 0;
            Verdict::OfferDraw
        })
    }

    /// Whether an offer at the move of this number is taken.
    pub(super) fn accepts_draw(&self, fullmoves: u32) -> bool {
        fullmoves > ACCEPT_MOVE && self.last.is_some_and(|score| score <= Score::DRAW)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is said after each of the moves from a number on.
    fn verdicts(scores: &[i32], first: u32) -> Vec<Option<Verdict>> {
        let mut adjudication = AdjudicationPolicy::default();
        let verdicts = scores.iter().zip(first..).map(|(&score, number)| {
            adjudication.moved(Score(score));
            adjudication.verdict(number)
        });
        verdicts.collect()
    }

    #[test]
    fn resigns_what_stays_hopeless() {
        assert_eq!(
            verdicts(&[-1100; 6], 10).last(),
            Some(&Some(Verdict::Resign))
        );
        assert_eq!(verdicts(&[-1100; 5], 10), [None; 5]);
        let hope = [-1100, -1100, -1100, -900, -1100, -1100, -1100];
        assert_eq!(verdicts(&hope, 10), [None; 7]);
    }

    #[test]
    fn offers_a_draw_when_nothing_happens() {
        let offers = verdicts(&[5; 20], 35);
        let at: Vec<usize> = (0..20).filter(|&at| offers[at].is_some()).collect();
        assert_eq!(at, [7, 15]);
        assert_eq!(verdicts(&[5; 6], 35), [None; 6]);
    }

    #[test]
    fn accepts_when_not_better() {
        let mut adjudication = AdjudicationPolicy::default();
        assert!(!adjudication.accepts_draw(50));
        adjudication.moved(Score(0));
        assert!(adjudication.accepts_draw(31) && !adjudication.accepts_draw(30));
        adjudication.moved(Score(20));
        assert!(!adjudication.accepts_draw(50));
    }
}
