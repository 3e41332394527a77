//! Three-check: the third check wins.

use super::{Extra, Rules, Variant, end_if};
use crate::position::{MoveEffect, Observer};
use crate::types::{ByColor, Color, Role};
use crate::{Board, Outcome, Position, Setup, attacks, zobrist};

/// The rules of Three-check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ThreeCheck;

/// The number of checks that each side must still give to win.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RemainingChecks(pub ByColor<u8>);

impl Default for RemainingChecks {
    fn default() -> RemainingChecks {
        RemainingChecks(ByColor([3; 2]))
    }
}

impl RemainingChecks {
    /// The checks with the sides exchanged.
    pub fn flip(self) -> RemainingChecks {
        let ByColor([white, black]) = self.0;
        RemainingChecks(ByColor([black, white]))
    }
}

impl Extra for RemainingChecks {
    fn key(&self) -> u64 {
        let ByColor([white, black]) = self.0;
        zobrist::splitmix64(u64::from(white) << 8 | u64::from(black))
    }

    fn of(setup: &Setup) -> RemainingChecks {
        setup.checks.unwrap_or_default()
    }

    fn write(&self, setup: &mut Setup) {
        setup.checks = Some(*self);
    }

    #[inline(always)]
    fn remaining_checks(&self, color: Color) -> u8 {
        self.0[color]
    }
}

impl Rules for ThreeCheck {
    type Extra = RemainingChecks;

    const VARIANT: Variant = Variant::ThreeCheck;
    const COUNTS_CHECKS: bool = true;

    #[inline(always)]
    fn after_move<O: Observer>(position: &mut Position<Self>, effect: MoveEffect, _: &mut O) {
        count_check(position, effect.by);
    }

    /// After a side has passed in check, the pass of the other one checks it again, as in
    /// python-chess.
    #[inline(always)]
    fn after_null_move(position: &mut Position<Self>, by: Color) {
        count_check(position, by);
    }

    #[inline(always)]
    fn is_variant_end(position: &Position<Self>) -> bool {
        position.extra().0.0.contains(&0)
    }

    #[inline(always)]
    fn variant_end(position: &Position<Self>) -> Option<Outcome> {
        let remaining = position.extra().0;
        end_if(position.turn(), |color| remaining[color] == 0)
    }

    /// Any piece but the king can give the third check.
    fn has_insufficient_material(position: &Position<Self>, color: Color) -> bool {
        let board = position.board();
        (board.color(color) - board.role(Role::King)).is_empty()
    }
}

/// Counts the check that this side has given, if it has.
#[inline(always)]
fn count_check(position: &mut Position<ThreeCheck>, by: Color) {
    if may_check(position.board(), by) && position.in_check() {
        position.update_extra(|checks| checks.0[by] = checks.0[by].saturating_sub(1));
    }
}

/// Whether a piece of this side could attack the enemy king on an empty board: a quick test that
/// excludes most checks.
#[inline(always)]
fn may_check(board: &Board, side: Color) -> bool {
    let Some(king) = board.king(!side) else {
        return false;
    };
    let reach = attacks::rook_rays(king) | attacks::bishop_rays(king) | attacks::knight(king);
    let pawns = board.role(Role::Pawn);
    let pieces = reach - pawns - board.role(Role::King);
    ((pieces | (attacks::pawn(!side, king) & pawns)) & board.color(side)).any()
}
