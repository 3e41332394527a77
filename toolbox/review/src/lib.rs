//! Games to look at: what an engine, tables and clocks tell of them as one page or as JSON, and the
//! puzzles that are in them.
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
mod facts;
mod page;
mod puzzle;
pub mod puzzles;
mod search;
mod summary;
mod tactics;
