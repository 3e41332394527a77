//! Other engines: a [`client`] that drives them, and what is done with it: matches, analysis of
//! positions and games, and tuning of the search.
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

pub mod ablate;
pub mod analyse;
pub mod annotate;
pub mod client;
pub mod expectation;
pub mod matches;
mod play_args;
mod position_lines;
pub mod progress;
pub mod screen;
pub mod searchable;
mod self_play;
pub mod spsa;
mod start;
mod state_file;
pub mod tournament;
mod trees;
