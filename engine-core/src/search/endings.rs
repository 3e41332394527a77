//! Kinds of endings of which more is known than the evaluation tells: leads of material that win
//! rarely or never, and how a bare king is mated.
//!
//! Sources: <https://www.chessprogramming.org/Draw_Evaluation>,
//! <https://en.wikipedia.org/wiki/Wrong_rook_pawn>,
//! <https://www.chessprogramming.org/Mop-up_Evaluation>.

use crate::types::{Color, File, Rank, Role, Square};
use crate::{Bitboard, Board};

/// With more pieces on the board nothing is adjusted, which saves the time to look.
pub(super) const MAX_PIECES: u32 = 16;

/// All of a lead counts.
const NORMAL: i32 = 100;
/// A lead that wins rarely. Without pawns, by the tables, a lead of a minor piece wins 5 % of the
/// quiet positions of KRB and of KRN v KR, 6 % of KR v KB and 19 % of KR v KN.
const DRAWISH: i32 = 20;
/// A lead beside bishops on squares of opposite colours. In 8,000 games of Mola against itself (3,438
/// positions) such scores won as much as others of 43 % of their size.
const OPPOSITE_BISHOPS: i32 = 45;
/// A lead that cannot win against sensible play.
const DRAWN: i32 = 0;

/// The adjusted value of a position for the side to move, in centipawns.
pub(super) fn adjust(board: &Board, turn: Color, value: i32) -> i32 {
    let strong = if value > 0 { turn } else { !turn };
    let scaled = value * scale_factor(board, strong) / NORMAL;
    if scaled != 0 && is_bare(board, !strong) {
        scaled + value.signum() * mop_up(board, strong)
    } else {
        scaled
    }
}

/// Whether a side has its king alone.
fn is_bare(board: &Board, color: Color) -> bool {
    board.color(color).count() == 1
}

/// The pieces of a side beside king and pawns.
fn pieces_of(board: &Board, color: Color) -> Bitboard {
    board.color(color) - board.role(Role::Pawn) - board.role(Role::King)
}

/// The bonus for driving a bare king to the edge, with bishop and knight to a corner of the
/// bishop's colour, and for bringing the own king near. Without pawns: these have a better plan.
#[cold]
fn mop_up(board: &Board, strong: Color) -> i32 {
    let (Some(own), Some(bare)) = (board.king(strong), board.king(!strong)) else {
        return 0;
    };
    if board.pieces(strong, Role::Pawn).any() {
        return 0;
    }
    let [file, rank] = coordinates(bare);
    let [own_file, own_rank] = coordinates(own);
    let between = (file - own_file).abs() + (rank - own_rank).abs();
    let from_centre = |at: i32| (3 - at).max(at - 4);
    let [across, along] = [from_centre(file), from_centre(rank)];
    let edge = match right_corner(board, strong, [file, rank]) {
        Some(near) => 2 * across.max(along) + 6 * near,
        None => across + along,
    };
    20 * edge + 8 * (14 - between)
}

/// With bishop and knight, how near a king is to a corner of the bishop's colour: its distance from
/// the diagonal between the wrong corners, which grows along the edges.
fn right_corner(board: &Board, strong: Color, [file, rank]: [i32; 2]) -> Option<i32> {
    let bishops = board.pieces(strong, Role::Bishop);
    let knights = board.pieces(strong, Role::Knight);
    if board.color(strong).count() != 3 || bishops.is_empty() || knights.is_empty() {
        return None;
    }
    let is_dark = bishops.is_subset(Bitboard::DARK_SQUARES);
    Some((7 - file - if is_dark { rank } else { 7 - rank }).abs())
}

/// File and rank of a square, from 0.
fn coordinates(square: Square) -> [i32; 2] {
    [square.file().index(), square.rank().index()].map(|at| at as i32)
}

/// What counts of the lead of this side, in percent.
#[inline(always)]
fn scale_factor(board: &Board, strong: Color) -> i32 {
    let pawns = board.pieces(strong, Role::Pawn);
    if pawns.is_subset(File::A.bitboard()) || pawns.is_subset(File::H.bitboard()) {
        on_one_rook_file(board, strong, pawns.first())
    } else if has_opposite_bishops(board) {
        OPPOSITE_BISHOPS
    } else {
        NORMAL
    }
}

