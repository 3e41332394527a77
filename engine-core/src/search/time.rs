//! Time management: how long to search.

use super::clock::Instant;
use super::limits::{Clock, Limits, SearchOptions};
use super::score::Score;
use super::shared::PonderHit;
use super::tunables as tune;
use crate::{Color, Move};
use std::time::Duration;

/// The time of one search: a soft limit between iterations and a hard one within them.
#[derive(Clone, Debug)]
pub(super) struct TimeManager {
    /// How many nodes count as a millisecond, if time is measured in nodes.
    node_time: Option<u64>,
    /// The side whose clock runs.
    turn: Color,
    /// The time that each move costs beyond the search.
    overhead: Duration,
    /// The start of the search.
    start: Moment,
    /// The start of the clock: later, if the search began on the opponent's time.
    clock_start: Moment,
    /// Whether the search is on the opponent's time, so that the clock has not started.
    pondering: bool,
    /// Whether the last iteration was enough to play the move; on the opponent's time it is then played
    /// as soon as the clock starts.
    is_enough: bool,
    soft: Option<Duration>,
    hard: Option<Duration>,
    /// The time of the search up to the end of the last iteration, and the share of the soft limit that is
    /// enough after it.
    iterated: Option<(Duration, f64)>,
    /// The best move of the last iteration, and for how many iterations it has been the best.
    best: Option<Move>,
    stability: i32,
}

/// A moment by the time and by the nodes searched.
#[derive(Clone, Copy, Debug)]
struct Moment {
    at: Instant,
    nodes: u64,
}

/// What a completed iteration says about the time that the position deserves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Iteration {
    pub(super) depth: u32,
    pub(super) best: Move,
    pub(super) score: Score,
    /// The score of the iteration before.
    pub(super) previous: Score,
    /// The share of all nodes that was spent on the best move.
    pub(super) effort: f64,
    /// Whether no other move may be played.
    pub(super) is_only_move: bool,
    /// Nodes of all threads.
    pub(super) nodes: u64,
}

/// The least time for a move, however little the clock shows.
const MIN_TIME: Duration = Duration::from_millis(1);
/// No clock shows more.
const MAX_CLOCK: Duration = Duration::from_hours(24 * 365);

fn percent(number: i32) -> f64 {
    f64::from(number) / 100.0
}

/// The soft and the hard limit for one move of a clock.
fn clock_limits(
    clock: &Clock,
    moves_to_go: Option<u32>,
    overhead: Duration,
) -> (Duration, Duration) {
    let left = clock
        .remaining
        .min(MAX_CLOCK)
        .saturating_sub(overhead)
        .max(MIN_TIME);
    let increment = clock.increment.min(MAX_CLOCK);
    let horizon = tune::time_horizon() as u32;
    let moves = moves_to_go
        .filter(|&moves| moves > 0)
        .map_or(horizon, |moves| moves.min(horizon));
    let (spendable, most) = if moves == 1 {
        // The clock is refilled after this move.
        (left, left.mul_f64(percent(tune::time_max_share_last())))
    } else {
        let reserve = Duration::from_millis(tune::time_reserve() as u64);
        // Increments fill up a reserve that is short, so all of it is held back; without them that
        // could leave nothing to spend.
        let kept = if increment.is_zero() {
            left.mul_f64(percent(tune::time_reserve_share()))
        } else {
            left
        };
        let most = left.saturating_sub(reserve.min(left / 2));
        let most = most.mul_f64(percent(tune::time_max_share()));
        (left.saturating_sub(reserve.min(kept)), most)
    };
    let share = spendable / moves + increment.mul_f64(percent(tune::time_increment()));
    let soft = share.min(most).max(MIN_TIME);
    let hard = (share * tune::time_hard_factor() as u32)
        .min(most)
        .max(MIN_TIME);
    (soft, hard)
}

impl TimeManager {
    pub(super) fn new(
        limits: &Limits,
        options: &SearchOptions,
        turn: Color,
        start: Instant,
    ) -> TimeManager {
        let start = Moment {
            at: start,
            nodes: 0,
        };
        let mut manager = TimeManager {
            node_time: options.node_time,
            turn,
            overhead: options.move_overhead,
            start,
            clock_start: start,
            pondering: limits.ponder,
            is_enough: false,
            soft: None,
            hard: None,
            iterated: None,
            best: None,
            stability: 0,
        };
        manager.plan(limits);
        manager
    }

    /// Sets the soft and the hard limit.
    fn plan(&mut self, limits: &Limits) {
        let overhead = self.overhead;
        let clock = limits.clocks[self.turn];
        let limits_of_clock = clock.map(|clock| clock_limits(&clock, limits.moves_to_go, overhead));
        (self.soft, self.hard) = limits_of_clock.unzip();
        if let Some(time) = limits.move_time {
            let time = time.saturating_sub(overhead.min(time / 4)).max(MIN_TIME);
            // Without a clock all of the time is used.
            self.soft = self.soft.map(|soft| soft.min(time));
            self.hard = Some(self.hard.map_or(time, |hard| hard.min(time)));
        }
    }

