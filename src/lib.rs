//! Mola: a chess engine and toolbox.
//!
//! Rules and search are in `engine-core`. Here is what surrounds them: one [`session`] that owns
//! the game, the options and the searcher, and front ends that translate between it and a person
//! or a program: the [`protocol`]s UCI and XBoard, the [`terminal`], and the
//! [`commands`]. Apart from these stands [`mod@env`], chess for reinforcement learning.

// Everything here reads what anyone may have written, so nothing here may panic.
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

pub mod allocator;
pub mod cli;
pub mod commands;
pub mod diagram;
pub mod endgames;
pub mod logging;
pub mod opening;
pub mod options;
pub mod protocol;
pub mod session;
#[cfg(feature = "play")]
pub mod terminal;
