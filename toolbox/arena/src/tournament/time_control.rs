//! Time controls.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// A time control: `[moves/]base[+increment]`, both in seconds or as `minutes:seconds`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeControl {
    /// Moves to the time control; `None` if the base is for the whole game.
    pub moves: Option<u32>,
    /// The time at the start and at every time control.
    pub base: Duration,
    /// The time that every move adds.
    pub increment: Duration,
}

impl TimeControl {
    /// The time on the clock before the first move: where there is none but increments, the first
    /// of them.
    pub fn at_start(&self) -> Duration {
        if self.base.is_zero() {
            self.increment
        } else {
            self.base
        }
    }
}

/// The greatest time in seconds, a year, so that no sum of such times overflows.
const MAX_SECONDS: f64 = 365.0 * 86_400.0;

/// A number without a sign.
fn number(text: &str) -> Option<f64> {
    let text = text.trim();
    let is_unsigned = text.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    text.parse().ok().filter(|_| is_unsigned)
}

fn seconds(text: &str) -> Option<Duration> {
    let (minutes, seconds) = text.split_once(':').unwrap_or(("0", text));
    let sum = 60.0 * number(minutes)? + number(seconds)?;
    (0.0..=MAX_SECONDS)
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
            format!(
                "[MOVES/]SECONDS[+INCREMENT] of at most a year expected, such as 10+0.1 or 40/1:00, \
                 not {text:?}"
            )
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
            ("10+0:01", "10+1"),
        ] {
            let control: TimeControl = text.parse().unwrap();
            assert_eq!(control.to_string(), written);
        }
        for wrong in [
            "", "0", "-1", "0/5", "5+", "x", "nan", "inf", "1e300", "1:-30", "-1:90", "1:+30",
            "+5", "10+-0:01", "10++1",
        ] {
            assert!(wrong.parse::<TimeControl>().is_err(), "{wrong}");
        }
        let error = "9999999999".parse::<TimeControl>().unwrap_err();
        assert!(error.contains("at most a year"), "{error}");
    }
}
