//! Random numbers that follow from a seed alone (`SplitMix64`: Steele, Lea and Flood 2014), and seeds.

use engine_core::next_splitmix64;
use std::hash::{BuildHasher, RandomState};

/// A seed that differs from run to run and from call to call.
pub fn seed() -> u64 {
    // The only source of such numbers in the standard library.
    RandomState::new().hash_one(0)
}

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The stream of a seed; each number has a stream of its own.
    pub fn new(seed: u64, number: u64) -> Random {
        // By the golden ratio, so that near numbers are far apart (Fibonacci hashing: Knuth, The
        // Art of Computer Programming, volume 3, 6.4).
        const SPREAD: u64 = 0x9e3779b97f4a7c15;
        let mut seeds = Random(seed);
        let first = seeds.draw();
        Random(first ^ number.wrapping_mul(SPREAD).rotate_left(32))
    }

    /// Any number.
    pub fn draw(&mut self) -> u64 {
        next_splitmix64(&mut self.0)
    }

    /// A number below a bound; 0 when the bound is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.draw()) * bound as u128) >> 64) as usize
    }

    /// Puts items in random order (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn streams_repeat_and_differ() {
        let draws = |seed, number| {
            let mut random = Random::new(seed, number);
            [random.draw(), random.draw(), random.draw()]
        };
        assert_eq!(draws(1, 2), draws(1, 2));
        assert_ne!(draws(1, 2), draws(1, 3));
        assert_ne!(draws(1, 2), draws(2, 2));
    }

    #[test]
    fn seeds_differ_from_call_to_call() {
        let seeds: HashSet<u64> = std::iter::repeat_with(seed).take(100).collect();
        assert_eq!(seeds.len(), 100);
    }

    #[test]
    fn a_shuffle_keeps_all() {
        let mut items: Vec<usize> = (0..100).collect();
        Random::new(1, 1).shuffle(&mut items);
        assert!(!items.is_sorted());
        items.sort_unstable();
        assert!(items.into_iter().eq(0..100));
    }
}
