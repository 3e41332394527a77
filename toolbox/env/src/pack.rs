//! Packs eight bytes of 0 or 1 into one, the first in the highest bit, as `numpy.unpackbits` expects.

/// Packs bytes by eight. Fewer than eight at the end are dropped; observations and masks have none.
pub(super) fn pack(bytes: &[u8]) -> impl Iterator<Item = u8> {
    bytes.as_chunks().0.iter().map(|chunk| {
        // The product moves each of the eight bits to a separate bit of the highest byte.
        (u64::from_le_bytes(*chunk).wrapping_mul(0x8040_2010_0804_0201) >> 56) as u8
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_bytes() {
        for byte in 0..=255_u8 {
            let bits: Vec<u8> = (0..8).map(|bit| byte >> (7 - bit) & 1).collect();
            assert_eq!(pack(&bits).collect::<Vec<u8>>(), [byte]);
        }
        assert_eq!(pack(&[1; 17]).count(), 2);
    }
}
