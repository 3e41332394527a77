//! When to resign, and when to offer or accept a draw.
//!
//! - **Resign** when the last six scores were each worse than ten pawns down.
//! - **Offer a draw** after move 40 when the last eight scores were within a tenth of a pawn of
//!   equal; again only after as many moves more.
//! - **Accept a draw** after move 30 when the last score was no better than equal.

use engine_core::Color;
use engine_core::search::Score;

/// A score worse than this counts towards resigning.
const RESIGN_SCORE: Score = Score(-1000);
const RESIGN_MOVES: u32 = 6;

/// A score no further from equal than this, in centipawns, counts towards offering a draw.
const DRAW_MARGIN: i32 = 10;
const DRAW_MOVES: u32 = 8;

/// No draw is offered, nor accepted, up to and including these moves.
const OFFER_MOVE: u32 = 40;
const ACCEPT_MOVE: u32 = 30;

/// A decision after the engine's move, other than to play on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Decision {
    Resign,
    OfferDraw,
}

/// The last score of the engine, and the number of moves with hopeless or equal scores.
#[derive(Debug, Default)]
pub(super) struct ResignDrawPolicy {
    /// The side of its last move, and the score.
    last: Option<(Color, Score)>,
    /// Consecutive moves with a hopeless score, and with an equal one.
    hopeless_moves: u32,
    equal_moves: u32,
}

impl ResignDrawPolicy {
    /// Records the score of a move that the engine played for a side, from that side's point of view.
    pub(super) fn moved(&mut self, side: Color, score: Score) {
        if self.last.is_some_and(|(before, _)| before != side) {
            *self = ResignDrawPolicy::default();
        }
        let count = |fits: bool, before: u32| if fits { before + 1 } else { 0 };
        self.last = Some((side, score));
        self.hopeless_moves = count(score < RESIGN_SCORE, self.hopeless_moves);
        self.equal_moves = count(score.0.abs() <= DRAW_MARGIN, self.equal_moves);
    }

    /// Whether to resign or to offer a draw after the move of this number.
    pub(super) fn decide(&mut self, fullmoves: u32) -> Option<Decision> {
        if self.hopeless_moves >= RESIGN_MOVES {
            return Some(Decision::Resign);
        }
        let offers = self.equal_moves >= DRAW_MOVES && fullmoves > OFFER_MOVE;
        offers.then(|| {
            self.equal_moves = 0;
            Decision::OfferDraw
        })
    }

    /// Whether a side accepts a draw at the move of this number.
    pub(super) fn accepts_draw(&self, side: Color, fullmoves: u32) -> bool {
        let is_no_better = |(played, score)| played == side && score <= Score::DRAW;
        fullmoves > ACCEPT_MOVE && self.last.is_some_and(is_no_better)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The decision after each of the moves from a number on.
    fn decisions(scores: &[i32], first: u32) -> Vec<Option<Decision>> {
        let mut adjudication = ResignDrawPolicy::default();
        let decisions = scores.iter().zip(first..).map(|(&score, number)| {
            adjudication.moved(Color::White, Score(score));
            adjudication.decide(number)
        });
        decisions.collect()
    }

    #[test]
    fn resigns_what_stays_hopeless() {
        assert_eq!(
            decisions(&[-1100; 6], 10).last(),
            Some(&Some(Decision::Resign))
        );
        assert_eq!(decisions(&[-1100; 5], 10), [None; 5]);
        let hope = [-1100, -1100, -1100, -900, -1100, -1100, -1100];
        assert_eq!(decisions(&hope, 10), [None; 7]);
    }

    #[test]
    fn offers_a_draw_when_nothing_happens() {
        let offers = decisions(&[5; 20], 35);
        let at: Vec<usize> = (0..20).filter(|&at| offers[at].is_some()).collect();
        assert_eq!(at, [7, 15]);
        assert_eq!(decisions(&[5; 6], 35), [None; 6]);
    }

    #[test]
    fn accepts_when_not_better() {
        let side = Color::White;
        let mut adjudication = ResignDrawPolicy::default();
        assert!(!adjudication.accepts_draw(side, 50));
        adjudication.moved(side, Score(0));
        assert!(adjudication.accepts_draw(side, 31) && !adjudication.accepts_draw(side, 30));
        adjudication.moved(side, Score(20));
        assert!(!adjudication.accepts_draw(side, 50));
    }

    #[test]
    fn what_was_bad_for_one_side_is_not_for_the_other() {
        let mut adjudication = ResignDrawPolicy::default();
        for _ in 0..RESIGN_MOVES {
            adjudication.moved(Color::White, Score(-1100));
        }
        assert!(!adjudication.accepts_draw(Color::Black, 50));
        adjudication.moved(Color::Black, Score(-1100));
        assert_eq!(adjudication.decide(50), None);
    }
}
