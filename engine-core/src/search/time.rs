//! How long to think.

use super::limits::{Limits, SearchOptions};
use crate::Color;
use std::time::{Duration, Instant};

/// The time of one search: a soft limit between iterations and a hard one inside them.
#[derive(Clone, Debug)]
pub(super) struct TimeManager {
    start: Instant,
    /// Nodes that count as a millisecond, where time is counted so, and those of the start.
    node_time: Option<u64>,
    start_nodes: u64,
    soft: Option<Duration>,
    hard: Option<Duration>,
}

/// Moves that a game without a move limit is planned to last.
const HORIZON: u32 = 24;
/// What is kept on the clock for moments in which the machine does not run us.
const RESERVE: Duration = Duration::from_millis(150);
/// What is always left to answer with, however little the clock shows.
const LEAST: Duration = Duration::from_millis(1);

impl TimeManager {
    pub(super) fn new(limits: &Limits, options: &SearchOptions, turn: Color) -> TimeManager {
        let overhead = options.move_overhead;
        let mut manager = TimeManager {
            start: Instant::now(),
            node_time: options.node_time,
            start_nodes: 0,
            soft: None,
            hard: None,
        };
        if let Some(clock) = limits.clocks[turn] {
            let left = clock.remaining.saturating_sub(overhead).max(LEAST);
            let moves = limits
                .moves_to_go
                .filter(|&moves| moves > 0)
                .map_or(HORIZON, |moves| moves.min(HORIZON));
            let (spendable, most) = if moves == 1 {
                // New time is near.
                (left, left.mul_f64(0.8))
            } else {
                // What is missing of the reserve is saved from increments, where there are any.
                let kept = if clock.increment.is_zero() { 0.5 } else { 1.0 };
                let spendable = left.saturating_sub(RESERVE.min(left.mul_f64(kept)));
                let most = left.saturating_sub(RESERVE.min(left / 2)).mul_f64(0.6);
                (spendable, most)
            };
            let share = spendable / moves + clock.increment.mul_f64(0.75);
            manager.soft = Some(share.min(most).max(LEAST));
            manager.hard = Some((share * 3).min(most).max(LEAST));
        }
        if let Some(time) = limits.move_time {
            let time = time.saturating_sub(overhead.min(time / 4)).max(LEAST);
            manager.soft = Some(manager.soft.map_or(time, |soft| soft.min(time)));
            manager.hard = Some(manager.hard.map_or(time, |hard| hard.min(time)));
            if limits.clocks[turn].is_none() {
                manager.soft = None;
            }
        }
        manager
    }

    /// The clock starts now: the opponent played the move that was pondered on.
    pub(super) fn restart(&mut self, at: Instant, nodes: u64) {
        self.start = at;
        self.start_nodes = nodes;
    }

    fn elapsed(&self, nodes: u64) -> Duration {
        match self.node_time {
            Some(rate) => {
                let micros = nodes.saturating_sub(self.start_nodes).saturating_mul(1000);
                Duration::from_micros(micros / rate.max(1))
            }
            None => self.start.elapsed(),
        }
    }

    /// Whether the search must end at once, having searched this many nodes.
    pub(super) fn is_over(&self, nodes: u64) -> bool {
        self.hard.is_some_and(|hard| self.elapsed(nodes) >= hard)
    }

    /// Whether it is wiser not to start another iteration. `urgency` is 1 in a quiet position,
    /// more when the best move changes or the score falls, less when all effort goes to one move.
    pub(super) fn is_enough(&self, urgency: f64, nodes: u64) -> bool {
        self.soft
            .is_some_and(|soft| self.elapsed(nodes) >= soft.mul_f64(urgency))
    }

    /// Whether there is a clock to save time on.
    pub(super) fn has_clock(&self) -> bool {
        self.soft.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ByColor;
    use crate::search::Clock;

    fn manager(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> TimeManager {
        let clock = Clock {
            remaining: Duration::from_millis(remaining),
            increment: Duration::from_millis(increment),
        };
        let limits = Limits {
            clocks: ByColor([Some(clock); 2]),
            moves_to_go,
            ..Limits::default()
        };
        TimeManager::new(&limits, &SearchOptions::default(), Color::White)
    }

    #[test]
    fn increments_fill_the_reserve() {
        let mut clock = 40.0;
        for _ in 0..200 {
            let manager = manager(clock as u64, 10, None);
            clock += 10.0 - 1000.0 * manager.soft.unwrap().as_secs_f64();
        }
        assert!((180.0..400.0).contains(&clock), "{clock} ms are left");
    }

    #[test]
    fn never_plans_beyond_the_clock() {
        for remaining in [0, 1, 5, 31, 40, 100, 1000, 60_000, 10_000_000] {
            for increment in [0, 10, 1000, 100_000] {
                for moves in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    let manager = manager(remaining, increment, moves);
                    let hard = manager.hard.unwrap();
                    assert!(hard >= manager.soft.unwrap());
                    let most = Duration::from_millis(remaining.saturating_sub(30).max(1));
                    assert!(hard <= most, "{remaining} {increment} {moves:?}: {hard:?}");
                }
            }
        }
    }
}
