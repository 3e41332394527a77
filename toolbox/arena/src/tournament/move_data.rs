//! Score, depth and times of a move.

use crate::client::PovScore;
use std::time::Duration;

/// Score, depth and times of a move, each `None` where it is unknown.
#[derive(Clone, Debug, Default)]
pub struct MoveData {
    /// The score that its side reported.
    pub score: Option<PovScore>,
    /// The depth that it reported.
    pub depth: Option<u32>,
    /// How long it took.
    pub elapsed: Option<Duration>,
    /// The time left on the clock after it.
    pub clock: Option<Duration>,
}
