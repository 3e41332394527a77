//! The limits of the searches in a game, and its clocks.

use super::time_control::TimeControl;
use common::count::count;
use engine_core::search::{Clock, Limits};
use engine_core::{ByColor, Color};
use std::fmt;
use std::time::Duration;

/// The limits of the searches of one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PlayLimits {
    /// The clock of the game.
    pub clock: Option<TimeControl>,
    /// A fixed time for each move.
    pub move_time: Option<Duration>,
    /// Plies for each move.
    pub depth: Option<u32>,
    /// Nodes for each move.
    pub nodes: Option<u64>,
    /// How far a clock may be overdrawn without a loss.
    pub margin: Duration,
}

impl PlayLimits {
    /// The same with those of one engine in the place of those of their kind: clock or time, plies, and
    /// nodes. The margin stays.
    #[must_use]
    pub fn replaced_by(self, own: PlayLimits) -> PlayLimits {
        let has_time = own.clock.is_some() || own.move_time.is_some();
        let time = if has_time { own } else { self };
        PlayLimits {
            clock: time.clock,
            move_time: time.move_time,
            depth: own.depth.or(self.depth),
            nodes: own.nodes.or(self.nodes),
            margin: self.margin,
        }
    }
}

impl fmt::Display for PlayLimits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        parts.extend(self.clock.map(|clock| clock.to_string()));
        parts.extend(
            self.move_time
                .map(|time| format!("{} s a move", time.as_secs_f64())),
        );
        parts.extend(self.nodes.map(|nodes| count(nodes, "node")));
        parts.extend(self.depth.map(|depth| format!("depth {depth}")));
        f.write_str(&parts.join(", "))
    }
}

/// The clocks of a game.
#[derive(Clone, Debug)]
pub struct Clocks {
    limits: ByColor<PlayLimits>,
    left: ByColor<Option<Duration>>,
    /// Moves to the next control.
    to_go: ByColor<Option<u32>>,
}

impl Clocks {
    /// Clocks at the start of a game.
    pub fn new(limits: ByColor<PlayLimits>) -> Clocks {
        let of = |color: Color| limits[color].clock;
        let each = |color| of(color).map(|clock| clock.at_start());
        let moves = |color| of(color).and_then(|clock| clock.moves);
        Clocks {
            limits,
            left: ByColor([each(Color::White), each(Color::Black)]),
            to_go: ByColor([moves(Color::White), moves(Color::Black)]),
        }
    }

    /// The time that a side has left, if it has a clock.
    pub fn left(&self, color: Color) -> Option<Duration> {
        self.left[color]
    }

    /// The limits of a side that is to move.
    pub fn search_limits(&self, turn: Color) -> Limits {
        let clock = |color: Color| {
            Some(Clock {
                remaining: self.left[color]?,
                increment: self.limits[color].clock?.increment,
            })
        };
        let limit = &self.limits[turn];
        // Engines take a single clock for that of both sides.
        let clocks = match limit.clock {
            Some(_) => ByColor([clock(Color::White), clock(Color::Black)]),
            None => ByColor([None; 2]),
        };
        Limits {
            clocks,
            moves_to_go: self.to_go[turn],
            move_time: limit.move_time,
            depth: limit.depth,
            nodes: limit.nodes,
            ..Limits::default()
        }
    }

    /// Takes a move's time off the clock, and returns whether the move was in time.
    pub fn count(&mut self, turn: Color, elapsed: Duration) -> bool {
        let limit = self.limits[turn];
        // The time is exact for an engine that stops when it is up, so it needs some grace.
        let grace = limit.margin.max(MOVE_TIME_GRACE);
        if limit.move_time.is_some_and(|time| elapsed > time + grace) {
            return false;
        }
        let (Some(left), Some(control)) = (self.left[turn], limit.clock) else {
            return true;
        };
        if elapsed > left + limit.margin {
            self.left[turn] = Some(Duration::ZERO);
            return false;
        }
        let mut after = left.saturating_sub(elapsed) + control.increment;
        if let Some(to_go) = &mut self.to_go[turn] {
            *to_go -= 1;
            if *to_go == 0 {
                *to_go = control.moves.unwrap_or(1);
                after += control.base;
            }
        }
        self.left[turn] = Some(after);
        true
    }
}

/// How late a move may be that had an exact time.
const MOVE_TIME_GRACE: Duration = Duration::from_millis(100);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_run_down_and_up() {
        let limit = PlayLimits {
            clock: Some("2/10+1".parse().unwrap()),
            margin: Duration::from_millis(500),
            ..PlayLimits::default()
        };
        let mut clocks = Clocks::new(ByColor([limit, PlayLimits::default()]));
        let second = Duration::from_secs(1);
        assert_eq!(clocks.search_limits(Color::White).moves_to_go, Some(2));
        assert!(clocks.count(Color::White, 4 * second));
        assert_eq!(clocks.left(Color::White), Some(7 * second));
        assert!(clocks.count(Color::White, 7 * second + limit.margin));
        assert_eq!(clocks.left(Color::White), Some(11 * second));
        assert_eq!(clocks.search_limits(Color::White).moves_to_go, Some(2));
        assert!(!clocks.count(Color::White, 12 * second));
        assert!(clocks.count(Color::Black, 99 * second));
        assert_eq!(clocks.search_limits(Color::Black), Limits::default());
    }

    fn of_white(clock: &str, move_time: Option<Duration>) -> Clocks {
        let white = PlayLimits {
            clock: Some(clock.parse().unwrap()),
            move_time,
            ..PlayLimits::default()
        };
        Clocks::new(ByColor([white, PlayLimits::default()]))
    }

    #[test]
    fn increments_alone_are_a_clock() {
        let mut clocks = of_white("0+1", None);
        assert!(clocks.count(Color::White, Duration::from_millis(900)));
        assert_eq!(clocks.left(Color::White), Some(Duration::from_millis(1100)));
    }

    #[test]
    fn a_time_for_each_move_does_not_stop_the_clock() {
        let second = Duration::from_secs(1);
        let mut clocks = of_white("3", Some(2 * second));
        assert!(clocks.count(Color::White, 2 * second));
        assert_eq!(clocks.left(Color::White), Some(second));
        assert!(!clocks.count(Color::White, 2 * second));
        let mut clocks = of_white("9", Some(2 * second));
        assert!(!clocks.count(Color::White, 3 * second));
    }
}
