//! What variants add to the pieces on the board: pieces in hand, checks given, the way to the hill.

use super::weights::Tapered;
use crate::rules::{Extra, HILL, Rules, Variant};
use crate::types::{Bitboard, Color, Role};
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
        Variant::ThreeCheck => {
            let remaining = position.extra().remaining_checks(color);
            CHECKS[usize::from(remaining.min(3))]
        }
        Variant::Crazyhouse => in_hand(position, color),
        _ => Tapered::default(),
    }
}

/// By the number of checks that are still to be given.
const CHECKS: [Tapered; 4] = [
    Tapered::new(900, 900),
    Tapered::new(420, 420),
    Tapered::new(140, 140),
    Tapered::new(0, 0),
];

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
