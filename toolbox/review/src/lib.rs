//! Reviews of games, by an engine, endgame tables and clocks, as pages or JSON; and the puzzles in
//! games.
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

mod accuracy;
pub mod command;
mod endings;
mod page;
mod puzzle;
pub mod puzzles;
mod report;
mod search;
mod summary;
mod tactics;
