//! What clocks teach beside the time: the lag between us and the clock, and time counted in nodes.

use engine_core::search::Clock;
use std::time::{Duration, Instant};

/// No clock is farther away.
const MOST_LAG: Duration = Duration::from_secs(5);

/// How much of what is known of the lag stays with each move.
const MEMORY: f64 = 0.875;

/// Measures how much more time each of our moves costs on the clock than it took here.
#[derive(Debug, Default)]
pub(super) struct Lag {
    /// The present move: its ply, its clock, and when its time began.
    thinking: Option<(usize, Clock, Instant)>,
    /// The ply of our next move and what our clock should then show.
    expected: Option<(usize, Duration)>,
    /// The lag so far; it grows at once and falls slowly.
    estimate: Duration,
}

impl Lag {
    /// We are to move at this ply of the game with this clock.
    pub(super) fn start(&mut self, ply: usize, clock: Option<Clock>) {
        let expected = self.expected.take();
        self.thinking = clock.map(|clock| (ply, clock, Instant::now()));
        if let (Some((next, left)), Some(clock)) = (expected, clock)
            && next == ply
        {
            let lag = left.saturating_sub(clock.remaining).min(MOST_LAG);
            let faded = self.estimate.mul_f64(MEMORY) + lag.mul_f64(1.0 - MEMORY);
            self.estimate = lag.max(faded);
            log::debug!("lag {lag:?}, estimate {:?}", self.estimate);
        }
    }

    /// The move that was pondered on has come: our time begins now.
    pub(super) fn restart(&mut self) {
        if let Some((_, _, since)) = &mut self.thinking {
            *since = Instant::now();
        }
    }

    /// Our move is made.
    pub(super) fn stop(&mut self) {
        self.expected = self.thinking.take().map(|(ply, clock, since)| {
            let left = clock.remaining.saturating_sub(since.elapsed());
            (ply + 2, left + clock.increment)
        });
    }

    /// What a move may cost beyond its thinking.
    pub(super) fn estimate(&self) -> Duration {
        self.estimate
    }
}

/// The clock of a game whose time is counted in nodes: the GUI's clock counts only at its start.
#[derive(Debug, Default)]
pub(super) struct NodeClock {
    left: Option<Duration>,
    ply: usize,
}

impl NodeClock {
    /// The clock for the move at this ply.
    pub(super) fn start(&mut self, ply: usize, clock: Clock) -> Clock {
        if ply <= self.ply {
            self.left = None;
        }
        self.ply = ply;
        let remaining = *self.left.get_or_insert(clock.remaining);
        Clock { remaining, ..clock }
    }

    /// The move took so many nodes, of which `rate` are a millisecond.
    pub(super) fn stop(&mut self, nodes: u64, rate: u64, increment: Duration) {
        if let Some(left) = &mut self.left {
            let spent = Duration::from_micros(nodes.saturating_mul(1000) / rate.max(1));
            *left = left.saturating_sub(spent) + increment;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(milliseconds: u64) -> Clock {
        Clock {
            remaining: Duration::from_millis(milliseconds),
            increment: Duration::from_millis(100),
        }
    }

    #[test]
    fn lag_is_what_the_clock_lost_beyond_our_thinking() {
        let mut lag = Lag::default();
        lag.start(0, Some(clock(10_000)));
        lag.stop();
        lag.start(2, Some(clock(9_800)));
        let seen = lag.estimate().as_millis();
        assert!((280..=300).contains(&seen), "{seen}");
        lag.stop();
        // Another game: nothing can be compared.
        lag.start(0, Some(clock(100)));
        assert_eq!(lag.estimate().as_millis(), seen);
        lag.stop();
        lag.start(2, Some(clock(5000)));
        assert!(lag.estimate().as_millis() < seen);
    }

    #[test]
    fn node_clocks_count_nodes() {
        let mut nodes = NodeClock::default();
        assert_eq!(nodes.start(1, clock(1000)), clock(1000));
        nodes.stop(500_000, 1000, Duration::from_millis(100));
        assert_eq!(nodes.start(3, clock(5)), clock(600));
        // The next game begins with what its clock shows.
        assert_eq!(nodes.start(1, clock(700)), clock(700));
    }
}
