//! A position of any variant, for code that learns the variant at run time.

use super::Rules;
use super::{
    Antichess, Atomic, Crazyhouse, Giveaway, Horde, KingOfTheHill, RacingKings, Standard, Suicide,
    ThreeCheck, Variant,
};
use crate::setup::{Faults, PositionError};
use crate::{CastlingMode, Position, Setup};
use std::any::Any;
use std::sync::LazyLock;

/// Defines the enumeration and what a [`dispatch!`] cannot do, from the one list of variants.
macro_rules! variants {
    ($($rules:ident)*) => {
        /// A position of one of the variants.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(missing_docs, reason = "named as the rules are")]
        pub enum AnyPosition {
            $($rules(Position<$rules>),)*
        }

        impl AnyPosition {
            /// The start position.
            pub fn start(variant: Variant) -> AnyPosition {
                match variant {
                    $(Variant::$rules => {
                        static START: LazyLock<Position<$rules>> = LazyLock::new(Position::start);
                        AnyPosition::$rules(*START)
                    })*
                }
            }

            /// A position whose variant was known at compile time.
            pub fn of<R: Rules>(position: &Position<R>) -> Option<AnyPosition> {
                // The compiler knows all these types, so nothing of this is left at run time.
                let position: &dyn Any = position;
                $(if let Some(position) = position.downcast_ref::<Position<$rules>>() {
                    return Some(AnyPosition::$rules(*position));
                })*
                None
            }

            /// The position of a setup; see [`Position::from_setup`].
            ///
            /// # Errors
            /// When the setup has faults.
            pub fn from_setup(
                variant: Variant,
                setup: &Setup,
                mode: CastlingMode,
            ) -> Result<AnyPosition, PositionError> {
                AnyPosition::from_setup_ignoring(variant, setup, mode, Faults::NONE)
            }

            /// The same, passing over some faults; see [`PositionError::ignore`].
            ///
            /// # Errors
            /// When the setup has other faults.
            pub fn from_setup_ignoring(
                variant: Variant,
                setup: &Setup,
                mode: CastlingMode,
                ignored: Faults,
            ) -> Result<AnyPosition, PositionError> {
                match variant {
                    $(Variant::$rules => Position::from_setup(setup, mode)
                        .or_else(|error| error.ignore(ignored))
                        .map(AnyPosition::$rules),)*
                }
            }

            /// The position of a setup with whatever faults it has; see
            /// [`Position::from_setup_unchecked`].
            pub fn from_setup_unchecked(
                variant: Variant,
                setup: &Setup,
                mode: CastlingMode,
            ) -> AnyPosition {
                match variant {
                    $(Variant::$rules => {
                        AnyPosition::$rules(Position::from_setup_unchecked(setup, mode))
                    })*
                }
            }

            /// Every fault of a setup; see [`Position::faults_of`].
            pub fn faults_of(variant: Variant, setup: &Setup, mode: CastlingMode) -> Faults {
                match variant {
                    $(Variant::$rules => Position::<$rules>::faults_of(setup, mode),)*
                }
            }

            /// Which variant it is.
            pub fn variant(&self) -> Variant {
                match self {
                    $(AnyPosition::$rules(_) => Variant::$rules,)*
                }
            }

            /// The same position with castling written in another mode.
            pub fn with_mode(&self, mode: CastlingMode) -> AnyPosition {
                match self {
                    $(AnyPosition::$rules(position) => {
                        AnyPosition::$rules(position.with_mode(mode))
                    })*
                }
            }

            /// Whether both are the same position; see [`Position::repeats`].
            pub fn repeats(&self, other: &AnyPosition) -> bool {
                match (self, other) {
                    $((AnyPosition::$rules(a), AnyPosition::$rules(b)) => a.repeats(b),)*
                    _ => false,
                }
            }
        }
    };
}

variants! {
    Standard Suicide Giveaway Antichess Atomic KingOfTheHill RacingKings Horde ThreeCheck Crazyhouse
}

/// Runs one expression with the position of whichever variant it is.
///
/// ```
/// use engine_core::{dispatch, AnyPosition, Variant};
///
/// let any = AnyPosition::start(Variant::Atomic);
/// let moves = dispatch!(any, |position| position.legal_moves().len());
/// assert_eq!(moves, 20);
/// ```
#[macro_export]
macro_rules! dispatch {
    ($any:expr, |$position:ident| $value:expr) => {
        match $any {
            $crate::AnyPosition::Standard($position) => $value,
            $crate::AnyPosition::Suicide($position) => $value,
            $crate::AnyPosition::Giveaway($position) => $value,
            $crate::AnyPosition::Antichess($position) => $value,
            $crate::AnyPosition::Atomic($position) => $value,
            $crate::AnyPosition::KingOfTheHill($position) => $value,
            $crate::AnyPosition::RacingKings($position) => $value,
            $crate::AnyPosition::Horde($position) => $value,
            $crate::AnyPosition::ThreeCheck($position) => $value,
            $crate::AnyPosition::Crazyhouse($position) => $value,
        }
    };
}
