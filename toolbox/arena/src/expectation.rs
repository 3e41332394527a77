//! Expected points by an evaluation, and the marks of moves that lose some of them.

use engine_core::{Color, Outcome, Variant};
use pgn::Eval;

/// Up to this evaluation a centipawn of Mola is one of Stockfish, in standard chess.
const ALIKE: i64 = 500;

/// Beyond it a hundred centipawns of Mola are this many of Stockfish.
const PERCENT_BEYOND: i64 = 35;

/// Converts an evaluation by Mola to the scale of Stockfish, which [`chances`] and readers of
/// annotated games expect. Mola's evaluations grow faster where a game is decided.
///
/// Chosen by eye from the medians of 2,181 positions of games, with Mola at depth 12 and Stockfish
/// 15.1 at depth 15: where Mola has 371, 475, 604, 903 and 1,954, Stockfish has 361, 448, 554,
/// 624 and 889.
pub fn comparable(eval: Eval, variant: Variant) -> Eval {
    match eval {
        Eval::Cp(cp) if variant == Variant::Standard => {
            let beyond = cp - cp.clamp(-ALIKE, ALIKE);
            Eval::Cp(cp - beyond + beyond * PERCENT_BEYOND / 100)
        }
        _ => eval,
    }
}

/// The evaluation of a game that is over: mate or a draw.
pub fn end_eval(end: Outcome, turn: Color) -> Eval {
    match end.winner {
        Some(_) if turn.is_white() => Eval::Mate(-1),
        Some(_) => Eval::Mate(1),
        None => Eval::Cp(0),
    }
}

/// Expected points of White, from -1 to 1: a lost pawn weighs less where the game is decided.
/// The curve is that of lichess, <https://lichess.org/page/accuracy>.
pub fn chances(eval: Eval) -> f64 {
    match eval {
        Eval::Mate(moves) => (moves as f64).signum(),
        Eval::Cp(cp) => 2.0 / (1.0 + (-0.003_682_08 * cp.clamp(-1000, 1000) as f64).exp()) - 1.0,
    }
}

/// The glyph for a move that loses this much of the expected points.
pub fn mark(lost: f64) -> Option<u32> {
    match lost {
        0.3.. => Some(4),
        0.2.. => Some(2),
        0.1.. => Some(6),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_evaluations_are_made_smaller() {
        let standard = |cp| comparable(Eval::Cp(cp), Variant::Standard);
        for (own, told) in [(0, 0), (-500, -500), (900, 640), (-900, -640), (2500, 1200)] {
            assert_eq!(standard(own), Eval::Cp(told));
        }
        assert_eq!(comparable(Eval::Cp(900), Variant::Atomic), Eval::Cp(900));
        assert_eq!(
            comparable(Eval::Mate(-3), Variant::Standard),
            Eval::Mate(-3)
        );
    }
}
