//! The lag between the engine and the GUI's clock, and clocks whose time is counted in nodes.

use engine_core::Color;
use engine_core::search::{Clock, Instant, Limits};
use std::time::Duration;

/// The greatest lag that is taken into account.
const MAX_LAG: Duration = Duration::from_secs(5);

/// The decay of the estimated lag with each move.
const DECAY: f64 = 0.875;

/// A clock is short if it has less than this many times the overhead.
const SHORT: u32 = 16;

/// Measures the lag: how much more each of our moves costs on the clock than the search took.
#[derive(Debug, Default)]
pub(super) struct Lag {
    /// The current move: its ply, its clock, and when its time began.
    thinking: Option<(usize, Clock, Instant)>,
    /// The ply of our next move and the time that our clock should then have.
    expected: Option<(usize, Duration)>,
    /// The estimated lag; it rises at once and falls slowly.
    estimate: Duration,
}

impl Lag {
    /// Our turn began at this ply, with this clock, as received at this moment. If we pondered on the turn,
    /// the clock should have what was then foreseen.
    pub(super) fn start(&mut self, ply: usize, clock: Option<Clock>, since: Instant) {
        let pondered = self.thinking.take();
        let foreseen = pondered.map(|(ply, clock, _)| (ply, clock.remaining));
        let expected = foreseen.or(self.expected.take());
        self.thinking = clock.map(|clock| (ply, clock, since));
        if let (Some((next, left)), Some(clock)) = (expected, clock)
            && next == ply
        {
            let lag = left.saturating_sub(clock.remaining).min(MAX_LAG);
            let faded = self.estimate.mul_f64(DECAY) + lag.mul_f64(1.0 - DECAY);
            self.estimate = lag.max(faded);
            log::debug!("lag {lag:?}, estimate {:?}", self.estimate);
        }
    }

    /// The clock of another game is next, which tells nothing about lag.
    pub(super) fn forget_clock(&mut self) {
        (self.thinking, self.expected) = (None, None);
    }

    /// Ponderhit: our time begins now.
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

    /// Subtracts from the increment what every move costs beyond the search: the lag and, on a short
    /// clock, the move overhead. Otherwise a clock runs out if moves cost more than they
    /// add.
    pub(super) fn charge(&self, limits: &mut Limits, turn: Color, overhead: Duration) {
        if let Some(clock) = &mut limits.clocks[turn] {
            let is_short = clock.remaining < overhead * SHORT;
            let expected = if is_short { overhead } else { Duration::ZERO };
            clock.increment = clock.increment.saturating_sub(self.estimate.max(expected));
        }
    }

    /// The estimated lag: what a move costs on the clock beyond the search.
    pub(super) fn estimate(&self) -> Duration {
        self.estimate
    }
}

/// Takes the time since a command was received off the clock and the time for the move: on a busy
/// machine a command waits before its search begins, while the clock runs.
pub(super) fn shorten(limits: &mut Limits, turn: Color, since: Instant) {
    let waited = since.elapsed();
    if let Some(clock) = &mut limits.clocks[turn] {
        clock.remaining = clock.remaining.saturating_sub(waited);
    }
    if let Some(time) = &mut limits.move_time {
        *time = time.saturating_sub(waited);
    }
}

/// The clock of a game with time counted in nodes (`nodestime`): the GUI's clock is read only at its
/// start, and at that of each further time control.
#[derive(Debug, Default)]
pub(super) struct NodeClock {
    left: Option<Duration>,
    /// The moves to the next time control.
    moves_to_go: Option<u32>,
    /// The ply of the current move.
    ply: usize,
    /// The ply of the last move that was made.
    last: usize,
}

impl NodeClock {
    /// The clock for the move at this ply, with as many moves to the next time control.
    pub(super) fn start(&mut self, ply: usize, clock: Clock, moves_to_go: Option<u32>) -> Clock {
        let is_next_control = self
            .moves_to_go
            .is_some_and(|before| moves_to_go.is_none_or(|now| now > before));
        if ply <= self.last || is_next_control {
            self.left = None;
        }
        self.ply = ply;
        self.moves_to_go = moves_to_go;
        let remaining = *self.left.get_or_insert(clock.remaining);
        Clock { remaining, ..clock }
    }

