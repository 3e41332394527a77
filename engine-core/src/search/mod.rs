//! The searcher: one fail-soft node function under two drivers, on any number of threads.
//!
//! The searcher knows no protocol: it is started with a root and limits and sends [`Event`]s.

mod clock;
mod correction;
mod driver;
mod endings;
mod event;
mod history;
mod job;
mod limits;
mod move_info;
mod node;
mod node_state;
mod node_type;
mod order_context;
mod out_of_memory;
mod picker;
mod piece_to;
mod pool;
mod probe;
mod prune;
mod pv;
mod quiesce;
mod report;
mod root_moves;
mod rules;
mod score;
mod search_position;
mod searcher;
mod see;
mod shared;
mod terminal;
#[cfg(test)]
mod tests;
mod threads;
mod time;
mod tt;
mod tunables;
pub mod wdl;
mod window;
mod worker;

/// The channels of a [`Pool`]'s events.
pub use crossbeam_channel as channel;

pub use clock::Instant;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use clock::set_clock;
pub use event::{BestMove, Bound, Convergence, Event, Info};
pub use job::{Poll, Root};
pub use limits::{Clock, Driver, Limits, SearchOptions};
pub use out_of_memory::OutOfMemory;
pub use pool::{OwnerThread, Pool};
pub use probe::{Probe, Ranked, Ranking};
pub use score::{Score, ScoreKind};
pub use searcher::Searcher;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use threads::set_spawn;
pub use tunables::{TUNABLES, Tunable};
