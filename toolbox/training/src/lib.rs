//! How the evaluation is learned: games that Mola plays against itself, and the weights that explain
//! their results best.
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

pub mod data;
pub mod datagen;
pub mod record;
pub mod tune;
