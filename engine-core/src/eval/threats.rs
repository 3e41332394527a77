//! Threats and safe checks: which pieces are attacked and by what, and where a check cannot be
//! answered by a capture. Vectors of pieces on squares do not see them, because what a bishop, rook or
//! queen attacks depends on all squares between.
//!
//! Classical evaluations know such terms (Stockfish had them up to version 16,
//! <https://www.chessprogramming.org/Evaluation>); here their worth is learned. Minor pieces are knights
//! and bishops, major pieces rooks and queens; a hanging piece is attacked and not guarded.
//!
//! | kind | one or more of the enemy's |
//! |---|---|
//! | 0, 1 | minor, major pieces attacked by a pawn |
//! | 2 | major pieces attacked by a minor piece |
//! | 3 | queens attacked by a rook |
//! | 4, 5 | minor pieces not guarded by a pawn, attacked by a rook, by a minor piece |
//! | 6 | hanging pieces attacked by a king |
//! | 7, 8, 9 | hanging minor pieces, major pieces, pawns |
//! | 10 | pieces, more than one, threatened as in 0 to 3 or hanging |
//! | | one or more squares for |
//! | 11 to 14 | a safe check by a knight, bishop, rook, queen: nothing can capture there |
//! | 15 | a safe check, more than one |

use crate::types::{Bitboard, Color, Role, Side};
use crate::{Board, attacks};

/// Kinds of threats of one side.
const KINDS: usize = 16;
/// Those of both sides: the same threat is worth more if the side is to move.
pub const THREATS: usize = 2 * KINDS;

/// The threats on a board, a bit each: first those of the side to move, then those of the other.
// Not inlined: the search barely fits the instruction cache.
#[inline(never)]
pub fn threats(board: &Board, turn: Color) -> u32 {
    let (own, enemy) = (Attacks::of(board, turn), Attacks::of(board, !turn));
    of_side(board, turn, &own, &enemy) | of_side(board, !turn, &enemy, &own) << KINDS
}

/// The squares that a side attacks.
struct Attacks {
    pawns: Bitboard,
    knights: Bitboard,
    bishops: Bitboard,
    rooks: Bitboard,
    queens: Bitboard,
    kings: Bitboard,
    all: Bitboard,
}

impl Attacks {
    #[inline(always)]
    fn of(board: &Board, color: Color) -> Attacks {
        let (own, occupied) = (board.color(color), board.occupied());
        let pawns = own & board.role(Role::Pawn);
        let pawns = color.forward_west(pawns) | color.forward_east(pawns);
        let [mut kings, mut knights, mut bishops, mut rooks, mut queens] = [Bitboard::EMPTY; 5];
        // Antichess promotes to kings.
        for from in own & board.role(Role::King) {
            kings |= attacks::king(from);
        }
        for from in own & board.role(Role::Knight) {
            knights |= attacks::knight(from);
        }
        for from in own & board.role(Role::Bishop) {
            bishops |= attacks::bishop(from, occupied);
        }
        for from in own & board.role(Role::Rook) {
            rooks |= attacks::rook(from, occupied);
        }
        for from in own & board.role(Role::Queen) {
            queens |= attacks::queen(from, occupied);
        }
        Attacks {
            pawns,
            knights,
            bishops,
            rooks,
            queens,
            kings,
            all: pawns | knights | bishops | rooks | queens | kings,
        }
    }
}

/// The threats of a side, a bit each.
#[inline(always)]
fn of_side(board: &Board, color: Color, own: &Attacks, enemy: &Attacks) -> u32 {
    let enemies = board.color(!color);
    let minors = enemies & (board.role(Role::Knight) | board.role(Role::Bishop));
    let queens = enemies & board.role(Role::Queen);
    let majors = queens | (enemies & board.role(Role::Rook));
    let by_minor = own.knights | own.bishops;
    // Not guarded by a pawn, and attacked but not guarded at all.
    let weak = minors - enemy.pawns;
    let hanging = enemies & (own.all - enemy.all);
    let hanging_pieces = hanging & (minors | majors);

    let pawn_on_minor = minors & own.pawns;
    let pawn_on_major = majors & own.pawns;
    let minor_on_major = majors & by_minor;
    let rook_on_queen = queens & own.rooks;
    let threatened =
        pawn_on_minor | pawn_on_major | minor_on_major | rook_on_queen | hanging_pieces;

    let [by_knight, by_bishop, by_rook, by_queen] = safe_checks(board, color, own, enemy);
    let checks = by_knight | by_bishop | by_rook | by_queen;

    let bit = |at: u32, is_so: bool| u32::from(is_so) << at;
    bit(0, pawn_on_minor.any())
        | bit(1, pawn_on_major.any())
        | bit(2, minor_on_major.any())
        | bit(3, rook_on_queen.any())
        | bit(4, (weak & own.rooks).any())
        | bit(5, (weak & by_minor).any())
        | bit(6, (hanging_pieces & own.kings).any())
        | bit(7, (hanging & minors).any())
        | bit(8, (hanging & majors).any())
        | bit(9, (hanging & board.role(Role::Pawn)).any())
        | bit(10, threatened.more_than_one())
        | bit(11, by_knight.any())
        | bit(12, by_bishop.any())
        | bit(13, by_rook.any())
        | bit(14, by_queen.any())
        | bit(15, checks.more_than_one())
}

