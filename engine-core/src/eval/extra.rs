//! Extra evaluation terms of variants: pieces in hand, checks given, the king's way to the centre.

use super::tapered::Tapered;
use crate::rules::{Crazyhouse, Extra, HILL, KingOfTheHill, ThreeCheck};
use crate::types::{Bitboard, Color, Role, Side};
use crate::{Position, attacks};

/// The value of the checks given, by the number of checks still to give.
const GIVEN: [Tapered; 4] = [
    Tapered::new(900, 900),
    Tapered::new(520, 420),
    Tapered::new(180, 140),
    Tapered::new(0, 0),
];
/// For each square where a piece can give check next move, by checks still to give; half as much
/// if a pawn or the king guards the square.
const CHECK_SQUARE: [i32; 4] = [0, 80, 45, 22];
/// For each square on an open line to the king (only pawns block), by checks still to give.
const EXPOSED: [i32; 4] = [0, 16, 10, 5];
/// Attacks on the king ring times attackers, in quarters of a centipawn, by checks still to give.
const PRESSURE: [i32; 4] = [0, 8, 5, 3];

/// Three-check: checks given, and the danger of the next one.
pub(super) fn checks(position: &Position<ThreeCheck>, color: Color) -> Tapered {
    let remaining = usize::from(position.extra().remaining_checks(color).min(3));
    let board = position.board();
    let Some(king) = board.king(!color) else {
        return GIVEN[remaining];
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
    let danger = danger.min(5000) as i16;
    GIVEN[remaining] + Tapered::new(danger, danger)
}

/// King of the Hill: by the number of king steps to the centre.
const STEPS: [Tapered; 4] = [
    Tapered::new(500, 500),
    Tapered::new(110, 220),
    Tapered::new(30, 110),
    Tapered::new(0, 0),
];

pub(super) fn hill_distance(position: &Position<KingOfTheHill>, color: Color) -> Tapered {
    let mut reached = position.board().pieces(color, Role::King);
    let mut steps = 0;
    while steps < 3 && (reached & HILL).is_empty() {
        reached = reached
            .into_iter()
            .fold(Bitboard::EMPTY, |wider, king| wider | attacks::king(king));
        steps += 1;
    }
    STEPS[steps]
}

/// Crazyhouse: the value of a piece in hand, by role.
const IN_HAND: [i32; 6] = [115, 330, 320, 430, 850, 0];
/// What a piece in hand adds for each weak square of the enemy's king ring, by role.
const THREAT: [i32; 6] = [3, 8, 6, 8, 14, 0];

/// Crazyhouse: pieces in hand are worth more when the enemy's king ring is weak.
pub(super) fn in_hand(position: &Position<Crazyhouse>, color: Color) -> Tapered {
    let board = position.board();
    let pockets = position.extra().pockets();
    let mut value = 0;
    let mut threat = 0;
    for role in Role::ALL {
        let count = pockets.count(color, role) as i32;
        value += count * IN_HAND[role.index()];
        threat += count.min(3) * THREAT[role.index()];
    }
    let Some(king) = board.king(!color) else {
        return Tapered::new(value.min(9000) as i16, value.min(9000) as i16);
    };
    // Squares of the king ring that we attack.
    let ring = attacks::king(king) - board.color(!color);
    let occupied = board.occupied();
    let weak = ring
        .into_iter()
        .filter(|&square| board.attackers(square, color, occupied).any())
        .count() as i32;
    let value = (value + threat * (1 + weak)).min(9000) as i16;
    let attack = (20 * weak) as i16;
    Tapered::new(value + attack, value)
}
