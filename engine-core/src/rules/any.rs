//! A position of any variant, for code that learns the variant at run time.

use super::{Standard, Variant};
use crate::setup::PositionError;
use crate::{CastlingMode, Position, Setup};

/// A position of one of the variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnyPosition {
    /// Standard chess or Chess960.
    Standard(Position<Standard>),
}

/// Runs one expression with the position of whichever variant it is.
///
/// ```
/// use engine_core::{dispatch, AnyPosition, Variant};
///
/// let any = AnyPosition::start(Variant::Standard);
/// let moves = dispatch!(any, |position| position.legal_moves().len());
/// assert_eq!(moves, 20);
/// ```
#[macro_export]
macro_rules! dispatch {
    ($any:expr, |$position:ident| $value:expr) => {
        match $any {
            $crate::AnyPosition::Standard($position) => $value,
        }
    };
}

impl AnyPosition {
    /// The start position.
    pub fn start(variant: Variant) -> AnyPosition {
        match variant {
            Variant::Standard => AnyPosition::Standard(Position::start()),
        }
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
        match variant {
            Variant::Standard => Position::from_setup(setup, mode).map(AnyPosition::Standard),
        }
    }

    /// The position of a setup with all its faults; see [`Position::from_setup_unchecked`].
    pub fn from_setup_unchecked(
        variant: Variant,
        setup: &Setup,
        mode: CastlingMode,
    ) -> AnyPosition {
        match variant {
            Variant::Standard => AnyPosition::Standard(Position::from_setup_unchecked(setup, mode)),
        }
    }

    /// Which variant it is.
    pub fn variant(&self) -> Variant {
        match self {
            AnyPosition::Standard(_) => Variant::Standard,
        }
    }

    /// Whether both are the same position; see [`Position::repeats`].
    pub fn repeats(&self, other: &AnyPosition) -> bool {
        match (self, other) {
            (AnyPosition::Standard(a), AnyPosition::Standard(b)) => a.repeats(b),
        }
    }
}
