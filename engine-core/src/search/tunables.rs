//! The numbers of the selective search.
//!
//! In an ordinary build each is a constant, and nobody can see or change it. With the feature
//! `tune` they can be set while the program runs, which is how they are tuned and how features
//! are turned off to measure what they are worth; the search is then a little slower.

use std::sync::atomic::AtomicI32;
#[cfg(feature = "tune")]
use std::sync::atomic::Ordering::Relaxed;

/// A number that can be set.
#[derive(Debug)]
pub struct Tunable {
    /// Its name.
    pub name: &'static str,
    /// What it is in an ordinary build.
    pub default: i32,
    /// The least value that makes sense.
    pub min: i32,
    /// The greatest value that makes sense.
    pub max: i32,
    /// The value that turns its feature off, where there is one.
    pub off: Option<i32>,
    value: &'static AtomicI32,
}

impl Tunable {
    /// What it is now.
    pub fn get(&self) -> i32 {
        self.value.load(std::sync::atomic::Ordering::Relaxed)
    }

    /// Sets it for all searches that begin later; tells whether the value makes sense.
    pub fn set(&self, value: i32) -> bool {
        let fits = (self.min..=self.max).contains(&value) || self.off == Some(value);
        if fits {
            self.value
                .store(value, std::sync::atomic::Ordering::Relaxed);
        }
        fits
    }
}

/// `name = default, min..=max [, off value];` makes a function for the search and, with the
/// feature `tune`, an entry of [`TUNABLES`].
macro_rules! tunables {
    ($($(#[$doc:meta])* $name:ident = $default:literal, $min:literal..=$max:literal $(, off $off:literal)?;)*) => {
        $(
            $(#[$doc])*
            #[cfg(not(feature = "tune"))]
            #[inline(always)]
            pub(super) const fn $name() -> i32 {
                $default
            }

            $(#[$doc])*
            #[cfg(feature = "tune")]
            #[inline(always)]
            pub(super) fn $name() -> i32 {
                values::$name.load(Relaxed)
            }
        )*

        #[cfg(feature = "tune")]
        #[expect(non_upper_case_globals, reason = "a macro cannot change the case of a name")]
        mod values {
            use std::sync::atomic::AtomicI32;
            $(pub(super) static $name: AtomicI32 = AtomicI32::new($default);)*
        }

        /// Every number that can be set: none in an ordinary build.
        #[cfg(feature = "tune")]
        pub static TUNABLES: &[Tunable] = &[$(Tunable {
            name: stringify!($name),
            default: $default,
            min: $min,
            max: $max,
            off: off!($($off)?),
            value: &values::$name,
        }),*];
    };
}

#[cfg(feature = "tune")]
macro_rules! off {
    () => {
        None
    };
    ($off:literal) => {
        Some($off)
    };
}

/// Every number that can be set: none in an ordinary build.
#[cfg(not(feature = "tune"))]
pub static TUNABLES: &[Tunable] = &[];

tunables! {
    /// Reverse futility is tried up to this depth in standard chess.
    reverse_futility_depth = 5, 3..=14, off 0;
    /// And in the variants.
    reverse_futility_depth_of_variants = 8, 3..=14, off 0;
    /// Its margin for a ply, in centipawns.
    reverse_futility_margin = 75, 30..=150;
    /// What the margin shrinks by where the position improves.
    reverse_futility_improving = 60, 0..=150;
    /// Razoring is tried up to this depth.
    razor_depth = 3, 1..=8, off 0;
    /// Its margin at depth 0.
    razor_base = 220, 50..=500;
    /// What the margin grows by with the square of the depth.
    razor_factor = 190, 50..=400;
    /// The null move is tried from this depth on.
    null_move_depth = 3, 1..=8, off 1000;
    /// Its reduction at depth 0.
    null_move_base = 4, 2..=6;
    /// So many plies of depth reduce by one more.
    null_move_divisor = 4, 2..=8;
    /// So many centipawns above beta reduce by one more.
    null_move_margin = 180, 80..=400;
    /// The order of moves is made by a shallower search from this depth on.
    internal_reduction_depth = 4, 2..=10, off 1000;
    /// Quiet moves that are tried at depth 0.
    late_moves_base = 6, 1..=12, off 100_000;
    /// Futility margin at depth 0.
    futility_base = 90, 20..=250, off 100_000;
    /// What it grows by with each ply.
    futility_factor = 85, 30..=200;
    /// Quiet moves of a low history score are not tried up to this reduced depth.
    history_pruning_depth = 5, 1..=10, off -1;
    /// The history score that a ply asks for.
    history_pruning_margin = 3000, 1000..=6000;
    /// Quiet moves that lose material are not tried up to this reduced depth.
    see_quiet_depth = 8, 2..=12, off -1;
    /// The loss that is tolerated, times the square of the depth.
    see_quiet_margin = 22, 8..=60;
    /// Captures that lose material are not tried up to this depth.
    see_noisy_depth = 8, 2..=12, off -1;
    /// The loss that is tolerated for each ply.
    see_noisy_margin = 95, 40..=200;
    /// Singular moves are looked for from this depth on.
    singular_depth = 7, 4..=12, off 1000;
    /// How much better they must be for each ply.
    singular_margin = 2, 1..=5;
    /// How much better still to be extended twice.
    doubly_singular_margin = 18, 4..=60;
    /// The bonus of a good move for each ply.
    history_bonus_factor = 180, 60..=400;
    /// What is taken off the bonus.
    history_bonus_offset = 80, 0..=250;
    /// The greatest bonus.
    history_bonus_most = 1800, 600..=3600;
    /// Late moves are reduced from this depth on.
    reduction_depth = 2, 1..=5, off 1000;
    /// The least reduction, in hundredths of a ply.
    reduction_base = 75, 0..=150;
    /// What the logarithms of depth and count are divided by, in hundredths.
    reduction_divisor = 230, 150..=400;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ordinary_build_has_constants_and_a_tuning_build_has_values() {
        assert_eq!(TUNABLES.is_empty(), !cfg!(feature = "tune"));
        for tunable in TUNABLES {
            assert_eq!(tunable.get(), tunable.default, "{}", tunable.name);
            assert!((tunable.min..=tunable.max).contains(&tunable.default));
            assert!(!tunable.set(tunable.max + 1) || tunable.off == Some(tunable.max + 1));
        }
    }
}
