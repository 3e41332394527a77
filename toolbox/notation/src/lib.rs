//! Positions and moves as text: the commands `position`, `fen`, `san` and `epd`.
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

pub mod epd;
pub mod fen;
mod lines;
pub mod position;
pub mod san;