/// Whether each side has a bishop beside king and pawns, and they never meet.
fn has_opposite_bishops(board: &Board) -> bool {
    let [white, black] = Color::ALL.map(|color| pieces_of(board, color));
    let pieces = white | black;
    pieces.is_subset(board.role(Role::Bishop))
        && [white, black, pieces & Bitboard::LIGHT_SQUARES].map(Bitboard::count) == [1; 3]
}

/// The scale factor of a side without pawns, or with pawns only on the rook file of this one.
#[cold]
fn on_one_rook_file(board: &Board, strong: Color, pawn: Option<Square>) -> i32 {
    match pawn {
        Some(pawn) if !is_stopped(board, strong, pawn.file()) => NORMAL,
        Some(_) if board.pieces(!strong, Role::Pawn).any() => DRAWISH,
        Some(_) => DRAWN,
        None => without_pawns(board, strong),
    }
}

/// Whether rook pawns, alone or with bishops that do not control the square of promotion, find
/// the king there.
fn is_stopped(board: &Board, strong: Color, file: File) -> bool {
    let corner = Square::new(file, strong.relative_rank(Rank::Eighth));
    let is_near = |king: Square| king.distance(corner) <= 1;
    let other_color = if Bitboard::LIGHT_SQUARES.has(corner) {
        Bitboard::DARK_SQUARES
    } else {
        Bitboard::LIGHT_SQUARES
    };
    pieces_of(board, strong).is_subset(board.role(Role::Bishop) & other_color)
        && board.king(!strong).is_some_and(is_near)
}

fn without_pawns(board: &Board, strong: Color) -> i32 {
    let [own, opponent] = [strong, !strong].map(|color| piece_values(board, color));
    let knights = board.pieces(strong, Role::Knight);
    let has_two_knights = knights.count() == 2 && pieces_of(board, strong) == knights;
    if own < ROOK || has_two_knights && is_bare(board, !strong) {
        DRAWN
    } else if own <= opponent + MINOR || has_two_knights {
        DRAWISH
    } else {
        NORMAL
    }
}

const MINOR: u32 = 3;
const ROOK: u32 = 5;
const QUEEN: u32 = 9;

