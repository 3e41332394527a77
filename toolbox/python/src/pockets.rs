//! FENs as python-chess reads them: `[-]`, which other programs write for empty pockets, is refused.

use crate::messages;
use engine_core::notation::{Epd, EpdError, EpdProblem, words};
use engine_core::{Setup, Variant};

/// Reads a FEN.
///
/// # Errors
/// The message of python-chess, which also refuses empty pockets written `[-]`.
pub fn read_fen(fen: &str, variant: Variant) -> Result<Setup, String> {
    refuse_dash(fen, variant)?;
    Setup::from_variant_fen(variant, fen).map_err(|_| messages::fen(fen, variant))
}

/// Refuses a FEN or EPD whose empty pockets are written `[-]`.
///
/// # Errors
/// The message of python-chess, where they are.
pub fn refuse_dash(fen: &str, variant: Variant) -> Result<(), String> {
    match variant {
        Variant::Crazyhouse
            if words(fen)
                .next()
                .is_some_and(|board| board.ends_with("[-]")) =>
        {
            Err(messages::fen(fen, variant))
        }
        _ => Ok(()),
    }
}

/// The same for an EPD that has been read. Other errors come first, but for those of moves: python-chess
/// reads the position before the first of them.
///
/// # Errors
/// As [`refuse_dash`].
pub fn refuse_dash_in_epd(
    text: &str,
    variant: Variant,
    read: &Result<Epd, EpdError>,
) -> Result<(), String> {
    match read.as_ref().map_err(|error| &error.problem) {
        Ok(_) | Err(EpdProblem::Move { .. }) => refuse_dash(text, variant),
        Err(_) => Ok(()),
    }
}
