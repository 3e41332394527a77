//! What differs between variants in the evaluation.

use super::extra;
use super::perspective::WeightsLayout;
use crate::rules::{
    Atomic, Crazyhouse, Horde, KingOfTheHill, Losing, RacingKings, Rules, Standard, ThreeCheck,
};
use crate::{AnyPosition, Color, Position, Variant, dispatch};

/// The bytes of a weights file.
#[cfg(not(feature = "packed"))]
macro_rules! weights_file {
    ($name:literal) => {
        include_bytes!($name)
    };
}

/// The same, compressed by the build script.
#[cfg(feature = "packed")]
macro_rules! weights_file {
    ($name:literal) => {
        include_bytes!(concat!(env!("OUT_DIR"), "/", $name))
    };
}

/// What differs between variants in the evaluation; every item defaults to standard chess.
pub trait EvalRules: Rules {
    /// How the weights are divided into tables, and how a side sees the board.
    #[doc(hidden)]
    const LAYOUT: WeightsLayout = WeightsLayout::KING_BUCKETS;
    /// The weights file: tables, and vectors if the variant has any.
    #[doc(hidden)]
    const WEIGHTS: &'static [u8];
    /// The weights file without vectors: tables trained to be used alone.
    #[doc(hidden)]
    const TABLES: &'static [u8];
    /// The weight of each role in the game phase, from pawn to king.
    #[doc(hidden)]
    const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];

    /// The features that a side has beside its pieces on squares, such as pieces in hand: bit `i` is set
    /// if it has feature `i` of those that the layout has.
    #[doc(hidden)]
    #[inline(always)]
    fn extra_features(_position: &Position<Self>, _color: Color) -> u32 {
        0
    }

    /// What is added to the learned value for the side to move, in centipawns.
    #[doc(hidden)]
    #[inline(always)]
    fn extra_terms(_position: &Position<Self>) -> i32 {
        0
    }
}

impl WeightsLayout {
    /// The layout of a variant.
    pub fn of(variant: Variant) -> WeightsLayout {
        fn layout<R: EvalRules>(_: &Position<R>) -> WeightsLayout {
            R::LAYOUT
        }
        dispatch!(&AnyPosition::start(variant), |start| layout(start))
    }
}

impl EvalRules for Standard {
    const WEIGHTS: &'static [u8] = weights_file!("weights.bin");
    const TABLES: &'static [u8] = weights_file!("tables.bin");
}

impl EvalRules for KingOfTheHill {
    const LAYOUT: WeightsLayout = WeightsLayout::SINGLE_VECTORS;
    const WEIGHTS: &'static [u8] = weights_file!("variants/hill.bin");
    const TABLES: &'static [u8] = weights_file!("variants/tables/hill.bin");
}

impl EvalRules for ThreeCheck {
    const LAYOUT: WeightsLayout = WeightsLayout::SINGLE_VECTORS.with_extras(extra::MAX_GIVEN);
    const WEIGHTS: &'static [u8] = weights_file!("variants/checks.bin");
    const TABLES: &'static [u8] = weights_file!("variants/tables/checks.bin");

    #[inline(always)]
    fn extra_features(position: &Position<Self>, color: Color) -> u32 {
        extra::checks_given(position, color)
    }

    #[inline(always)]
    fn extra_terms(position: &Position<Self>) -> i32 {
        let turn = position.turn();
        extra::danger(position, turn) - extra::danger(position, !turn)
    }
}

impl EvalRules for Crazyhouse {
    const LAYOUT: WeightsLayout = WeightsLayout::SINGLE_VECTORS.with_extras(extra::MAX_IN_HAND);
    const WEIGHTS: &'static [u8] = weights_file!("variants/crazyhouse.bin");
    const TABLES: &'static [u8] = weights_file!("variants/tables/crazyhouse.bin");

    #[inline(always)]
    fn extra_features(position: &Position<Self>, color: Color) -> u32 {
        extra::in_hand(position, color)
    }
}

impl EvalRules for Atomic {
    const LAYOUT: WeightsLayout = WeightsLayout::MIRRORED;
    const WEIGHTS: &'static [u8] = weights_file!("variants/atomic.bin");
    const TABLES: &'static [u8] = weights_file!("variants/tables/atomic.bin");
}

impl EvalRules for RacingKings {
    const LAYOUT: WeightsLayout = WeightsLayout::RACE;
    const WEIGHTS: &'static [u8] = weights_file!("variants/racing.bin");
    const TABLES: &'static [u8] = weights_file!("variants/tables/racing.bin");
}

impl EvalRules for Horde {
    const LAYOUT: WeightsLayout = WeightsLayout::BY_SIDE;
    const WEIGHTS: &'static [u8] = weights_file!("variants/horde.bin");
    const TABLES: &'static [u8] = weights_file!("variants/tables/horde.bin");
    /// In Horde the phase follows the number of pawns.
    const PHASE: [i32; 6] = [1, 0, 0, 0, 0, 0];
}

impl<const KIND: usize> EvalRules for Losing<KIND>
where
    Losing<KIND>: Rules,
{
    const LAYOUT: WeightsLayout = WeightsLayout::KINGLESS;
    const WEIGHTS: &'static [u8] = weights_file!("variants/losing.bin");
    const TABLES: &'static [u8] = weights_file!("variants/tables/losing.bin");
}
