//! The options of the bot.

use std::time::Duration;

/// The options of the bot: number of boards, time and threads.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MolaOptions {
    /// Above this many boards the set is a sample.
    pub cap: usize,
    /// About how long the choice of a move takes, if the clock allows; on a slow machine longer,
    /// for there is a least amount of work.
    pub time: Duration,
    /// Threads that search.
    pub threads: usize,
}

impl Default for MolaOptions {
    fn default() -> MolaOptions {
        MolaOptions {
            cap: 100_000,
            time: Duration::from_millis(500),
            threads: 1,
        }
    }
}

/// With less time than this, in seconds, fewer boards are looked at.
const AMPLE: f64 = 20.0;
/// The fewest boards that are worth a look.
const MIN_BOARDS: usize = 16;

/// How many of these boards there is time for.
pub(super) fn affordable(boards: usize, seconds_left: f64) -> usize {
    let share = (seconds_left / AMPLE).clamp(0.0, 1.0);
    ((boards as f64 * share) as usize).max(MIN_BOARDS.min(boards))
}
