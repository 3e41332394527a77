//! What a variant tells the evaluation.

use super::extra;
use super::perspective::Layout;
use super::tapered::Tapered;
use crate::rules::{
    Atomic, Crazyhouse, Horde, KingOfTheHill, Losing, RacingKings, Rules, Standard, ThreeCheck,
};
use crate::{AnyPosition, Color, Position, Variant, dispatch};

/// What a variant tells the evaluation; every item defaults to standard chess.
pub trait EvalRules: Rules {
    /// How the weights are divided into tables, and how a side sees the board.
    #[doc(hidden)]
    const LAYOUT: Layout = Layout::KING_BUCKETS;
    /// The file of the weights. Variants in which pieces are worth about the same share those of
    /// standard chess.
    #[doc(hidden)]
    const WEIGHTS: &'static [u8] = Self::TABLES;
    /// The same without vectors.
    #[doc(hidden)]
    const TABLES: &'static [u8] = include_bytes!("tables.bin");
    /// What each role adds to the game phase.
    #[doc(hidden)]
    const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];

    /// The extra terms of a side.
    #[doc(hidden)]
    #[inline(always)]
    fn extra_terms(_position: &Position<Self>, _color: Color) -> Tapered {
        Tapered::default()
    }
}

impl Layout {
    /// The layout of a variant.
    pub fn of(variant: Variant) -> Layout {
        fn layout<R: EvalRules>(_: &Position<R>) -> Layout {
            R::LAYOUT
        }
        dispatch!(&AnyPosition::start(variant), |start| layout(start))
    }
}

impl EvalRules for Standard {
    const WEIGHTS: &'static [u8] = include_bytes!("weights.bin");
}

impl EvalRules for KingOfTheHill {
    #[inline(always)]
    fn extra_terms(position: &Position<Self>, color: Color) -> Tapered {
        extra::hill_distance(position, color)
    }
}

impl EvalRules for ThreeCheck {
    #[inline(always)]
    fn extra_terms(position: &Position<Self>, color: Color) -> Tapered {
        extra::checks(position, color)
    }
}

impl EvalRules for Crazyhouse {
    #[inline(always)]
    fn extra_terms(position: &Position<Self>, color: Color) -> Tapered {
        extra::in_hand(position, color)
    }
}

impl EvalRules for Atomic {
    const LAYOUT: Layout = Layout::MIRRORED;
    const TABLES: &'static [u8] = include_bytes!("variants/atomic.bin");
}

impl EvalRules for RacingKings {
    const LAYOUT: Layout = Layout::RACE;
    const TABLES: &'static [u8] = include_bytes!("variants/racing.bin");
}

impl EvalRules for Horde {
    const LAYOUT: Layout = Layout::BY_SIDE;
    const TABLES: &'static [u8] = include_bytes!("variants/horde.bin");
    /// It is the pawns that are used up.
    const PHASE: [i32; 6] = [1, 0, 0, 0, 0, 0];
}

impl<const KIND: usize> EvalRules for Losing<KIND>
where
    Losing<KIND>: Rules,
{
    const LAYOUT: Layout = Layout::KINGLESS;
    const TABLES: &'static [u8] = include_bytes!("variants/losing.bin");
}
