//! A repeating timer.

use std::time::{Duration, Instant};

/// How often long runs save their results: a kill or power failure loses about this much work.
pub const SAVE_INTERVAL: Duration = Duration::from_secs(10);

/// A repeating timer.
#[derive(Clone, Copy, Debug)]
pub struct Interval {
    length: Duration,
    start: Instant,
}

impl Interval {
    /// An interval that begins now.
    pub fn new(length: Duration) -> Interval {
        Interval {
            length,
            start: Instant::now(),
        }
    }

    /// Whether it has passed; if so, the next one begins.
    pub fn has_passed(&mut self) -> bool {
        let has_passed = self.start.elapsed() >= self.length;
        if has_passed {
            self.start = Instant::now();
        }
        has_passed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_again_and_again() {
        let mut short = Interval::new(Duration::ZERO);
        assert!(short.has_passed() && short.has_passed());
        let mut long = Interval::new(Duration::from_hours(1));
        assert!(!long.has_passed());
        std::thread::sleep(Duration::from_millis(20));
        long.length = Duration::from_millis(20);
        assert!(long.has_passed());
        long.length = Duration::from_hours(1);
        assert!(!long.has_passed());
    }
}
