//! Start positions of Chess960.

use common::random::{self, Random};
use engine_core::{AnyPosition, Variant};

/// The start position with this number, 0 to 959, or a random one.
///
/// # Errors
/// When the variant has no Chess960.
pub(super) fn start(variant: Variant, number: Option<u32>) -> Result<AnyPosition, String> {
    let number = number.unwrap_or_else(|| Random::new(random::seed(), 0).below(960) as u32);
    AnyPosition::chess960_of(variant, number).ok_or_else(|| format!("{variant} has no Chess960"))
}
