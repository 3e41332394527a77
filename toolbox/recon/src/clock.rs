//! The clocks of the two players.

use engine_core::{ByColor, Color};
use std::time::Instant;

/// The time that each player has left. A turn's time is taken off, and the increment added, when
/// the turn ends, so that a player may overrun the clock by less than the increment.
#[derive(Clone, Debug)]
pub struct Clock {
    /// Seconds at the start of the present turn; infinite without a limit.
    stored: ByColor<f64>,
    increment: f64,
    /// Whether the first turn has begun.
    started: bool,
    /// When the present turn began, unless the clock stands still.
    since: Option<Instant>,
}

impl Clock {
    /// Clocks that stand still, with this many seconds for each player, or without limit.
    pub fn new(seconds: Option<f64>, increment: f64) -> Clock {
        Clock {
            stored: ByColor([seconds.unwrap_or(f64::INFINITY); 2]),
            increment,
            started: false,
            since: None,
        }
    }

    /// Starts the clock of the player to move.
    pub fn start(&mut self) {
        self.started = true;
        self.since = Some(Instant::now());
    }

    /// Whether the clocks were ever started.
    pub fn has_started(&self) -> bool {
        self.started
    }

    /// Seconds that the player to move has left at this moment.
    pub fn left(&self, turn: Color) -> f64 {
        let stored = self.stored[turn];
        // Reading the clock takes time, and turns can be short.
        match self.since {
            Some(since) if stored.is_finite() => stored - since.elapsed().as_secs_f64(),
            _ => stored,
        }
    }

    /// Seconds that a player had left when the present turn began.
    pub fn stored(&self, color: Color) -> f64 {
        self.stored[color]
    }

    /// Sets the time that the player to move has left now: for a game that was interrupted.
    pub fn restart(&mut self, turn: Color, seconds: f64) {
        self.stored[turn] = seconds;
        self.since = Some(Instant::now());
    }

    /// Ends a turn with this many seconds left, and starts the next.
    pub fn switch(&mut self, turn: Color, left: f64) {
        self.stored[turn] = left + self.increment;
        self.since = Some(Instant::now());
    }

    /// Stops the clocks.
    pub fn stop(&mut self, turn: Color) {
        self.stored[turn] = self.left(turn);
        self.since = None;
    }
}
