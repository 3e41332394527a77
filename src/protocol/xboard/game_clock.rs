//! Time controls and clocks in XBoard.

use engine_core::Color;
use engine_core::search::{Clock, Limits};
use std::time::Duration;

/// The time control of a game, with its clocks.
#[derive(Clone, Debug)]
pub(super) struct GameClock {
    mode: ClockMode,
    depth: Option<u32>,
    /// Nodes that count as a second, if time is counted in nodes (`nps`).
    nps: Option<u64>,
    /// The time left on the clock of the engine and of its opponent.
    own: Duration,
    other: Duration,
}

#[derive(Clone, Copy, Debug)]
enum ClockMode {
    /// A clock, as set by `level`.
    Level {
        /// Moves to a time control; none if the base time is for the whole game.
        moves: Option<u32>,
        base: Duration,
        increment: Duration,
        /// The ply at which the first time control began.
        since: u64,
    },
    /// A fixed time for each move, as set by `st`.
    PerMove(Duration),
}

/// The clocks before the GUI sets them: five minutes for the game.
const BASE: Duration = Duration::from_mins(5);

/// The greatest time in seconds, so that no sum of such times overflows.
const MAX_SECONDS: f64 = 1e9;

/// With a clock counted in nodes, a move gets one part in this many of it.
const EXPECTED_MOVES_TO_GO: u32 = 25;

impl Default for GameClock {
    fn default() -> GameClock {
        GameClock {
            mode: ClockMode::Level {
                moves: None,
                base: BASE,
                increment: Duration::ZERO,
                since: 0,
            },
            depth: None,
            nps: None,
            own: BASE,
            other: BASE,
        }
    }
}

impl GameClock {
    /// Resets the clocks for a new game that starts at this ply, and removes the limits of depth and of
    /// nodes a second, which the protocol lets end with a game.
    pub(super) fn restart(&mut self, ply: u64) {
        (self.depth, self.nps) = (None, None);
        if let ClockMode::Level { base, .. } = self.mode {
            (self.own, self.other) = (base, base);
        }
        self.count_from(ply);
    }

    /// Counts moves to the time control from this ply on.
    pub(super) fn count_from(&mut self, ply: u64) {
        if let ClockMode::Level { since, .. } = &mut self.mode {
            *since = ply;
        }
    }

    /// `level MOVES BASE INCREMENT`: base as in [`base_time`], increment in seconds. Both may be zero:
    /// python-chess rounds the time left down to whole seconds and sends it as the base.
    pub(super) fn level(&mut self, text: &str, ply: u64) -> Option<()> {
        let mut words = text.split_whitespace();
        let moves: u32 = words.next()?.parse().ok()?;
        let base = base_time(words.next()?)?;
        let increment = words.next().map_or(Some(Duration::ZERO), seconds_of)?;
        self.mode = ClockMode::Level {
            moves: (moves > 0).then_some(moves),
            base,
            increment,
            since: ply,
        };
        (self.own, self.other) = (base, base);
        Some(())
    }

    /// `st SECONDS`.
    pub(super) fn per_move(&mut self, text: &str) -> Option<()> {
        self.mode = ClockMode::PerMove(seconds_of(text)?);
        Some(())
    }

    /// `sd DEPTH`.
    pub(super) fn depth(&mut self, text: &str) -> Option<()> {
        self.depth = Some(text.trim().parse::<u32>().ok()?.max(1));
        Some(())
    }

    /// `nps NODES`; zero means processor time, for which wall-clock time is used.
    pub(super) fn set_nps(&mut self, text: &str) -> Option<()> {
        let nodes: u64 = text.trim().parse().ok()?;
        self.nps = (nodes > 0).then_some(nodes);
        Some(())
    }

    /// `time` for the engine and `otim` for its opponent, in hundredths of a second.
    pub(super) fn set_remaining(&mut self, text: &str, own: bool) -> Option<()> {
        let hundredths: f64 = text.trim().parse().ok()?;
        let time = duration(hundredths / 100.0)?;
        *(if own { &mut self.own } else { &mut self.other }) = time;
        Some(())
    }

    /// Updates the engine's clock after its move at a ply: takes off the time spent, and adds the
    /// increment and, after the last move of a time control, the time of the next. The GUI sends the
    /// time only before the next move, and pondering needs it now.
    pub(super) fn moved(&mut self, spent: Duration, ply: u64) {
        let is_last = self.moves_to_go(ply) == Some(1);
        if let ClockMode::Level {
            base, increment, ..
        } = self.mode
        {
            self.own = self.own.saturating_sub(spent) + increment;
            if is_last {
                self.own += base;
            }
        }
    }

    /// The moves to the time control of the side to move at a ply, this one included.
    fn moves_to_go(&self, ply: u64) -> Option<u32> {
        match self.mode {
            ClockMode::Level { moves, since, .. } => {
                // Either side may have moved first.
                let made = ply.saturating_sub(since) / 2;
                moves.map(|moves| moves - (made % u64::from(moves)) as u32)
            }
            ClockMode::PerMove(_) => None,
        }
    }

