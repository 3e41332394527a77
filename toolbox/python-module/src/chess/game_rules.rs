//! The rules by which a board is played.

use engine_core::{CastlingMode, Variant};

/// The variant, and the mode of castling.
#[derive(Clone, Copy)]
pub(crate) struct GameRules {
    /// The variant.
    pub(crate) variant: Variant,
    /// How castling is written, and which rights there may be.
    pub(crate) mode: CastlingMode,
}