    /// The opponent played the expected move: the clock starts.
    pub(super) fn ponder_hit(&mut self, hit: &PonderHit, nodes: u64) {
        self.pondering = false;
        self.clock_start = Moment { at: hit.at, nodes };
        if let Some(limits) = &hit.limits {
            self.plan(limits);
            self.judge();
        }
    }

    pub(super) fn is_pondering(&self) -> bool {
        self.pondering
    }

    /// The time since a moment, having searched this many nodes.
    fn since(&self, moment: Moment, nodes: u64) -> Duration {
        match self.node_time {
            Some(rate) => {
                let micros = nodes.saturating_sub(moment.nodes).saturating_mul(1000);
                Duration::from_micros(micros / rate.max(1))
            }
            None => moment.at.elapsed(),
        }
    }

    /// Whether the search must end at once, having searched this many nodes.
    pub(super) fn is_over(&self, nodes: u64) -> bool {
        let is_out_of_time = |hard| self.since(self.clock_start, nodes) >= hard;
        !self.pondering && (self.is_enough || self.hard.is_some_and(is_out_of_time))
    }

    /// Whether to play after this iteration rather than to start another. Time of the opponent counts
    /// like our own: what it has searched need not be searched again.
    pub(super) fn is_enough(&mut self, iteration: &Iteration) -> bool {
        let urgency = self.urgency(iteration);
        // A mate this far within the horizon of the search is certain.
        let mate = iteration.score.plies_to_mate();
        let factor = tune::time_mate_depth() as usize;
        let is_certain = mate.is_some_and(|plies| iteration.depth as usize > factor * plies);
        let is_settled = iteration.is_only_move || is_certain;
        let share = if is_settled { 0.0 } else { urgency };
        self.iterated = Some((self.since(self.start, iteration.nodes), share));
        self.judge();
        self.is_enough && !self.pondering
    }

    /// Sets whether the last iteration was enough.
    fn judge(&mut self) {
        let planned = self.soft.zip(self.iterated);
        self.is_enough = planned.is_some_and(|(soft, (spent, share))| spent >= soft.mul_f64(share));
    }

    /// The factor of the soft limit: 1 in a quiet position, more if the best move changes or the
    /// score falls, less if nearly all nodes go to the best move.
    fn urgency(&mut self, iteration: &Iteration) -> f64 {
        let is_stable = self.best == Some(iteration.best);
        self.stability = if is_stable { self.stability + 1 } else { 0 };
        self.best = Some(iteration.best);
        let fall = (iteration.previous.0 - iteration.score.0).clamp(0, tune::time_fall_max());
        let effort = percent(tune::time_effort_base()) - iteration.effort;
        let stable = self.stability.min(tune::time_stability_max());
        let stability = tune::time_stability_base() - tune::time_stability_step() * stable;
        // Tuned values may take off more than there is.
        let stability = stability.max(0);
        effort.max(percent(tune::time_effort_min())) * percent(stability) * percent(100 + fall)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ByColor;
    use crate::search::Clock;

    fn limits(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> Limits {
        let clock = Clock {
            remaining: Duration::from_millis(remaining),
            increment: Duration::from_millis(increment),
        };
        Limits {
            clocks: ByColor([Some(clock); 2]),
            moves_to_go,
            ..Limits::default()
        }
    }

    fn hit(limits: Option<Limits>) -> PonderHit {
        PonderHit {
            at: Instant::now(),
            limits,
        }
    }

    fn manager(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> TimeManager {
        TimeManager::new(
            &limits(remaining, increment, moves_to_go),
            &SearchOptions::default(),
            Color::White,
            Instant::now(),
        )
    }

    #[test]
    fn what_was_searched_on_the_opponents_time_counts() {
        let iteration = |is_only_move| Iteration {
            depth: 9,
            best: Move::normal(crate::Square::E2, crate::Square::E4),
            score: Score(0),
            previous: Score(0),
            effort: 0.5,
            is_only_move,
            nodes: 1,
        };
        for is_only_move in [true, false] {
            let mut manager = manager(600_000, 0, None);
            manager.pondering = true;
            assert!(!manager.is_enough(&iteration(is_only_move)));
            assert!(!manager.is_over(1), "the opponent has not moved");
            manager.ponder_hit(&hit(None), 1);
            assert_eq!(manager.is_over(1), is_only_move);
        }
        let mut manager = manager(600_000, 0, None);
        manager.pondering = true;
        manager.node_time = Some(1);
        let searched = Iteration {
            nodes: 300_000,
            ..iteration(false)
        };
        assert!(!manager.is_enough(&searched));
        let mut others = manager.clone();
        manager.ponder_hit(&hit(None), searched.nodes);
        assert!(manager.is_over(searched.nodes), "five minutes are enough");
        // With the clock as it is now, they need not be.
        others.ponder_hit(&hit(Some(limits(600_000_000, 0, None))), searched.nodes);
        assert!(!others.is_over(searched.nodes));
        others.ponder_hit(&hit(Some(limits(1000, 0, None))), searched.nodes);
        assert!(others.hard < Some(Duration::from_secs(1)));
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
        for remaining in [0, 1, 5, 31, 40, 100, 1000, 60_000, 10_000_000, u64::MAX] {
            for increment in [0, 10, 1000, 100_000, u64::MAX] {
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
