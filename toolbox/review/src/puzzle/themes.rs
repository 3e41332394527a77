//! The themes of a puzzle, by the names of lichess:
//! <https://github.com/lichess-org/lila/blob/master/translation/source/puzzleTheme.xml>.

use super::solution::Solution;
use crate::tactics::{Motif, Trade, of_mate, of_move};
use engine_core::{AnyPosition, Move, Role};
use pgn::Eval;
use std::collections::BTreeSet;

/// Moves of a game that are its opening, and pieces from which on an ending begins.
const OPENING: u32 = 10;
const ENDING: u32 = 6;

/// The themes of a position that a mistake led to, sorted.
pub(super) fn of(start: &AnyPosition, mistake: Move, solution: &Solution) -> Vec<&'static str> {
    let mut themes = BTreeSet::new();
    themes.insert(length(solution.moves.len().div_ceil(2)));
    themes.insert(phase(start));
    themes.extend(ending(start));
    themes.extend(goal(solution));
    themes.extend(of_moves(start, mistake, solution));
    if is_sacrifice(start, solution) {
        themes.insert("sacrifice");
    }
    themes.into_iter().collect()
}

fn length(moves: usize) -> &'static str {
    match moves {
        1 => "oneMove",
        2 => "short",
        3 => "long",
        _ => "veryLong",
    }
}

fn phase(position: &AnyPosition) -> &'static str {
    let board = position.board();
    let pieces = board.occupied() - board.role(Role::Pawn) - board.role(Role::King);
    if pieces.count() <= ENDING {
        "endgame"
    } else if position.fullmoves() <= OPENING {
        "opening"
    } else {
        "middlegame"
    }
}

/// An ending with pieces of one kind.
fn ending(position: &AnyPosition) -> Option<&'static str> {
    let board = position.board();
    let roles = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
    let there: Vec<_> = roles
        .into_iter()
        .filter(|&role| board.role(role).any())
        .collect();
    match *there {
        [] => Some("pawnEndgame"),
        [Role::Knight] => Some("knightEndgame"),
        [Role::Bishop] => Some("bishopEndgame"),
        [Role::Rook] => Some("rookEndgame"),
        [Role::Queen] => Some("queenEndgame"),
        [Role::Rook, Role::Queen] => Some("queenRookEndgame"),
        _ => None,
    }
}

/// The goal that is reached: mate, or how large an advantage.
fn goal(solution: &Solution) -> Vec<&'static str> {
    if solution.end.is_checkmate() {
        let in_moves = match solution.moves.len().div_ceil(2) {
            1 => "mateIn1",
            2 => "mateIn2",
            3 => "mateIn3",
            4 => "mateIn4",
            _ => "mateIn5",
        };
        let pattern = of_mate(&solution.end).map(Motif::theme);
        return ["mate", in_moves].into_iter().chain(pattern).collect();
    }
    match solution.eval {
        Eval::Mate(_) => vec!["crushing"],
        Eval::Cp(cp) if cp.abs() >= 600 => vec!["crushing"],
        Eval::Cp(_) => vec!["advantage"],
    }
}

/// The ideas of the solver's moves.
fn of_moves(start: &AnyPosition, mistake: Move, solution: &Solution) -> Vec<&'static str> {
    let mut position = *start;
    let mut themes = Vec::new();
    for (ply, &m) in solution.moves.iter().enumerate() {
        if ply % 2 == 0 {
            let motifs = of_move(&position, m).into_iter();
            // A hanging piece hangs from the beginning, and has not just captured.
            let has_taken = m.to() == mistake.to() && start.halfmoves() == 0;
            let is_fresh = ply == 0 && !has_taken;
            let motifs =
                motifs.filter(|motif| is_fresh || !matches!(motif, Motif::HangingPiece(_)));
            themes.extend(motifs.map(Motif::theme));
        }
        position.play(m);
    }
    themes
}

/// Whether the solver has less after a move than at the beginning, by more than a pawn, and that not
/// because the opponent has promoted. What the first move gives up does not count yet.
fn is_sacrifice(start: &AnyPosition, solution: &Solution) -> bool {
    let mut position = *start;
    let mut moves = solution.moves.iter().enumerate();
    let has_less = moves.any(|(ply, &m)| {
        position.play(m);
        let is_after_second = ply >= 2 && ply % 2 == 0;
        is_after_second && Trade::between(start, &position, start.turn()).value() <= -200
    });
    let mut answers = solution.moves.iter().skip(1).step_by(2);
    has_less && answers.all(|answer| answer.promoted().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine_core::{CastlingMode, Variant};

    fn themes(fen: &str, line: &str, eval: Eval) -> Vec<&'static str> {
        let start = AnyPosition::from_fen(Variant::Standard, fen, CastlingMode::Standard).unwrap();
        let mut end = start;
        let moves = line.split_whitespace().map(|san| {
            let m = end.parse_san(san).unwrap();
            end.play(m);
            m
        });
        let moves = moves.collect();
        let solution = Solution {
            moves,
            depth: 5,
            eval,
            end,
        };
        let mistake = Move::normal(engine_core::Square::A8, engine_core::Square::B8);
        of(&start, mistake, &solution)
    }

    #[test]
    fn themes_of_solutions() {
        let smothered = themes(
            "r5rk/6pp/7N/8/8/1Q6/6PP/6K1 w - - 0 30",
            "Qg8+ Rxg8 Nf7#",
            Eval::Mate(2),
        );
        for theme in [
            "endgame",
            "mate",
            "mateIn2",
            "sacrifice",
            "short",
            "smotheredMate",
        ] {
            assert!(smothered.contains(&theme), "{theme}: {smothered:?}");
        }
        let fork = themes(
            "r3k3/8/8/3N4/8/8/8/4K3 w - - 0 40",
            "Nc7+ Kd7 Nxa8",
            Eval::Cp(500),
        );
        assert_eq!(fork, ["advantage", "endgame", "fork", "short"]);
        // An exchange: the bishop is taken back.
        let exchange = themes(
            "4k3/8/5p2/3b4/2B5/8/4N3/4K3 w - - 0 40",
            "Bxd5 f5 Nd4",
            Eval::Cp(500),
        );
        assert!(!exchange.contains(&"sacrifice"), "{exchange:?}");
        let exchange = themes(
            "2r1k3/1p6/2n5/8/8/2N5/8/2R1K3 w - - 0 40",
            "Nd5 Nd4 Rxc8+",
            Eval::Cp(500),
        );
        assert!(!exchange.contains(&"sacrifice"), "{exchange:?}");
        let traded = themes(
            "4k3/3p4/2n5/8/1B6/8/8/2R1K3 w - - 0 40",
            "Rxc6 dxc6 Bc5",
            Eval::Cp(500),
        );
        assert!(traded.contains(&"sacrifice"), "{traded:?}");
        let taken_back = themes(
            "3qk3/8/8/3p4/8/2N5/8/3QK3 w - - 0 40",
            "Nxd5 Qxd5 Qxd5",
            Eval::Cp(500),
        );
        assert!(!taken_back.contains(&"sacrifice"), "{taken_back:?}");
        let pawns = themes("8/P6k/8/8/8/8/8/3K4 w - - 0 50", "a8=Q", Eval::Cp(900));
        assert_eq!(
            pawns,
            ["crushing", "endgame", "oneMove", "pawnEndgame", "promotion"]
        );
    }
}
