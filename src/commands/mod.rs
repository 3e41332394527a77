//! What the binary does beside playing: one file for each subcommand.

pub mod bench;
pub mod book;
pub mod completions;
pub mod datagen;
pub mod env;
pub mod perft;
pub mod recon;
pub mod selfcheck;
pub mod tables;
pub mod tune;
