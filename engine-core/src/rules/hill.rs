//! King of the Hill: the side whose king reaches the centre wins.

use super::{Rules, Variant, end};
use crate::{Bitboard, Color, Outcome, Position, Role};

/// The rules of King of the Hill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KingOfTheHill;

/// d4, e4, d5 and e5.
pub(crate) const HILL: Bitboard = Bitboard(0x0000_0018_1800_0000);

impl Rules for KingOfTheHill {
    type Extra = ();

    const VARIANT: Variant = Variant::KingOfTheHill;

    #[inline(always)]
    fn is_variant_end(position: &Position<Self>) -> bool {
        (position.board().role(Role::King) & HILL).any()
    }

    /// With both kings on the hill, that of the side that did not move last was there first.
    #[inline(always)]
    fn variant_end(position: &Position<Self>) -> Option<Outcome> {
        let kings = position.board().role(Role::King) & HILL;
        if kings.is_empty() {
            return None;
        }
        let turn = position.turn();
        let opponent = (kings & position.board().color(!turn)).any();
        Some(end(turn, Some(if opponent { !turn } else { turn })))
    }

    /// A bare king can still walk.
    fn has_insufficient_material(_: &Position<Self>, _: Color) -> bool {
        false
    }
}
