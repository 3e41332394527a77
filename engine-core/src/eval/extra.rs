//! What variants have beside pieces on squares: pieces in hand, checks given and their danger.

use crate::rules::{Crazyhouse, Extra, ThreeCheck};
use crate::types::{Bitboard, Color, Role, Side};
use crate::{Position, attacks};

/// Three-check: the checks that a side can have given, the last of which ends the game.
pub(super) const MAX_GIVEN: u8 = 3;

/// Three-check: a feature for each check given.
#[inline(always)]
pub(super) fn checks_given(position: &Position<ThreeCheck>, color: Color) -> u32 {
    let remaining = position.extra().remaining_checks(color);
    (1 << MAX_GIVEN.saturating_sub(remaining)) - 1
}

/// For each square where a piece can give check next move, by checks still to give; half as much
/// if a pawn or the king guards the square.
const CHECK_SQUARE: [i32; 4] = [0, 80, 45, 22];
/// For each square on an open line to the king (only pawns block), by checks still to give.
const EXPOSED: [i32; 4] = [0, 16, 10, 5];
/// Attacks on the king ring times attackers, in quarters of a centipawn, by checks still to give.
const PRESSURE: [i32; 4] = [0, 8, 5, 3];

/// Three-check: the danger of the next check to the enemy's king.
pub(super) fn danger(position: &Position<ThreeCheck>, color: Color) -> i32 {
    let remaining = usize::from(position.extra().remaining_checks(color).min(3));
    let board = position.board();
    let Some(king) = board.king(!color) else {
        return 0;
    };
    let (own, occupied) = (board.color(color), board.occupied());
    let ring = attacks::king(king);
    let bishop = attacks::bishop(king, occupied) - own;
    let rook = attacks::rook(king, occupied) - own;
    let queen = bishop | rook;
    let mut squares = Bitboard::EMPTY;
    let (mut attackers, mut hits) = (0, 0);
    let mut add = |seen: Bitboard, checking: Bitboard| {
        let count = (seen & ring).count() as i32;
        hits += count;
        attackers += i32::from(count > 0);
        squares |= seen & checking;
    };
    for from in own & board.role(Role::Knight) {
        add(attacks::knight(from), attacks::knight(king) - own);
    }
    // A queen is counted once as a bishop and once as a rook.
    let queens = board.role(Role::Queen);
    for from in own & board.diagonals() {
        let checking = if queens.has(from) { queen } else { bishop };
        add(attacks::bishop(from, occupied), checking);
    }
    for from in own & board.orthogonals() {
        let checking = if queens.has(from) { queen } else { rook };
        add(attacks::rook(from, occupied), checking);
    }
    let pawns = board.role(Role::Pawn);
    let enemy_pawns = pawns - own;
    let enemy = !color;
    let guarded = ring | enemy.forward_west(enemy_pawns) | enemy.forward_east(enemy_pawns);
    let halves = 2 * (squares - guarded).count() + (squares & guarded).count();
    let exposed = (attacks::bishop(king, pawns) | attacks::rook(king, pawns)).count();
    let danger = CHECK_SQUARE[remaining] * halves as i32 / 2
        + EXPOSED[remaining] * exposed as i32
        + PRESSURE[remaining] * hits * attackers / 4;
    danger.min(5000)
}

/// Crazyhouse: for how many pieces of a role in hand there are features.
const COPIES: [u32; 6] = [10, 4, 4, 4, 2, 0];
/// Crazyhouse: the number of these features.
pub(super) const MAX_IN_HAND: u8 = {
    let [pawns, knights, bishops, rooks, queens, kings] = COPIES;
    (pawns + knights + bishops + rooks + queens + kings) as u8
};

/// Crazyhouse: a feature for each copy of a piece in hand; those beyond [`COPIES`] have none.
#[inline(always)]
pub(super) fn in_hand(position: &Position<Crazyhouse>, color: Color) -> u32 {
    let pockets = position.extra().pockets();
    let (mut features, mut first) = (0, 0);
    for role in Role::ALL {
        let copies = COPIES[role.index()];
        let count = pockets.count(color, role).min(copies);
        features |= ((1 << count) - 1) << first;
        first += copies;
    }
    features
}
