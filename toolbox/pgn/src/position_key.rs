//! Keys of positions among those of all variants.

use engine_core::{AnyPosition, Variant};

/// Makes the keys of a variant differ from those of all others: the Zobrist key of a position is
/// the same in most of them. Those of standard chess stay as they are.
fn offset(variant: Variant) -> u64 {
    // Multiples of an odd number differ, and those of the golden ratio in their high bits, too.
    const GOLDEN_RATIO: u64 = 0x9e37_79b9_7f4a_7c15;
    let place = Variant::all().position(|other| other == variant);
    (place.unwrap_or(0) as u64).wrapping_mul(GOLDEN_RATIO)
}

/// The key of a position: in standard chess its Zobrist key.
pub(crate) fn position_key(position: &AnyPosition) -> u64 {
    position.key() ^ offset(position.variant())
}

/// The keys of all positions that repeat this one.
pub(crate) fn repetition_keys(position: &AnyPosition) -> Vec<u64> {
    let offset = offset(position.variant());
    let keys = position.keys_of_repetitions().into_iter();
    keys.map(|key| key ^ offset).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn variants_differ() {
        let starts = Variant::all().map(AnyPosition::start);
        let keys: HashSet<u64> = starts.map(|start| position_key(&start)).collect();
        assert_eq!(keys.len(), Variant::COUNT);
        let start = AnyPosition::start(Variant::Standard);
        assert_eq!(position_key(&start), start.key());
    }
}