/// The squares from which a knight, bishop, rook or queen gives check and cannot be captured.
#[inline(always)]
fn safe_checks(board: &Board, color: Color, own: &Attacks, enemy: &Attacks) -> [Bitboard; 4] {
    let kings = board.pieces(!color, Role::King);
    // Several kings are not royal: none can be checked.
    let Some(king) = kings.first().filter(|_| !kings.more_than_one()) else {
        return [Bitboard::EMPTY; 4];
    };
    let safe = !(board.color(color) | enemy.all);
    let bishop = attacks::bishop(king, board.occupied()) & safe;
    let rook = attacks::rook(king, board.occupied()) & safe;
    [
        attacks::knight(king) & safe & own.knights,
        bishop & own.bishops,
        rook & own.rooks,
        (bishop | rook) & own.queens,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Setup, Square};

    /// The kinds of threats of the side to move, and of the other.
    fn kinds(fen: &str) -> [Vec<usize>; 2] {
        let setup = Setup::from_fen(fen).expect("a FEN");
        let threats = threats(&setup.board, setup.turn);
        [0, KINDS].map(|first| {
            (0..KINDS)
                .filter(|kind| threats >> first >> kind & 1 > 0)
                .collect()
        })
    }

    #[test]
    fn every_kind_is_seen() {
        let cases: &[(&str, &[usize])] = &[
            ("4k3/8/2p5/3n4/4P3/8/8/4K3 w - - 0 1", &[0]),
            ("4k3/8/2p5/3r4/4P3/8/8/4K3 w - - 0 1", &[1]),
            ("4k3/8/2p5/3r4/8/2N5/8/4K3 w - - 0 1", &[2]),
            ("4k3/1pp5/1q6/8/8/8/8/1R2K3 w - - 0 1", &[3]),
            ("4k3/3r4/8/3n4/8/8/8/3RK3 w - - 0 1", &[4]),
            ("4k3/3r4/8/3n4/8/2N5/8/4K3 w - - 0 1", &[5]),
            ("4k3/8/8/8/8/8/3r4/4K3 w - - 0 1", &[6, 8]),
            ("7k/8/8/3n4/8/1Q6/8/K7 w - - 0 1", &[7, 14, 15]),
            ("4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", &[9]),
            ("4k3/8/1p1p4/2n1n3/3P4/8/8/4K3 w - - 0 1", &[0, 10]),
            ("7k/7p/8/6N1/8/8/8/4K3 w - - 0 1", &[11]),
            ("4k3/3p4/8/8/8/8/8/2B1K3 w - - 0 1", &[]),
            ("7k/7p/8/8/8/8/8/2B1K3 w - - 0 1", &[12]),
            ("7k/6pp/8/8/8/8/8/R3K3 w Q - 0 1", &[13]),
        ];
        for (fen, expected) in cases {
            let [own, _] = kinds(fen);
            assert_eq!(own, *expected, "{fen}");
        }
    }

    #[test]
    fn the_threats_of_the_other_side_are_told_apart() {
        let fen = "4k3/8/2p5/3n4/4P3/8/8/4K3 b - - 0 1";
        assert_eq!(kinds(fen), [Vec::new(), vec![0]]);
    }

    #[test]
    fn several_kings_attack_and_guard_and_are_not_checked() {
        for (fen, mirrored) in [
            (
                "K6K/6r1/8/8/8/8/8/8 w - - 0 1",
                "K6K/1r6/8/8/8/8/8/8 w - - 0 1",
            ),
            (
                "K6K/6N1/8/3q4/8/8/8/8 w - - 0 1",
                "K6K/1N6/8/4q3/8/8/8/8 w - - 0 1",
            ),
            (
                "8/8/8/8/8/8/6r1/K6K b - - 0 1",
                "8/8/8/8/8/8/1r6/K6K b - - 0 1",
            ),
            (
                "k6k/8/3N4/8/8/8/8/8 w - - 0 1",
                "k6k/8/4N3/8/8/8/8/8 w - - 0 1",
            ),
            (
                "k6k/6pp/8/8/8/8/8/R7 w - - 0 1",
                "k6k/pp6/8/8/8/8/8/7R w - - 0 1",
            ),
            (
                "k6k/6p1/8/8/8/8/8/2B5 w - - 0 1",
                "k6k/1p6/8/8/8/8/8/5B2 w - - 0 1",
            ),
        ] {
            assert_eq!(kinds(fen), kinds(mirrored), "{fen}");
        }
        assert_eq!(kinds("K6K/1r6/8/8/8/8/8/8 w - - 0 1")[0], [6, 8]);
    }

    #[test]
    fn boards_without_kings_are_no_problem() {
        let mut board = Board::EMPTY;
        board.put(Role::Queen.of(Color::White), Square::A1);
        board.put(Role::Knight.of(Color::Black), Square::D4);
        assert_eq!(threats(&board, Color::White), 1 << 7);
    }
}
