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
pub mod arena;
pub mod cli;
pub mod client;
pub mod commands;
pub mod date;
pub mod diagram;
pub mod endgames;
pub mod env;
pub mod error;
pub mod files;
pub mod input;
pub mod logging;
pub mod moves;
pub mod opening;
pub mod options;
pub mod output;
pub mod protocol;
pub mod recon;
pub mod session;
pub mod setup;
pub mod signals;
pub mod terminal;
pub mod training;
pub mod wdl;

/// Name and version, as GUIs show them.
pub const ENGINE_NAME: &str = concat!("Mola ", env!("CARGO_PKG_VERSION"));
