//! What variants add to the pieces on the board: pieces in hand, checks given, the way to the hill.

use super::weights::Tapered;
use crate::rules::{Extra, HILL, Rules, Variant};
use crate::types::{Bitboard, Black, Color, Role, Side, White};
use crate::{Position, attacks};

/// How much better the side to move stands in what the pieces do not tell.
#[inline(always)]
pub(super) fn balance<R: Rules>(position: &Position<R>) -> Tapered {
    match R::VARIANT {
        Variant::KingOfTheHill | Variant::ThreeCheck | Variant::Crazyhouse => {
            of(position, position.turn()) - of(position, !position.turn())
        }
        _ => Tapered::default(),
    }
}

#[inline(always)]
fn of<R: Rules>(position: &Position<R>, color: Color) -> Tapered {
    match R::VARIANT {
        Variant::KingOfTheHill => way_to_the_hill(position, color),
        Variant::ThreeCheck => checks(position, color),
        Variant::Crazyhouse => in_hand(position, color),
        _ => Tapered::default(),
    }
}

/// By the number of checks that are still to be given: what those given are worth.
const GIVEN: [Tapered; 4] = [
    Tapered::new(900, 900),
    Tapered::new(520, 420),
    Tapered::new(180, 140),
    Tapered::new(0, 0),
];
/// By the same: what each square is worth from which a piece can give check at once, unless a pawn
/// or the king guards it; half as much there.
const CHECK_SQUARE: [i16; 4] = [0, 36, 20, 10];
/// By the same: what each square is worth from which the king could be seen but for pieces.
const EXPOSED: [i16; 4] = [0, 10, 6, 3];

/// Checks given, and how easily the next one is.
fn checks<R: Rules>(position: &Position<R>, color: Color) -> Tapered {
    let remaining = usize::from(position.extra().remaining_checks(color).min(3));
    let board = position.board();
    let Some(king) = board.king(!color) else {
        return GIVEN[remaining];
    };
    let own = board.color(color);
    let occupied = board.occupied();
    let bishop = attacks::bishop(king, occupied) - own;
    let rook = attacks::rook(king, occupied) - own;
    let knight = attacks::knight(king) - own;
    let mut squares = Bitboard::EMPTY;
    for from in own & board.role(Role::Knight) {
        squares |= attacks::knight(from) & knight;
    }
    for from in own & board.diagonals() {
        let seen = attacks::bishop(from, occupied);
        squares |= seen & bishop;
        if board.role(Role::Queen).has(from) {
            squares |= seen & rook;
        }
    }
    for from in own & board.orthogonals() {
        let seen = attacks::rook(from, occupied);
        squares |= seen & rook;
        if board.role(Role::Queen).has(from) {
            squares |= seen & bishop;
        }
    }
    let pawns = board.role(Role::Pawn);
    let enemy_pawns = pawns - own;
    let guarded = attacks::king(king)
        | if color.is_white() {
            Black::forward_west(enemy_pawns) | Black::forward_east(enemy_pawns)
        } else {
            White::forward_west(enemy_pawns) | White::forward_east(enemy_pawns)
        };
    let seen = attacks::bishop(king, pawns) | attacks::rook(king, pawns);
    let halves = 2 * (squares - guarded).count() + (squares & guarded).count();
    let danger =
        CHECK_SQUARE[remaining] * halves as i16 / 2 + EXPOSED[remaining] * seen.count() as i16;
    GIVEN[remaining] + Tapered::new(danger, danger)
}

/// By the number of king steps to the centre.
const STEPS: [Tapered; 4] = [
    Tapered::new(500, 500),
    Tapered::new(110, 220),
    Tapered::new(30, 110),
    Tapered::new(0, 0),
];

fn way_to_the_hill<R: Rules>(position: &Position<R>, color: Color) -> Tapered {
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

/// By role: what a piece in hand is worth.
const IN_HAND: [i32; 6] = [115, 330, 320, 430, 850, 0];
/// What a piece in hand adds for each weak square beside the enemy king.
const THREAT: [i32; 6] = [3, 8, 6, 8, 14, 0];

/// Pieces in hand are worth more where they can be dropped beside the enemy king.
fn in_hand<R: Rules>(position: &Position<R>, color: Color) -> Tapered {
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
    // Squares around the king that we attack or that it alone must guard.
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
