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
