//! A position of any variant, for code that learns the variant at run time.

use super::{Rules, Variant};
use crate::setup::{Faults, PositionError};
use crate::{CastlingMode, Position, Setup};
use std::any::Any;
use std::sync::LazyLock;

/// A start position, made once: reading of games asks for it often.
type Start<R> = LazyLock<Position<R>>;

/// Defines the enumeration and those of its methods that need more than [`dispatch!`].
macro_rules! define_any_position {
    ({} $($rules:ident $properties:tt)*) => {
        /// A position of one of the variants.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(missing_docs, reason = "named as the rules are")]
        pub enum AnyPosition {
            $($rules(Position<super::$rules>),)*
        }

        impl AnyPosition {
            /// The start position.
            pub fn start(variant: Variant) -> AnyPosition {
                match variant {
                    $(Variant::$rules => {
                        static START: Start<super::$rules> = Start::new(Position::start);
                        AnyPosition::$rules(*START)
                    })*
                }
            }

            /// A position whose variant was known at compile time.
            pub fn of<R: Rules>(position: &Position<R>) -> Option<AnyPosition> {
                // The compiler knows all these types, so nothing of this is left at run time.
                let position: &dyn Any = position;
                $(if let Some(position) = position.downcast_ref::<Position<super::$rules>>() {
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
                    $(Variant::$rules => Position::<super::$rules>::faults_of(setup, mode),)*
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

crate::for_each_variant!(define_any_position {});

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
        $crate::for_each_variant!($crate::match_variants { $any, |$position| $value })
    };
}

/// The `match` of [`dispatch!`].
#[doc(hidden)]
#[macro_export]
macro_rules! match_variants {
    ({ $any:expr, |$position:ident| $value:expr } $($rules:ident $properties:tt)*) => {
        match $any {
            $($crate::AnyPosition::$rules($position) => $value,)*
        }
    };
}
