//! Illegal moves as python-chess plays them, after it has read them on the board of another line.

use crate::coordinates::Coordinates;
use engine_core::castling_targets;
use engine_core::notation::{MoveError, MoveText};
use engine_core::{AnyPosition, Bitboard, File, Move, Rank, Role, Setup, Square};

/// The result of a move.
pub(super) struct PlayedMove {
    /// The move, by its squares if it is illegal; none for the null move.
    pub(super) m: Option<Move>,
    /// The move in algebraic notation.
    pub(super) san: String,
    /// The position after it.
    pub(super) after: AnyPosition,
}

/// Plays a move in UCI notation, whatever the rules say. An illegal one makes its piece one of the
/// side to move.
///
/// # Errors
/// When no piece stands where the move begins, with python-chess's message.
pub(super) fn play(position: &AnyPosition, uci: &str) -> Result<PlayedMove, String> {
    match position.parse_uci(uci) {
        Ok(m) => Ok(legal(position, Some(m))),
        Err(MoveError::Null) => Ok(legal(position, None)),
        Err(_) => illegal(position, uci).ok_or_else(|| no_piece(position, uci)),
    }
}

fn legal(position: &AnyPosition, m: Option<Move>) -> PlayedMove {
    let mut after = *position;
    let san = if let Some(m) = m {
        let san = after.to_san(m);
        after.play(m);
        san
    } else {
        after.play_null();
        MoveText::null()
    };
    PlayedMove {
        m,
        san: san.to_string(),
        after,
    }
}

fn illegal(position: &AnyPosition, uci: &str) -> Option<PlayedMove> {
    let Coordinates {
        from,
        to,
        promotion,
    } = Coordinates::read(uci)?;
    let promotion = promotion.and_then(Role::from_letter);
    let (setup, mode) = (position.to_setup(), position.mode());
    let mut after = setup.clone();
    push(&mut after, from, to, promotion)?;
    let after = AnyPosition::from_setup_unchecked(position.variant(), &after, mode);
    let mut san = bare_san(position, &setup, from, to)?;
    if let Some(role) = promotion {
        san.extend(['=', role.upper()]);
    }
    let (is_check, is_mate) = (after.in_check(), !after.has_legal_move());
    if is_check {
        san.push(if is_mate { '#' } else { '+' });
    }
    let m = match promotion {
        Some(role) => Move::promotion(from, to, role),
        None => Move::normal(from, to),
    };
    Some(PlayedMove {
        m: Some(m),
        san,
        after,
    })
}

fn no_piece(position: &AnyPosition, uci: &str) -> String {
    let fen = position.fen();
    format!(
        "AssertionError: san() and lan() expect move to be legal or null, but got {uci} in {fen}"
    )
}

/// The move in algebraic notation without promotion and check.
fn bare_san(position: &AnyPosition, setup: &Setup, from: Square, to: Square) -> Option<String> {
    let (board, us) = (&setup.board, setup.turn);
    let role = board.role_at(from)?;
    let files = from.file().index().abs_diff(to.file().index());
    if role == Role::King && (files > 1 || board.pieces(us, Role::Rook).has(to)) {
        let is_long = to.file() < from.file();
        return Some(if is_long { "O-O-O" } else { "O-O" }.into());
    }
    let touched = from.bitboard() | to.bitboard();
    let captures = (touched & board.color(!us)).any() || takes_en_passant(setup, role, from, to);
    let mut san = String::new();
    if role != Role::Pawn {
        san.push(role.upper());
        let moves = position.legal_moves();
        let is_rival = |m: &&Move| {
            m.to() == to && !m.is_drop() && m.from() != from && board.role_on(m.from()) == role
        };
        let rivals: Bitboard = moves.iter().filter(is_rival).map(|m| m.from()).collect();
        let shares_file = (rivals & from.file().bitboard()).any();
        if rivals.any() && (!shares_file || (rivals & from.rank().bitboard()).any()) {
            san.push(from.file().letter());
        }
        if shares_file {
            san.push(from.rank().digit());
        }
    } else if captures {
        san.push(from.file().letter());
    }
    if captures {
        san.push('x');
    }
    Some(san + &to.to_string())
}

fn takes_en_passant(setup: &Setup, role: Role, from: Square, to: Square) -> bool {
    role == Role::Pawn
        && setup.en_passant == Some(to)
        && matches!(from.index().abs_diff(to.index()), 7 | 9)
        && !setup.board.occupied().has(to)
}

fn push(setup: &mut Setup, from: Square, to: Square, promotion: Option<Role>) -> Option<()> {
    let us = setup.turn;
    let to = rook_of(setup, from, to);
    let piece = setup.board.piece_at(from)?;
    let touched = from.bitboard() | to.bitboard();
    setup.halfmoves += 1;
    setup.fullmoves += u32::from(!us.is_white());
    if (touched & (setup.board.role(Role::Pawn) | setup.board.color(!us))).any() {
        setup.halfmoves = 0;
    }
    let takes_passed = takes_en_passant(setup, piece.role, from, to);
    setup.en_passant = None;
    setup.board.remove_at(from);
    setup.castling &= !touched;
    let captured = setup.board.role_at(to);
    if piece.role == Role::King {
        setup.castling &= !us.backrank().bitboard();
    } else if captured == Some(Role::King) && to.rank() == (!us).backrank() {
        setup.castling &= !(!us).backrank().bitboard();
    }
    if piece.role == Role::Pawn {
        match (from.rank(), to.index().wrapping_sub(from.index()) as i8) {
            (Rank::Second, 16) => setup.en_passant = from.offset(0, 1),
            (Rank::Seventh, -16) => setup.en_passant = from.offset(0, -1),
            _ if takes_passed => {
                let passed = to.offset(0, if us.is_white() { -1 } else { 1 });
                passed.and_then(|passed| setup.board.remove_at(passed));
            }
            _ => {}
        }
    }
    let role = promotion.unwrap_or(piece.role);
    let castles = role == Role::King && setup.board.color(us).has(to);
    if castles {
        setup.board.remove_at(to);
    }
    let mut put = |role: Role, square: Square| setup.board.put(role.of(us), square);
    if castles {
        let (king_to, rook_to) = castling_targets(us, from, to);
        put(Role::King, king_to);
        put(Role::Rook, rook_to);
    } else {
        put(role, to);
    }
    setup.turn = !us;
    Some(())
}

/// The rook that a king means which goes two steps from its first square.
fn rook_of(setup: &Setup, from: Square, to: Square) -> Square {
    let board = &setup.board;
    let is_home = from.file() == File::E && Bitboard::BACKRANKS.has(from);
    let is_king = board.role(Role::King).has(from) && !board.role(Role::Rook).has(to);
    if !is_home || !is_king || from.rank() != to.rank() {
        return to;
    }
    match to.file() {
        File::G => Square::new(File::H, to.rank()),
        File::C => Square::new(File::A, to.rank()),
        _ => to,
    }
}
