//! Scale factors of endings in which a lead of material wins rarely or never.
//!
//! Sources: <https://www.chessprogramming.org/Draw_Evaluation> and
//! <https://en.wikipedia.org/wiki/Wrong_rook_pawn>.

use crate::types::{Color, File, Rank, Role, Square};
use crate::{Bitboard, Board};

/// With more pieces on the board nothing is scaled, which saves the time to look.
pub(super) const MOST_IN_DRAWISH_ENDINGS: u32 = 16;
/// All of a lead counts.
const NORMAL: i32 = 100;
/// A lead that wins rarely. Without pawns, by the tables, a lead of a minor piece wins 5 % of the
/// quiet positions of KRB and of KRN v KR, 6 % of KR v KB and 19 % of KR v KN.
const DRAWISH: i32 = 20;
/// A lead that cannot win against sensible play.
const DRAWN: i32 = 0;

/// What counts of the lead of this side, in percent.
#[inline(always)]
pub(super) fn scale_factor(board: &Board, strong: Color) -> i32 {
    let pawns = board.pieces(strong, Role::Pawn);
    if pawns.is_subset(File::A.bitboard()) || pawns.is_subset(File::H.bitboard()) {
        on_one_rook_file(board, strong, pawns.first())
    } else {
        NORMAL
    }
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
    let pieces = board.color(strong) - board.role(Role::Pawn) - board.role(Role::King);
    pieces.is_subset(board.role(Role::Bishop) & other_color)
        && board.king(!strong).is_some_and(is_near)
}

fn without_pawns(board: &Board, strong: Color) -> i32 {
    let [own, opponent] = [strong, !strong].map(|color| piece_values(board, color));
    let is_bare = board.color(!strong).count() == 1;
    let knights = board.pieces(strong, Role::Knight).count();
    if own < ROOK || own == 2 * MINOR && knights == 2 && is_bare {
        DRAWN
    } else if own <= opponent + MINOR || own == 2 * MINOR && knights == 2 {
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
