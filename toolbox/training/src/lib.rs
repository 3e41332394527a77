//! Training of the evaluation: self-play games, and gradient descent on their positions.
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
pub mod packed_position;
pub mod traindata;
pub mod tune;
mod variant_argument;
