//! Chances to win, draw and lose, as the option `UCI_ShowWDL` shows them.
//!
//! The chance to win is logistic in the score; that to lose is the opponent's chance to win; the
//! rest are draws. Where the curve lies and how steep it is depends on the pieces on the board.
//! Fitted by maximum likelihood to 150,000 positions of Mola's games against itself (1500 nodes a
//! move), half of which were drawn.

use super::{Info, Score, ScoreKind};
use crate::AnyPosition;

/// Permille of wins, draws and losses for the side to move at the root of a search; a game that is
/// over there has its result.
pub fn of(info: &Info, root: &AnyPosition) -> [u32; 3] {
    match info.score {
        Score::DRAW if info.depth == 0 => [0, 1000, 0],
        score => permille(score, root.board().occupied().count() as usize),
    }
}

/// Permille of wins, draws and losses for the side to move, with so many pieces on the board.
pub fn permille(score: Score, pieces: usize) -> [u32; 3] {
    let centipawns = match score.kind() {
        ScoreKind::Mate(_) if score > Score::DRAW => return [1000, 0, 0],
        ScoreKind::Mate(_) => return [0, 0, 1000],
        ScoreKind::Centipawns(centipawns) => f64::from(centipawns),
    };
    let pieces = pieces.clamp(2, 32) as f64;
    let middle = 549.0 - 13.6 * pieces;
    let width = 243.0 - 3.47 * pieces;
    let chance = |advantage: f64| 1000.0 / (1.0 + ((middle - advantage) / width).exp());
    let win = chance(centipawns).round() as u32;
    let loss = (chance(-centipawns).round() as u32).min(1000 - win);
    [win, 1000 - win - loss, loss]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances() {
        let [win, draw, loss] = permille(Score(0), 32);
        assert_eq!(win, loss);
        assert!(draw > 300);
        let mut before = 0;
        for score in (-3000..3000).step_by(50) {
            let [win, draw, loss] = permille(Score(score), 20);
            assert_eq!(win + draw + loss, 1000);
            assert!(win >= before);
            before = win;
            assert_eq!(permille(Score(-score), 20), [loss, draw, win]);
        }
        assert_eq!(permille(Score::mate_in(3), 5), [1000, 0, 0]);
        assert_eq!(permille(Score::mated_in(0), 5), [0, 0, 1000]);
        assert!(permille(Score(150), 30)[0] > permille(Score(150), 6)[0]);
    }
}
