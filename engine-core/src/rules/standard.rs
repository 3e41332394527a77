//! Standard chess, and its rule of insufficient material, which other variants share.

use super::{Rules, Variant};
use crate::{Bitboard, Board, Color, Role};

/// The rules of standard chess, Chess960 included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Standard;

impl Rules for Standard {
    type Extra = ();

    const VARIANT: Variant = Variant::Standard;
}

/// Whether this side cannot mate, even with the opponent's help.
pub(super) fn has_insufficient_material(board: &Board, color: Color) -> bool {
    let own = board.color(color);
    let strong = board.role(Role::Pawn) | board.orthogonals();
    if (own & strong).any() {
        return false;
    }
    // A lone knight mates only when an enemy piece other than a queen can block a flight square.
    if (own & board.role(Role::Knight)).any() {
        let blockers = board.color(!color) - board.role(Role::King) - board.role(Role::Queen);
        return own.count() <= 2 && blockers.is_empty();
    }
    // Bishops of one colour of squares need a piece that blocks on the other colour.
    if (own & board.role(Role::Bishop)).any() {
        let bishops = board.role(Role::Bishop);
        let one_colored = (bishops & Bitboard::DARK_SQUARES).is_empty()
            || (bishops & Bitboard::LIGHT_SQUARES).is_empty();
        let helpers = board.role(Role::Pawn) | board.role(Role::Knight);
        return one_colored && helpers.is_empty();
    }
    true
}
