//! The clock of the search and of its callers: that of the standard library, which has none in a
//! WebAssembly module of a page. There the page gives the time.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use page::{Instant, set_clock};

#[cfg(any(test, all(target_family = "wasm", target_os = "unknown")))]
#[cfg_attr(
    not(target_family = "wasm"),
    allow(unreachable_pub, reason = "only tests see it here")
)]
mod page {
    use std::ops::{Add, Sub};
    use std::sync::OnceLock;
    use std::time::Duration;

    static CLOCK: OnceLock<fn() -> f64> = OnceLock::new();

    /// Sets the function that asks the page for the time, in milliseconds; until then time stands
    /// still. Later calls change nothing.
    pub fn set_clock(now: fn() -> f64) {
        // A clock that changed would not be monotonic.
        let _ = CLOCK.set(now);
    }

    /// A moment, as `std::time::Instant` is one.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub struct Instant(Duration);

    impl Instant {
        /// This moment.
        pub fn now() -> Instant {
            let milliseconds = CLOCK.get().map_or(0.0, |now| now());
            // A time that is no number counts as zero.
            Instant(Duration::from_micros((1000.0 * milliseconds) as u64))
        }

        /// The moment so much later; `None` beyond the end of the clock.
        pub fn checked_add(self, time: Duration) -> Option<Instant> {
            self.0.checked_add(time).map(Instant)
        }

        /// The time that has gone by since.
        pub fn elapsed(self) -> Duration {
            Instant::now() - self
        }
    }

    impl Add<Duration> for Instant {
        type Output = Instant;

        fn add(self, time: Duration) -> Instant {
            Instant(self.0.saturating_add(time))
        }
    }

    impl Sub for Instant {
        type Output = Duration;

        fn sub(self, earlier: Instant) -> Duration {
            self.0.saturating_sub(earlier.0)
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;
        use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

        static TIME: AtomicU64 = AtomicU64::new(0);

        #[test]
        fn the_page_gives_the_time() {
            let start = Instant::now();
            assert_eq!(start.elapsed(), Duration::ZERO);
            set_clock(|| f64::from_bits(TIME.load(Relaxed)));
            TIME.store(1234.5_f64.to_bits(), Relaxed);
            assert_eq!(start.elapsed(), Duration::from_micros(1_234_500));
            let later = start + Duration::from_secs(2);
            assert_eq!(
                (later.elapsed(), later - start),
                (Duration::ZERO, Duration::from_secs(2))
            );
            assert_eq!(
                start.checked_add(Duration::from_secs(2)),
                Some(start + Duration::from_secs(2))
            );
            assert_eq!(
                start.checked_add(Duration::MAX),
                Some(Instant(Duration::MAX))
            );
            assert_eq!(later.checked_add(Duration::MAX), None);
            TIME.store(f64::NAN.to_bits(), Relaxed);
            assert_eq!(Instant::now(), start);
        }
    }
}
