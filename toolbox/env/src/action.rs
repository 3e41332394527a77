//! Moves as numbers from 0 to 4,671, as in `AlphaZero`: the square that a piece leaves, and one of
//! 73 planes for the direction and distance.
//!
//! Squares count along the files (a1, a2, … h8) and planes are as the player sees the board: for
//! Black it is mirrored top to bottom.
//!
//! | planes | |
//! |---|---|
//! | 0 to 55 | steps along a line: eight times the distance less one, plus the direction |
//! | 56 to 63 | knight jumps |
//! | 64 to 72 | promotions to knight, bishop and rook: to the left, straight, to the right |
//!
//! Directions and jumps are in the order of their file, then of their rank. A promotion to a queen
//! is a plain step. Castling is a step of the king over two squares; in Chess960, where that could
//! be another move, it is the king taking its rook.

use engine_core::{CastlingMode, File, Move, Position, Role, Square};

/// How many actions there are.
pub const ACTIONS: usize = 64 * PLANES;

const PLANES: usize = 73;
const JUMPS: usize = 56;
const PROMOTIONS: usize = 64;

/// The number of a legal move.
pub fn encode(position: &Position, m: Move) -> usize {
    let player = position.turn();
    let (from, to) = (
        m.from().relative(player),
        target(position, m).relative(player),
    );
    let files = to.file().index().cast_signed() - from.file().index().cast_signed();
    let ranks = to.rank().index().cast_signed() - from.rank().index().cast_signed();
    let plane = match m.promoted() {
        Some(Role::Knight) => promotion(files, 0),
        Some(Role::Bishop) => promotion(files, 1),
        Some(Role::Rook) => promotion(files, 2),
        _ if (files * ranks).abs() == 2 => jump(files, ranks),
        _ => step(files, ranks),
    };
    (from.file().index() * 8 + from.rank().index()) * PLANES + plane
}

/// The legal move with this number.
pub fn decode(position: &Position, action: usize) -> Option<Move> {
    let moves = position.legal_moves();
    moves.into_iter().find(|&m| encode(position, m) == action)
}

/// Where the moving piece goes; for castling, the square that stands for it.
fn target(position: &Position, m: Move) -> Square {
    if !m.is_castle() || position.mode() == CastlingMode::Chess960 {
        m.to()
    } else if m.to() > m.from() {
        Square::new(File::G, m.from().rank())
    } else {
        Square::new(File::C, m.from().rank())
    }
}

fn promotion(files: isize, piece: usize) -> usize {
    PROMOTIONS + 3 * (files + 1).unsigned_abs() + piece
}

fn jump(files: isize, ranks: isize) -> usize {
    let file = files + 2 - isize::from(files > 0);
    JUMPS + 2 * file.unsigned_abs() + usize::from(ranks > 0)
}

fn step(files: isize, ranks: isize) -> usize {
    let distance = files.unsigned_abs().max(ranks.unsigned_abs());
    let direction = (3 * (files.signum() + 1) + ranks.signum() + 1).unsigned_abs();
    // The fifth of nine directions would be to stay.
    8 * (distance - 1) + direction - usize::from(direction > 4)
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine_core::Setup;

    fn code(fen: &str, text: &str) -> usize {
        let setup = Setup::from_fen(fen).unwrap();
        let position = Position::from_setup(&setup, setup.castling_mode()).unwrap();
        let m = position.parse_uci(text).unwrap();
        let action = encode(&position, m);
        assert_eq!(decode(&position, action), Some(m));
        action
    }

    #[test]
    fn known_codes() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        // As PettingZoo numbers them.
        assert_eq!(code(start, "g1f3"), 3563);
        assert_eq!(code(start, "a2a3"), 77);
        let black = "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1";
        assert_eq!(code(black, "h7h6"), 4165);
    }

    #[test]
    fn queens_are_steps_and_other_promotions_are_not() {
        let fen = "1n5k/P7/8/8/8/8/8/K7 w - - 0 1";
        let square = 6 * PLANES;
        assert_eq!(code(fen, "a7a8q"), square + 4);
        assert_eq!(code(fen, "a7a8n"), square + 67);
        assert_eq!(code(fen, "a7b8r"), square + 72);
    }

    #[test]
    fn castling() {
        let king = 4 * 8 * PLANES;
        assert_eq!(code("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1"), king + 14);
        assert_eq!(code("r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1", "e8c8"), king + 9);
        // Chess960: the king takes its rook.
        assert_eq!(code("4k3/8/8/8/8/8/8/4KR2 w F - 0 1", "e1f1"), king + 6);
    }

    #[test]
    fn nothing_else_is_a_move() {
        let start = Position::start();
        let legal = (0..2 * ACTIONS).filter(|&action| decode(&start, action).is_some());
        assert_eq!(legal.count(), 20);
        assert_eq!(decode(&start, usize::MAX), None);
    }
}
