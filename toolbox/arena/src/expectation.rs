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

/// The evaluation of a game that is over: mate or a draw. In variants the side to move may have won.
pub fn end_eval(end: Outcome) -> Eval {
    match end.winner {
        Some(Color::White) => Eval::Mate(1),
        Some(Color::Black) => Eval::Mate(-1),
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

/// The glyph for a move of this side between White's evaluations before and after it, by the rules
/// of lichess (`Advice.scala` in its source). Between centipawns the lost points of [`chances`] count:
/// 0.1, 0.2 and 0.3. A mate that the move allows or gives away counts by how decided the game is
/// without it, and a longer way to the same mate not at all.
pub fn mark(color: Color, before: Eval, after: Eval) -> Option<u32> {
    let own = |eval| match eval {
        eval if color.is_white() => eval,
        Eval::Cp(cp) => Eval::Cp(-cp),
        Eval::Mate(moves) => Eval::Mate(-moves),
    };
    match (own(before), own(after)) {
        (before @ Eval::Cp(_), after @ Eval::Cp(_)) => match chances(before) - chances(after) {
            0.3.. => Some(4),
            0.2.. => Some(2),
            0.1.. => Some(6),
            _ => None,
        },
        (Eval::Cp(cp), Eval::Mate(..0)) => Some(mark_of_mate(-cp)),
        (Eval::Mate(1..), Eval::Cp(cp)) => Some(mark_of_mate(cp)),
        (Eval::Mate(1..), Eval::Mate(..0)) => Some(mark_of_mate(0)),
        _ => None,
    }
}

/// The glyph for a mate allowed or given away, where without it the side that mates is ahead by
/// these centipawns.
fn mark_of_mate(ahead: i64) -> u32 {
    match ahead {
        1000.. => 6,
        701.. => 2,
        _ => 4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine_core::{AnyPosition, CastlingMode, Game};

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

    #[test]
    fn who_moves_next_may_have_won() {
        let end = |variant, fen| {
            let position = AnyPosition::from_fen(variant, fen, CastlingMode::Standard).unwrap();
            end_eval(Game::new(position).outcome(false).unwrap())
        };
        let mated = "7k/5KQ1/8/8/8/8/8/8 b - - 0 1";
        assert_eq!(end(Variant::Standard, mated), Eval::Mate(1));
        // Black has not followed to the eighth rank; Black has nothing left.
        let race = "5K2/8/k7/8/6Q1/8/8/8 w - - 1 2";
        assert_eq!(end(Variant::RacingKings, race), Eval::Mate(1));
        assert_eq!(
            end(Variant::Antichess, "8/8/8/8/8/8/8/7R b - - 0 1"),
            Eval::Mate(-1)
        );
    }

    #[test]
    fn marks() {
        let cp = |cp| Eval::Cp(cp);
        let mate = |moves| Eval::Mate(moves);
        for (before, after, glyph) in [
            (cp(0), cp(-54), None),
            (cp(0), cp(-56), Some(6)),
            (cp(0), cp(-112), Some(2)),
            (cp(0), cp(-170), Some(4)),
            (cp(0), cp(300), None),
            (cp(2000), cp(1000), None),
            // A mate is allowed.
            (cp(30), mate(-9), Some(4)),
            (cp(-700), mate(-9), Some(4)),
            (cp(-701), mate(-1), Some(2)),
            (cp(-999), mate(-1), Some(2)),
            (cp(-1000), mate(-1), Some(6)),
            // One is given away.
            (mate(1), cp(-30), Some(4)),
            (mate(9), cp(700), Some(4)),
            (mate(9), cp(701), Some(2)),
            (mate(9), cp(1000), Some(6)),
            (mate(1), mate(-1), Some(4)),
            // It takes longer, begins or ends.
            (mate(1), mate(9), None),
            (mate(-9), mate(-1), None),
            (cp(0), mate(3), None),
            (mate(-3), cp(0), None),
        ] {
            let turned = |eval| match eval {
                Eval::Cp(cp) => Eval::Cp(-cp),
                Eval::Mate(moves) => Eval::Mate(-moves),
            };
            assert_eq!(
                mark(Color::White, before, after),
                glyph,
                "{before:?} {after:?}"
            );
            let (before, after) = (turned(before), turned(after));
            assert_eq!(
                mark(Color::Black, before, after),
                glyph,
                "{before:?} {after:?}"
            );
        }
    }
}
