//! Time controls and other paces, and the clocks that count them down.

use engine_core::search::{Clock, Limits};
use engine_core::{ByColor, Color};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// A time control: `[moves/]base[+increment]`, in seconds, or `minutes:seconds` for the base.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeControl {
    /// The moves that the base is for; all where there is none.
    pub moves: Option<u32>,
    /// What the clock shows at first.
    pub base: Duration,
    /// What every move adds.
    pub increment: Duration,
}

/// No sum of times as long as this overflows.
const LONGEST: f64 = 365.0 * 86_400.0;

fn seconds(text: &str) -> Option<Duration> {
    let (minutes, seconds) = text.split_once(':').unwrap_or(("0", text));
    let sum = 60.0 * minutes.trim().parse::<f64>().ok()? + seconds.trim().parse::<f64>().ok()?;
    (0.0..=LONGEST)
        .contains(&sum)
        .then(|| Duration::from_secs_f64(sum))
}

impl FromStr for TimeControl {
    type Err = String;

    fn from_str(text: &str) -> Result<TimeControl, String> {
        let read = || {
            let (moves, rest) = match text.split_once('/') {
                Some((moves, rest)) => (Some(moves.trim().parse().ok().filter(|&n| n > 0)?), rest),
                None => (None, text),
            };
            let (base, increment) = rest.split_once('+').unwrap_or((rest, "0"));
            let control = TimeControl {
                moves,
                base: seconds(base)?,
                increment: seconds(increment)?,
            };
            (control.base + control.increment > Duration::ZERO).then_some(control)
        };
        read().ok_or_else(|| {
            format!("[MOVES/]SECONDS[+INCREMENT] expected, such as 10+0.1 or 40/1:00, not {text:?}")
        })
    }
}

/// As the PGN standard has it.
impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.base.as_secs_f64())?;
        if self.increment > Duration::ZERO {
            write!(f, "+{}", self.increment.as_secs_f64())?;
        }
        Ok(())
    }
}

/// What bounds the searches of one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pace {
    /// The clock of the game.
    pub clock: Option<TimeControl>,
    /// Exactly so long for each move.
    pub move_time: Option<Duration>,
    /// Plies for each move.
    pub depth: Option<u32>,
    /// Nodes for each move.
    pub nodes: Option<u64>,
    /// How far a clock may be overdrawn without a loss.
    pub margin: Duration,
}

impl fmt::Display for Pace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        parts.extend(self.clock.map(|clock| clock.to_string()));
        parts.extend(
            self.move_time
                .map(|time| format!("{} s a move", time.as_secs_f64())),
        );
        parts.extend(self.nodes.map(|nodes| format!("{nodes} nodes")));
        parts.extend(self.depth.map(|depth| format!("depth {depth}")));
        f.write_str(&parts.join(", "))
    }
}

/// The clocks of a game.
#[derive(Clone, Debug)]
pub struct Clocks {
    paces: ByColor<Pace>,
    left: ByColor<Option<Duration>>,
    /// Moves to the next control.
    to_go: ByColor<Option<u32>>,
}

impl Clocks {
    /// Clocks at the start of a game.
    pub fn new(paces: ByColor<Pace>) -> Clocks {
        let of = |color: Color| paces[color].clock;
        let each = |color| of(color).map(|clock| clock.base);
        let moves = |color| of(color).and_then(|clock| clock.moves);
        Clocks {
            paces,
            left: ByColor([each(Color::White), each(Color::Black)]),
            to_go: ByColor([moves(Color::White), moves(Color::Black)]),
        }
    }

    /// What a side has left, where it has a clock.
    pub fn left(&self, color: Color) -> Option<Duration> {
        self.left[color]
    }

    /// The limits of a side that is to move.
    pub fn limits(&self, turn: Color) -> Limits {
        let clock = |color: Color| {
            Some(Clock {
                remaining: self.left[color]?,
                increment: self.paces[color].clock?.increment,
            })
        };
        let pace = &self.paces[turn];
        // Engines take a lonely clock for both.
        let clocks = match pace.clock {
            Some(_) => ByColor([clock(Color::White), clock(Color::Black)]),
            None => ByColor([None; 2]),
        };
        Limits {
            clocks,
            moves_to_go: self.to_go[turn],
            move_time: pace.move_time,
            depth: pace.depth,
            nodes: pace.nodes,
            ..Limits::default()
        }
    }

    /// Counts a move's time and tells whether it was in time.
    pub fn count(&mut self, turn: Color, elapsed: Duration) -> bool {
        let pace = self.paces[turn];
        if let Some(time) = pace.move_time {
            // The time is exact for an engine that stops when it is up, so it needs some grace.
            return elapsed <= time + pace.margin.max(MOVE_TIME_GRACE);
        }
        let (Some(left), Some(control)) = (self.left[turn], pace.clock) else {
            return true;
        };
        if elapsed > left + pace.margin {
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
    fn reading_and_writing() {
        for (text, written) in [
            ("10+0.1", "10+0.1"),
            ("40/1:30", "40/90"),
            ("5", "5"),
            ("0+1", "0+1"),
        ] {
            let control: TimeControl = text.parse().unwrap();
            assert_eq!(control.to_string(), written);
        }
        for wrong in ["", "0", "-1", "0/5", "5+", "x", "nan", "inf", "1e300"] {
            assert!(wrong.parse::<TimeControl>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn clocks_run_down_and_up() {
        let pace = Pace {
            clock: Some("2/10+1".parse().unwrap()),
            margin: Duration::from_millis(500),
            ..Pace::default()
        };
        let mut clocks = Clocks::new(ByColor([pace, Pace::default()]));
        let second = Duration::from_secs(1);
        assert_eq!(clocks.limits(Color::White).moves_to_go, Some(2));
        assert!(clocks.count(Color::White, 4 * second));
        assert_eq!(clocks.left(Color::White), Some(7 * second));
        assert!(clocks.count(Color::White, 7 * second + pace.margin));
        assert_eq!(clocks.left(Color::White), Some(11 * second));
        assert_eq!(clocks.limits(Color::White).moves_to_go, Some(2));
        assert!(!clocks.count(Color::White, 12 * second));
        assert!(clocks.count(Color::Black, 99 * second));
        assert_eq!(clocks.limits(Color::Black), Limits::default());
    }
}
