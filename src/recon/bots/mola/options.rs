//! How hard the bot tries.

use std::time::Duration;

/// How hard the bot tries.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MolaOptions {
    /// Above this many boards the set is a sample.
    pub cap: usize,
    /// About how long a turn takes, if the clock allows.
    pub time: Duration,
    /// Threads that search.
    pub threads: usize,
}

impl Default for MolaOptions {
    fn default() -> MolaOptions {
        MolaOptions {
            cap: 100_000,
            time: Duration::from_secs(2),
            threads: 1,
        }
    }
}
