//! What the binary does beside playing: one file for each subcommand.

pub mod bench;
pub mod datagen;
pub mod env;
pub mod perft;
pub mod recon;
pub mod tune;