    /// The move took this many nodes, at `rate` nodes per millisecond.
    pub(super) fn stop(&mut self, nodes: u64, rate: u64, increment: Duration) {
        self.last = self.ply;
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
        lag.start(0, Some(clock(10_000)), Instant::now());
        lag.stop();
        lag.start(2, Some(clock(9_800)), Instant::now());
        let seen = lag.estimate().as_millis();
        assert!((280..=300).contains(&seen), "{seen}");
        let mut limits = Limits::default();
        limits.clocks[Color::White] = Some(clock(9_800));
        lag.charge(&mut limits, Color::White, Duration::ZERO);
        // The increment of 100 ms is less than the lag.
        let charged = limits.clocks[Color::White].unwrap();
        assert_eq!(charged.increment, Duration::ZERO);
        // Without lag, the overhead counts only on a short clock.
        for (left, increment) in [(400, 70), (1000, 100)] {
            limits.clocks[Color::White] = Some(clock(left));
            Lag::default().charge(&mut limits, Color::White, Duration::from_millis(30));
            let charged = limits.clocks[Color::White].unwrap();
            assert_eq!(charged.increment, Duration::from_millis(increment));
        }
        // A ponder hit, with half a second less than foreseen.
        lag.start(2, Some(clock(9_300)), Instant::now());
        let seen = lag.estimate().as_millis();
        assert_eq!(seen, 500);
        lag.stop();
        // Another game: nothing can be compared.
        lag.start(0, Some(clock(100)), Instant::now());
        assert_eq!(lag.estimate().as_millis(), seen);
        lag.stop();
        lag.start(2, Some(clock(5000)), Instant::now());
        assert!(lag.estimate().as_millis() < seen);
    }

    #[test]
    fn a_command_that_waited_has_less_time() {
        let turn = Color::Black;
        let mut limits = Limits {
            move_time: Some(Duration::from_millis(10)),
            ..Limits::default()
        };
        limits.clocks[turn] = Some(clock(1000));
        shorten(
            &mut limits,
            turn,
            Instant::now()
                .checked_sub(Duration::from_millis(300))
                .unwrap(),
        );
        let left = limits.clocks[turn].unwrap().remaining;
        assert!(left <= Duration::from_millis(700), "{left:?}");
        assert_eq!(limits.move_time, Some(Duration::ZERO));
        assert_eq!(limits.clocks[!turn], None);
    }

    #[test]
    fn node_clocks_count_nodes() {
        let mut nodes = NodeClock::default();
        assert_eq!(nodes.start(1, clock(1000), None), clock(1000));
        nodes.stop(500_000, 1000, Duration::from_millis(100));
        assert_eq!(nodes.start(3, clock(5), None), clock(600));
        // That was for another move of the opponent.
        assert_eq!(nodes.start(3, clock(5), None), clock(600));
        nodes.stop(0, 1000, Duration::ZERO);
        // The next game begins with what its clock shows.
        assert_eq!(nodes.start(1, clock(700), None), clock(700));
    }

    #[test]
    fn node_clocks_are_set_again_at_each_time_control() {
        let mut nodes = NodeClock::default();
        assert_eq!(nodes.start(1, clock(700), Some(2)), clock(700));
        nodes.stop(300_000, 1000, Duration::ZERO);
        assert_eq!(nodes.start(3, clock(9000), Some(1)), clock(400));
        nodes.stop(300_000, 1000, Duration::ZERO);
        assert_eq!(nodes.start(5, clock(9000), Some(2)), clock(9000));
        // The last time control is for the rest of the game.
        nodes.stop(0, 1000, Duration::ZERO);
        assert_eq!(nodes.start(7, clock(5), Some(1)), clock(9000));
        assert_eq!(nodes.start(9, clock(800), None), clock(800));
        assert_eq!(nodes.start(11, clock(5), None), clock(800));
    }
}