/// The usual values of a side's pieces beside king and pawns.
fn piece_values(board: &Board, color: Color) -> u32 {
    let values = [
        (Role::Knight, MINOR),
        (Role::Bishop, MINOR),
        (Role::Rook, ROOK),
        (Role::Queen, QUEEN),
    ];
    let of = |(role, value)| value * board.pieces(color, role).count();
    values.into_iter().map(of).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Position, Setup, Standard};

    fn factors(fen: &str) -> [i32; 2] {
        let setup = Setup::from_fen(fen).expect("a FEN");
        let mode = setup.castling_mode();
        let position = Position::<Standard>::from_setup(&setup, mode).expect("a position");
        Color::ALL.map(|strong| scale_factor(position.board(), strong))
    }

    #[test]
    fn pieces_without_pawns() {
        for (fen, white) in [
            ("8/8/8/4k3/8/8/2NNK3/8 w - - 0 1", DRAWN),
            ("8/3p4/8/4k3/8/8/2NNK3/8 w - - 0 1", DRAWISH),
            ("8/8/8/4k3/8/8/1NNNK3/8 w - - 0 1", NORMAL),
            ("8/8/8/4k3/8/8/2BNK3/8 w - - 0 1", NORMAL),
            ("8/3p4/8/4k3/8/8/2B1K3/8 w - - 0 1", DRAWN),
            ("8/8/8/4k3/8/8/2R1K3/8 w - - 0 1", NORMAL),
            ("8/8/8/4k2b/8/8/2R1K3/8 w - - 0 1", DRAWISH),
            ("8/8/8/4k2r/8/8/2RNK3/8 w - - 0 1", DRAWISH),
            ("8/8/8/4k2r/8/8/2QNK3/8 w - - 0 1", NORMAL),
            ("8/8/8/4k2r/8/8/2Q1K3/8 w - - 0 1", NORMAL),
            ("8/8/8/4k2r/8/8/2R1K1P1/8 w - - 0 1", NORMAL),
        ] {
            assert_eq!(factors(fen)[0], white, "{fen}");
        }
    }

    /// The bonus grows on the way of a bare king to a corner, with bishop and knight to a right one.
    #[test]
    fn a_bare_king_is_driven_to_a_corner() {
        let bonus = |pieces: [(Role, Square); 2], bare: Square| {
            let mut board = Board::EMPTY;
            board.put(Role::King.of(Color::White), Square::D4);
            for (role, square) in pieces {
                board.put(role.of(Color::White), square);
            }
            board.put(Role::King.of(Color::Black), bare);
            for (turn, value) in [(Color::White, 500), (Color::Black, -500)] {
                let sign = value / 500;
                let bonus = sign * adjust(&board, turn, value) - 500;
                assert_eq!(bonus, mop_up(&board, Color::White));
            }
            mop_up(&board, Color::White)
        };
        let rook_and_knight = [(Role::Rook, Square::A1), (Role::Knight, Square::B1)];
        let path = [Square::D6, Square::D7, Square::D8, Square::F8, Square::H8];
        let values = path.map(|bare| bonus(rook_and_knight, bare) + 8 * distance(bare));
        assert!(values.is_sorted() && values[0] < values[4], "{values:?}");
        for (bishop, path) in [
            (
                Square::C1,
                [Square::A8, Square::C8, Square::E8, Square::G8, Square::H8],
            ),
            (
                Square::F1,
                [Square::H8, Square::F8, Square::D8, Square::B8, Square::A8],
            ),
        ] {
            let pieces = [(Role::Bishop, bishop), (Role::Knight, Square::B1)];
            let values = path.map(|bare| bonus(pieces, bare) + 8 * distance(bare));
            assert!(values.is_sorted_by(|a, b| a < b), "{values:?}");
        }
    }

    /// How far a king on d4 is from a square.
    fn distance(square: Square) -> i32 {
        let [file, rank] = coordinates(square);
        (file - 3).abs() + (rank - 3).abs()
    }

    #[test]
    fn opposite_bishops() {
        for (fen, white) in [
            ("8/5k2/4b3/3p4/8/P1PB4/5K2/8 w - - 0 1", NORMAL),
            ("8/5k2/4b3/3p4/8/P1P1B3/5K2/8 w - - 0 1", OPPOSITE_BISHOPS),
            ("8/5k2/3b4/3p4/8/P1P1B3/5K2/8 w - - 0 1", NORMAL),
            ("8/5k2/4b3/3p4/8/P1P1B1R1/5K2/8 w - - 0 1", NORMAL),
            ("8/5k2/4n3/3p4/8/P1P1B3/5K2/8 w - - 0 1", NORMAL),
            ("8/5k2/8/3p4/8/P1PBB3/5K2/8 w - - 0 1", NORMAL),
        ] {
            assert_eq!(factors(fen)[0], white, "{fen}");
        }
    }

    #[test]
    fn rook_pawns() {
        for (fen, factor) in [
            // The corner h8 is dark.
            ("7k/8/8/8/8/7P/4B3/4K3 w - - 0 1", DRAWN),
            ("7k/8/8/8/7P/7P/4B3/4K3 w - - 0 1", DRAWN),
            ("7k/8/8/8/8/p6P/4B3/4K3 w - - 0 1", DRAWISH),
            ("6k1/8/8/8/8/7P/5B2/4K3 w - - 0 1", NORMAL),
            ("5k2/8/8/8/8/7P/4B3/4K3 w - - 0 1", NORMAL),
            ("7k/8/8/8/8/7P/4N3/4K3 w - - 0 1", NORMAL),
            ("7k/8/8/8/8/6P1/4B3/4K3 w - - 0 1", NORMAL),
            ("7k/8/8/8/8/7P/7P/4K3 w - - 0 1", DRAWN),
            ("7k/8/8/8/P7/7P/7P/4K3 w - - 0 1", NORMAL),
            // The corner a1 is dark too.
            ("8/4k3/4b3/8/p7/8/1K6/8 w - - 0 1", DRAWN),
            ("8/4k3/3b4/8/p7/8/1K6/8 w - - 0 1", NORMAL),
        ] {
            let strong = usize::from(fen.starts_with("8/4k3"));
            assert_eq!(factors(fen)[strong], factor, "{fen}");
        }
    }
}
