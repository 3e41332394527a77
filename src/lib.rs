//! Mola: a chess engine and toolbox.
//!
//! Rules and search are in `engine-core`. This crate has the rest: one session that owns
//! the game, the options and the searcher, and front ends that translate between it and a user
//! or a program: the [`protocol`]s UCI and XBoard, the terminal, and [`embed`] for programs that
//! use the engine as a library. [`cli`] is the list of
//! subcommands: those of the engine are here, those of the tools in their crates.

// The input is untrusted, so nothing here may panic.
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

mod allocator;
mod bench;
pub mod cli;
mod commands;
pub mod embed;
mod history;
mod logging;
mod options;
mod perft;
pub mod processor;
pub mod protocol;
mod selfcheck;
mod session;
mod strength;
#[cfg(feature = "play")]
mod terminal;
mod usage;
