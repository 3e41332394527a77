//! The progress of a long task: a line on stderr now and then.

use std::io::{IsTerminal, Write, stderr};
use std::time::{Duration, Instant};

/// The progress of a task towards a known end.
pub struct Progress {
    unit: &'static str,
    goal: u64,
    first: u64,
    start: Instant,
    next: Instant,
    on_terminal: bool,
}

impl Progress {
    /// Progress from `done` to `goal`, both in `unit`.
    pub fn new(unit: &'static str, done: u64, goal: u64) -> Progress {
        let start = Instant::now();
        Progress {
            unit,
            goal,
            first: done,
            start,
            next: start,
            on_terminal: stderr().is_terminal(),
        }
    }

    /// Stays silent where stderr is no terminal.
    #[must_use]
    pub fn on_terminal_only(mut self) -> Progress {
        if !self.on_terminal {
            const NEVER: Duration = Duration::from_secs(1 << 30);
            self.next = self.start + NEVER;
        }
        self
    }

    /// Writes the progress if it is time to: every second on a terminal, where the line is
    /// overwritten, else every 15 seconds, for a log. `more` is added to the line.
    pub fn update(&mut self, done: u64, more: &str) {
        let now = Instant::now();
        if now < self.next {
            return;
        }
        self.next = now + Duration::from_secs(if self.on_terminal { 1 } else { 15 });
        let elapsed = self.start.elapsed().as_secs_f64();
        let rate = done.saturating_sub(self.first) as f64 / elapsed.max(1e-3);
        let left = self.goal.saturating_sub(done) as f64 / rate.max(1e-9);
        let left = if rate > 0.0 {
            clock(left as u64)
        } else {
            "?".to_owned()
        };
        let (start, end) = if self.on_terminal {
            ("\r", "\x1b[K")
        } else {
            ("", "\n")
        };
        // Failing to write it is not an error.
        let _ = write!(
            stderr(),
            "{start}{done} of {} {}, {rate:.0}/s, {left} left{more}{end}",
            self.goal,
            self.unit
        );
    }

    /// Ends the line that has been overwritten.
    pub fn end(&self) {
        if self.on_terminal {
            let _ = writeln!(stderr());
        }
    }
}

/// Hours, minutes and seconds: `1:02:03`.
fn clock(seconds: u64) -> String {
    format!(
        "{}:{:02}:{:02}",
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60
    )
}
