//! The table of names as the build script has written it.

#[allow(
    clippy::all,
    clippy::pedantic,
    reason = "the build script has written it"
)]
mod written {
    include!(concat!(env!("OUT_DIR"), "/openings.rs"));
}

use written::{ENDS, KEYS, NAMES, SLOT_BITS, SLOTS};

/// The number of the opening of a position.
#[inline]
pub(super) fn index_of(key: u64) -> Option<u16> {
    let mut slot = (key >> (64 - SLOT_BITS)) as usize;
    loop {
        // An empty slot holds zero, which is no number of an opening here.
        let index = SLOTS.get(slot).copied()?.checked_sub(1)?;
        if KEYS.get(usize::from(index)) == Some(&key) {
            return Some(index);
        }
        slot = (slot + 1) % SLOTS.len();
    }
}

/// Code and name of an opening with a blank between.
pub(super) fn text(index: usize) -> &'static str {
    let end = |index: usize| ENDS.get(index).copied().unwrap_or(0) as usize;
    let begin = index.checked_sub(1).map_or(0, end);
    NAMES.get(begin..end(index)).unwrap_or_default()
}

/// How many there are.
#[cfg(test)]
pub(super) fn count() -> usize {
    KEYS.len()
}
