//! What is known of a move beside the move.

use crate::client::PovScore;
use std::time::Duration;

/// What is known of a move beside the move.
#[derive(Clone, Debug, Default)]
pub struct MoveData {
    /// The score that its side told.
    pub score: Option<PovScore>,
    /// The depth that it told.
    pub depth: Option<u32>,
    /// How long it took.
    pub elapsed: Option<Duration>,
    /// What the clock shows after it.
    pub clock: Option<Duration>,
}
