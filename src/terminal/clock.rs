//! Chess clocks for two.

pub(super) use arena::tournament::TimeControl;
use engine_core::search::Clock;
use engine_core::{ByColor, Color};
use std::time::{Duration, Instant};

/// The longest base time or increment: a year, so that sums do not overflow.
const LONGEST_SECONDS: f64 = 365.0 * 86_400.0;

/// Reads a time control such as `5+3`: five minutes, and three seconds a move.
pub(super) fn read(text: &str) -> Result<TimeControl, &'static str> {
    const EXPECTED: &str = "minutes+seconds expected, such as 5+3";
    let (minutes, seconds) = text.split_once('+').unwrap_or((text, "0"));
    let read = |text: &str, unit: f64| {
        let number: f64 = text.trim().parse().ok()?;
        let seconds = number * unit;
        (0.0..=LONGEST_SECONDS)
            .contains(&seconds)
            .then(|| Duration::from_secs_f64(seconds))
    };
    let base = read(minutes, 60.0).ok_or(EXPECTED)?;
    let increment = read(seconds, 1.0).ok_or(EXPECTED)?;
    if base + increment == Duration::ZERO {
        return Err("base time and increment are both zero");
    }
    Ok(TimeControl {
        moves: None,
        base,
        increment,
    })
}

/// The two clocks of a game; at most one is running.
#[derive(Clone, Debug)]
pub(super) struct Clocks {
    pub(super) control: TimeControl,
    left: ByColor<Duration>,
    running: Option<(Color, Instant)>,
}

impl Clocks {
    /// Clocks that show the base time or, without any, the increment, which the first move needs.
    pub(super) fn new(control: TimeControl) -> Clocks {
        let first = if control.base.is_zero() {
            control.increment
        } else {
            control.base
        };
        Clocks {
            control,
            left: ByColor([first; 2]),
            running: None,
        }
    }

    /// The time left on a clock.
    pub(super) fn left(&self, color: Color) -> Duration {
        let spent = match self.running {
            Some((side, since)) if side == color => since.elapsed(),
            _ => Duration::ZERO,
        };
        self.left[color].saturating_sub(spent)
    }

    /// Both clocks as the limits of a search.
    pub(super) fn for_search(&self) -> ByColor<Option<Clock>> {
        ByColor(Color::ALL.map(|color| {
            Some(Clock {
                remaining: self.left(color),
                increment: self.control.increment,
            })
        }))
    }

    /// Whether the flag of a side has fallen.
    pub(super) fn has_fallen(&self, color: Color) -> bool {
        self.left(color) == Duration::ZERO
    }

    /// Starts the clock of a side, if it is not running already.
    pub(super) fn start(&mut self, color: Color) {
        if self.running.is_none_or(|(side, _)| side != color) {
            self.stop();
            self.running = Some((color, Instant::now()));
        }
    }

    /// Stops both.
    pub(super) fn stop(&mut self) {
        if let Some((color, _)) = self.running {
            self.left[color] = self.left(color);
            self.running = None;
        }
    }

    /// Sets the time left on a clock that is not running.
    pub(super) fn set(&mut self, color: Color, left: Duration) {
        self.left[color] = left;
    }

    /// A side has moved: its clock stops and gets the increment.
    pub(super) fn press(&mut self, color: Color) {
        self.stop();
        self.left[color] += self.control.increment;
    }
}

/// `4:59`, or `1:00:00` from an hour on. Seconds are rounded up, so that a clock shows zero
/// only when the flag has fallen.
pub(super) fn show(time: Duration) -> String {
    let seconds = time.as_millis().div_ceil(1000);
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes}:{seconds:02}"),
        _ => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls() {
        assert_eq!(read("5+3").unwrap().to_string(), "300+3");
        assert_eq!(read("0.5").unwrap().to_string(), "30");
        for bad in ["", "x", "5+", "-1+0", "0+0", "nan", "1e300"] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn clocks() {
        let mut clocks = Clocks::new(read("1+2").unwrap());
        clocks.start(Color::White);
        clocks.press(Color::White);
        let left = clocks.left(Color::White);
        assert!(left > Duration::from_secs(61) && left <= Duration::from_secs(62));
        assert_eq!(clocks.left(Color::Black), Duration::from_mins(1));
        assert!(!clocks.has_fallen(Color::Black));
        let clocks = Clocks::new(read("0+5").unwrap());
        assert_eq!(clocks.left(Color::White), Duration::from_secs(5));
        assert_eq!(show(Duration::from_secs(299)), "4:59");
        assert_eq!(show(Duration::from_millis(299_001)), "5:00");
        assert_eq!(show(Duration::from_hours(1)), "1:00:00");
    }
}