    /// The limits of a move by this side, at a ply.
    pub(super) fn limits(&self, turn: Color, ply: u64) -> Limits {
        let mut limits = Limits {
            depth: self.depth,
            ..Limits::default()
        };
        let count = |time: Duration, rate: u64| ((time.as_secs_f64() * rate as f64) as u64).max(1);
        match (self.mode, self.nps) {
            (ClockMode::PerMove(time), None) => limits.move_time = Some(time),
            (ClockMode::PerMove(time), Some(rate)) => limits.nodes = Some(count(time, rate)),
            (ClockMode::Level { increment, .. }, Some(rate)) => {
                limits.nodes = Some(count(self.own / EXPECTED_MOVES_TO_GO + increment, rate));
            }
            (ClockMode::Level { increment, .. }, None) => {
                let clock = |remaining| Clock {
                    remaining,
                    increment,
                };
                limits.clocks[turn] = Some(clock(self.own));
                limits.clocks[!turn] = Some(clock(self.other));
                limits.moves_to_go = self.moves_to_go(ply);
            }
        }
        limits
    }
}

/// A base time in minutes, minutes:seconds or :seconds. What follows is ignored, as the protocol asks of
/// engines: `25+5` would announce another time control after this one.
fn base_time(text: &str) -> Option<Duration> {
    let (minutes, rest) = split_number(text);
    let (seconds, _) = split_number(rest.strip_prefix(':').unwrap_or_default());
    match (minutes, seconds) {
        ("", "") => None,
        ("", seconds) => seconds_of(seconds),
        (minutes, "") => Some(seconds_of(minutes)? * 60),
        (minutes, seconds) => Some(seconds_of(minutes)? * 60 + seconds_of(seconds)?),
    }
}

/// The digits and points with which a text begins, and the rest.
fn split_number(text: &str) -> (&str, &str) {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    (text.strip_suffix(rest).unwrap_or_default(), rest)
}

/// A time of a time control, which is not negative.
fn seconds_of(text: &str) -> Option<Duration> {
    let seconds: f64 = text.trim().parse().ok()?;
    (seconds >= 0.0).then(|| duration(seconds))?
}

/// A time in seconds. A negative one, as clocks show after the end of the time, counts as zero.
fn duration(seconds: f64) -> Option<Duration> {
    (!seconds.is_nan()).then(|| Duration::from_secs_f64(seconds.clamp(0.0, MAX_SECONDS)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(clock: &GameClock, ply: u64) -> (Duration, Duration, Option<u32>) {
        let limits = clock.limits(Color::Black, ply);
        let clock = limits.clocks[Color::Black].unwrap();
        (clock.remaining, clock.increment, limits.moves_to_go)
    }

    #[test]
    fn levels() {
        let mut clock = GameClock::default();
        let seconds = Duration::from_secs_f64;
        clock.level("40 5 0", 1).unwrap();
        assert_eq!(at(&clock, 1), (seconds(300.0), seconds(0.0), Some(40)));
        for (ply, left) in [(2, 40), (3, 39), (79, 1), (80, 1), (81, 40)] {
            assert_eq!(at(&clock, ply).2, Some(left), "{ply}");
        }
        clock.level("0 0:05 0.1", 1).unwrap();
        assert_eq!(at(&clock, 1), (seconds(5.0), seconds(0.1), None));
        clock.level("10 1:05 2 junk", 7).unwrap();
        assert_eq!(at(&clock, 7), (seconds(65.0), seconds(2.0), Some(10)));
        for (base, time) in [
            (":30", 30.0),
            ("5:30:10", 330.0),
            ("25+5", 1500.0),
            ("1:05+0:30", 65.0),
            ("0.5", 30.0),
            ("1:", 60.0),
        ] {
            clock.level(&format!("0 {base} 0"), 7).unwrap();
            assert_eq!(at(&clock, 7).0, seconds(time), "{base}");
        }
        clock.level("0 0:00 0", 7).unwrap();
        clock.set_remaining("90", true).unwrap();
        assert_eq!(at(&clock, 7), (seconds(0.9), seconds(0.0), None));
        for wrong in [
            "x", "0 -5 0", "0 5 x", "0 5 -1", "0 : 0", "0 . 0", "0 :-5 0",
        ] {
            assert!(clock.level(wrong, 1).is_none(), "{wrong}");
        }
    }

    #[test]
    fn clocks() {
        let mut clock = GameClock::default();
        clock.level("0 1 1", 1).unwrap();
        clock.set_remaining("1234", true).unwrap();
        clock.moved(Duration::from_secs(2), 1);
        assert_eq!(at(&clock, 1).0, Duration::from_millis(11_340));
        clock.set_remaining("-3", true).unwrap();
        assert_eq!(at(&clock, 1).0, Duration::ZERO);
        assert!(clock.set_remaining("nan", true).is_none());
    }

    #[test]
    fn the_last_move_of_a_time_control_brings_the_next() {
        let mut clock = GameClock::default();
        clock.level("40 5 0", 1).unwrap();
        let seconds = Duration::from_secs;
        clock.set_remaining("1000", true).unwrap();
        clock.moved(seconds(2), 77);
        assert_eq!(at(&clock, 79).0, seconds(8));
        clock.moved(seconds(2), 79);
        assert_eq!(at(&clock, 81).0, seconds(306));
    }

    #[test]
    fn other_limits() {
        let mut clock = GameClock::default();
        clock.per_move("0.01").unwrap();
        clock.depth("7").unwrap();
        let limits = clock.limits(Color::White, 1);
        assert_eq!(limits.move_time, Some(Duration::from_millis(10)));
        assert_eq!(limits.depth, Some(7));
        clock.per_move("5000").unwrap();
        clock.set_nps("1").unwrap();
        assert_eq!(clock.limits(Color::White, 1).nodes, Some(5000));
        clock.per_move("1e300").unwrap();
        clock.restart(1);
        let limits = clock.limits(Color::White, 1);
        assert_eq!((limits.depth, limits.nodes), (None, None));
    }
}
