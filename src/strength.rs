//! Playing strength below the full one.
//!
//! A level sets how many nodes a move may cost: 50 at level 1, and half as many again with each
//! level, so that the steps feel alike. Low levels also see no further than as many plies as
//! their number.

use engine_core::search::Limits;

/// The level that plays as well as it can.
pub const FULL: u64 = 20;

/// Levels up to this one are limited in depth, too.
const SHALLOW: u64 = 8;

/// The nodes that a move may cost.
pub fn nodes(level: u64) -> Option<u64> {
    (level < FULL).then(|| (50.0 * 1.5_f64.powi(level.saturating_sub(1) as i32)) as u64)
}

/// Adds the limits of a level to those of a search.
pub fn weaken(limits: &mut Limits, level: u64) {
    let Some(nodes) = nodes(level) else { return };
    limits.nodes = Some(limits.nodes.map_or(nodes, |given| given.min(nodes)));
    if level <= SHALLOW {
        let depth = level.max(1) as u32;
        limits.depth = Some(limits.depth.map_or(depth, |given| given.min(depth)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_grow() {
        assert_eq!(nodes(1), Some(50));
        assert!((1..19).all(|level| nodes(level) < nodes(level + 1)));
        assert_eq!(nodes(FULL), None);
        let mut limits = Limits::default();
        weaken(&mut limits, FULL);
        assert_eq!(limits, Limits::default());
    }
}
