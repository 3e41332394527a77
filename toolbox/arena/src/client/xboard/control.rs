//! Time controls and clocks.

use super::feature::Features;
use crate::client::error::Result;
use crate::client::link::Link;
use engine_core::search::Limits;
use engine_core::{AnyPosition, Color};
use std::time::Duration;

/// The time control and limits, which are sent once for all moves of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Control {
    level: Option<Level>,
    move_time: Option<Duration>,
    depth: Option<u32>,
    nodes: Option<u64>,
}

/// The arguments of `level`. Two are equal if they differ only by the time and moves that have been
/// used up.
#[derive(Clone, Debug)]
struct Level {
    moves: u32,
    base: Duration,
    increment: Duration,
}

impl PartialEq for Level {
    fn eq(&self, other: &Level) -> bool {
        (self.moves == 0, self.increment) == (other.moves == 0, other.increment)
    }
}

impl Eq for Level {}

/// The time for the move of a search with other limits: long enough for any of them.
const NO_LIMIT: Duration = Duration::from_hours(24);

impl Control {
    /// The control for the side to move.
    pub(super) fn of(limits: &Limits, position: &AnyPosition) -> Control {
        let turn = position.turn();
        Control {
            level: limits.clocks[turn].map(|clock| Level {
                moves: limits.moves_to_go.unwrap_or(0),
                base: clock.remaining,
                increment: clock.increment,
            }),
            move_time: limits.move_time,
            depth: limits.depth,
            nodes: limits.nodes,
        }
    }

    /// Whether the engine supports the limits.
    pub(super) fn check(&self, features: &Features, link: &Link) -> Result {
        if self.nodes.is_none() {
            return Ok(());
        }
        if self.level.is_some() || self.move_time.is_some() {
            return Err(link.unsupported("the XBoard protocol has nodes or time, not both"));
        }
        if features.nps {
            Ok(())
        } else {
            Err(link.unsupported("it has no node limit (feature nps)"))
        }
    }

    pub(super) fn send(&self, link: &mut Link) {
        if let Some(level) = &self.level {
            // Engines refuse a base of zero; the exact clocks follow.
            let seconds = level.base.as_secs().max(1);
            let moves = level.moves;
            let base = format!("{}:{:02}", seconds / 60, seconds % 60);
            let increment = decimal(level.increment);
            link.send(&format!("level {moves} {base} {increment}"));
        }
        if let Some(time) = self.move_time {
            link.send(&format!(
                "st {}",
                decimal(time.max(Duration::from_millis(10)))
            ));
        } else if let Some(nodes) = self.nodes {
            // At one node a second, this many seconds.
            link.send("nps 1");
            link.send(&format!("st {}", nodes.max(1)));
        } else if self.level.is_none() {
            link.send(&format!("st {}", NO_LIMIT.as_secs()));
        }
        if let Some(depth) = self.depth {
            link.send(&format!("sd {}", depth.max(1)));
        }
    }
}

/// Both clocks in hundredths, as the side to move sees them.
pub(super) fn send_clocks(limits: &Limits, turn: Color, link: &mut Link) {
    for (color, word) in [(turn, "time"), (!turn, "otim")] {
        if let Some(clock) = limits.clocks[color] {
            link.send(&format!(
                "{word} {}",
                (clock.remaining.as_millis() / 10).max(1)
            ));
        }
    }
}

/// Whole seconds without a point: old engines read no fractions.
fn decimal(time: Duration) -> String {
    let millis = time.as_millis();
    if millis.is_multiple_of(1000) {
        (millis / 1000).to_string()
    } else {
        format!("{}", millis as f64 / 1000.0)
    }
}
