//! Static exchange evaluation: what a series of captures on one square is worth.
//!
//! See <https://www.chessprogramming.org/SEE_-_The_Swap_Algorithm>.

use super::known::KnownMove;
use crate::rules::{Rules, blast};
use crate::{Bitboard, Move, Position, Role, Square, attacks};

/// What a piece is worth in exchanges, in centipawns. The king is beyond price.
#[inline(always)]
pub(super) fn value(role: Role) -> i32 {
    VALUES[role.index()]
}

// A table, where a match may become a jump that is often mispredicted.
static VALUES: [i32; 6] = [100, 320, 330, 500, 950, 20_000];

/// What a capture takes at once, in centipawns.
#[inline(always)]
pub(super) fn gain<R: Rules>(position: &Position<R>, known: KnownMove) -> i32 {
    if R::EXPLODES {
        return explosion(position, known.m);
    }
    let taken = known.captured.map_or(0, value);
    // What is taken comes back as a drop.
    if R::DROPS { 2 * taken } else { taken }
}

/// What the opponent loses by an explosion less what is lost with it; a king decides.
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

/// Whether a legal move and the exchange that may follow on its square win at least `threshold`
/// centipawns.
#[inline(always)]
pub(super) fn at_least<R: Rules>(position: &Position<R>, known: KnownMove, threshold: i32) -> bool {
    if !R::ROYAL {
        // Giving pieces away is the aim.
        return true;
    }
    let KnownMove { m, role, captured } = known;
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
    // Even for nothing, or even if the piece is lost for nothing, is the threshold reached?
    let mut balance = gained - threshold;
    if balance < 0 {
        return false;
    }
    balance -= value(moved);
    balance >= 0 || exchange(position, m, balance)
}

/// Whether the side that has made a move keeps `balance` at 0 or more in the exchange that follows,
/// which begins with the loss of its piece.
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

    // Often a pawn or a knight takes back, and that is all that need be known.
    let (us, them) = (position.turn(), !position.turn());
    let settles = |role, from: Bitboard| {
        balance + value(role) < 0 && (from & board.pieces(them, role) & occupied).any()
    };
    if settles(Role::Pawn, attacks::pawn(us, to)) || settles(Role::Knight, attacks::knight(to)) {
        return false;
    }

    let diagonals = board.diagonals();
    let orthogonals = board.orthogonals();
    let mut attackers = board.attackers_of_both(to, occupied) & occupied;
    let mut turn = them;
    // Each side takes with its cheapest piece and may stop when that does not pay.
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
        // The king may not take what is protected.
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
    // The side that cannot or will not go on has lost the exchange.
    turn != us
}
