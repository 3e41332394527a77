//! Static exchange evaluation (SEE): the material result of a series of captures on one square.
//!
//! See <https://www.chessprogramming.org/SEE_-_The_Swap_Algorithm>.

use super::move_info::MoveInfo;
use super::tunables as tune;
use crate::rules::{Rules, blast};
use crate::{Bitboard, Move, Position, Role, Square, attacks};

/// The value of the king: more than all other pieces together.
const KING: i32 = 20_000;

macro_rules! values {
    () => {
        [
            tune::value_pawn(),
            tune::value_knight(),
            tune::value_bishop(),
            tune::value_rook(),
            tune::value_queen(),
            KING,
        ]
    };
}

/// The value of a piece in exchanges, in centipawns.
#[inline(always)]
pub(super) fn value(role: Role) -> i32 {
    // A static table: a match may become an indirect jump, which is often mispredicted.
    #[cfg(not(feature = "tune"))]
    static VALUES: [i32; 6] = values!();
    #[cfg(feature = "tune")]
    #[expect(non_snake_case, reason = "static in an ordinary build")]
    let VALUES: [i32; 6] = values!();
    VALUES[role.index()]
}

/// The immediate material gain of a capture, in centipawns.
#[inline(always)]
pub(super) fn gain<R: Rules>(position: &Position<R>, info: MoveInfo) -> i32 {
    if R::EXPLODES {
        return explosion(position, info.m);
    }
    let taken = info.captured.map_or(0, value);
    // A captured piece changes sides.
    if R::DROPS { 2 * taken } else { taken }
}

/// The opponent's losses in an explosion less our own.
fn explosion<R: Rules>(position: &Position<R>, m: Move) -> i32 {
    if !position.is_capture(m) {
        return 0;
    }
    let board = position.board();
    let us = position.turn();
    let from = m.from().bitboard();
    let mut gone = (blast(board, m.to()) - from) & board.occupied();
    if m.is_en_passant() {
        gone |= Square::new(m.to().file(), m.from().rank()).bitboard();
    }
    let worth = |set: Bitboard| -> i32 {
        let roles = Role::ALL.into_iter();
        roles
            .map(|role| (set & board.role(role)).count() as i32 * value(role))
            .sum()
    };
    worth(gone & board.color(!us)) - worth((gone & board.color(us)) | from)
}

/// Whether a legal move and the best exchange after it on its target square win at least
/// `threshold` centipawns.
#[inline(always)]
pub(super) fn at_least<R: Rules>(position: &Position<R>, info: MoveInfo, threshold: i32) -> bool {
    if !R::ROYAL {
        // Losing variants: losing material is no loss.
        return true;
    }
    let MoveInfo { m, role, captured } = info;
    if R::EXPLODES {
        return explosion(position, m) >= threshold;
    }
    if m.is_castle() {
        return threshold <= 0;
    }
    let mut gained = captured.map_or(0, value);
    let mut moved = role;
    if let Some(promoted) = m.promoted() {
        gained += value(promoted) - value(Role::Pawn);
        moved = promoted;
    }
    // Decided at once if even a free capture is not enough, or the loss of the piece is not too much.
    let mut balance = gained - threshold;
    if balance < 0 {
        return false;
    }
    balance -= value(moved);
    balance >= 0 || exchange(position, m, balance)
}

/// The swap algorithm: whether the side that has made a move keeps `balance` at 0 or more, which
/// already counts its piece as lost.
#[inline(never)]
fn exchange<R: Rules>(position: &Position<R>, m: Move, mut balance: i32) -> bool {
    let board = position.board();
    let (from, to) = (m.from(), m.to());
    let mut occupied = board.occupied();
    if m.is_en_passant() {
        occupied ^= Square::new(to.file(), from.rank()).bitboard();
    }
    if !m.is_drop() {
        occupied ^= from.bitboard();
    }
    occupied |= to.bitboard();

    // Shortcut: often a recapture by a pawn or knight decides.
    let (us, them) = (position.turn(), !position.turn());
    let decides = |role, from: Bitboard| {
        balance + value(role) < 0 && (from & board.pieces(them, role) & occupied).any()
    };
    if decides(Role::Pawn, attacks::pawn(us, to)) || decides(Role::Knight, attacks::knight(to)) {
        return false;
    }

    let diagonals = board.diagonals();
    let orthogonals = board.orthogonals();
    let mut attackers = board.attackers_of_both(to, occupied) & occupied;
    let mut turn = them;
    // Each side captures with its least valuable piece and may stop when that does not pay.
    loop {
        let own = attackers & board.color(turn);
        if own.is_empty() {
            break;
        }
        let Some(role) = Role::ALL
            .into_iter()
            .find(|&role| (own & board.role(role)).any())
        else {
            break;
        };
        // The king may not capture a defended piece.
        if role == Role::King && (attackers & board.color(!turn)).any() {
            break;
        }
        occupied ^= (own & board.role(role)).first_or_a1().bitboard();
        turn = !turn;
        balance = -balance - 1 - value(role);
        if balance >= 0 {
            break;
        }
        if matches!(role, Role::Pawn | Role::Bishop | Role::Queen) {
            attackers |= attacks::bishop(to, occupied) & diagonals;
        }
        if matches!(role, Role::Rook | Role::Queen) {
            attackers |= attacks::rook(to, occupied) & orthogonals;
        }
        attackers &= occupied;
    }
    // The side that stops has lost the exchange.
    turn != us
}
