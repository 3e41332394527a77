//! The tag `TimeControl`.

use std::fmt;
use std::str::FromStr;

/// The value of the tag `TimeControl`: how much time the players had.
///
/// ```
/// use pgn::{Period, TimeControlTag};
///
/// let tag: TimeControlTag = "40/7200:3600".parse()?;
/// let classical = Period { moves: Some(40), seconds: 7200.0, increment: 0.0 };
/// let rest = Period { moves: None, seconds: 3600.0, increment: 0.0 };
/// assert_eq!(tag, TimeControlTag::Periods(vec![classical, rest]));
/// assert_eq!("*180".parse(), Ok(TimeControlTag::Sandclock(180.0)));
/// assert_eq!("180+2".parse::<TimeControlTag>()?.to_string(), "180+2");
/// # Ok::<(), pgn::ParseTimeControlError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub enum TimeControlTag {
    /// `?`: unknown.
    Unknown,
    /// `-`: there was no clock.
    None,
    /// `*180`: an hourglass clock of this many seconds: time spent by one player goes to the other.
    Sandclock(f64),
    /// One period after the other, with colons between: `40/7200:20/3600:900+30`.
    Periods(Vec<Period>),
}

/// A part of the game with its own time.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Period {
    /// How many moves are to be made in it; `None` if it lasts to the end of the game.
    pub moves: Option<u32>,
    /// The time for all of them.
    pub seconds: f64,
    /// The seconds that each move adds.
    pub increment: f64,
}

/// A text that is no time control.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseTimeControlError;

impl fmt::Display for ParseTimeControlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a time control such as 300+3, 40/7200:3600, *180, - or ?")
    }
}

impl std::error::Error for ParseTimeControlError {}

impl FromStr for TimeControlTag {
    type Err = ParseTimeControlError;

    fn from_str(text: &str) -> Result<TimeControlTag, ParseTimeControlError> {
        let text = text.trim();
        match text {
            "?" => return Ok(TimeControlTag::Unknown),
            "-" => return Ok(TimeControlTag::None),
            _ => {}
        }
        if let Some(time) = text.strip_prefix('*') {
            let sand = seconds(time).filter(|&seconds| seconds > 0.0);
            return sand
                .map(TimeControlTag::Sandclock)
                .ok_or(ParseTimeControlError);
        }
        let periods = text.split(':').map(period).collect::<Option<_>>();
        periods
            .map(TimeControlTag::Periods)
            .ok_or(ParseTimeControlError)
    }
}

fn period(text: &str) -> Option<Period> {
    let (moves, time) = match text.split_once('/') {
        Some((moves, time)) => (Some(count(moves)?), time),
        None => (None, text),
    };
    let (time, increment) = match time.split_once('+') {
        Some((time, increment)) => (time, seconds(increment)?),
        None => (time, 0.0),
    };
    Some(Period {
        moves,
        seconds: seconds(time)?,
        increment,
    })
}

fn count(text: &str) -> Option<u32> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    let count = text.parse().ok().filter(|&count| count > 0);
    count.filter(|_| is_number)
}

/// Seconds, perhaps with decimals, as fast games of engines have them.
fn seconds(text: &str) -> Option<f64> {
    let is_number = text
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'.');
    text.parse()
        .ok()
        .filter(|seconds: &f64| is_number && seconds.is_finite())
}

/// As the tag has it.
impl fmt::Display for TimeControlTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TimeControlTag::Unknown => f.write_str("?"),
            TimeControlTag::None => f.write_str("-"),
            TimeControlTag::Sandclock(seconds) => write!(f, "*{seconds}"),
            TimeControlTag::Periods(periods) => {
                for (index, period) in periods.iter().enumerate() {
                    if index > 0 {
                        f.write_str(":")?;
                    }
                    period.fmt(f)?;
                }
                Ok(())
            }
        }
    }
}

impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.seconds)?;
        if self.increment > 0.0 {
            write!(f, "+{}", self.increment)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_and_writes() {
        for text in [
            "?",
            "-",
            "*180",
            "300",
            "180+2",
            "40/7200:3600",
            "40/5400+30:1800+30",
            "40/7200:20/3600:900+30",
            "0.5+0.01",
            "1/86400",
        ] {
            let tag: TimeControlTag = text.parse().expect(text);
            assert_eq!(tag.to_string(), text);
        }
        for text in [
            "", "*", "*0", "+", "5 min", "40/", "/7200", "0/60", "40/7200:", "-5", "1e9", "inf",
            "+5", "3+-2", "G/5",
        ] {
            assert_eq!(
                text.parse::<TimeControlTag>(),
                Err(ParseTimeControlError),
                "{text}"
            );
        }
    }
}
