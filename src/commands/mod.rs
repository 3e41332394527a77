//! What the binary does beside playing: one file for each subcommand.

pub mod ablate;
pub mod analyse;
pub mod batch;
pub mod bench;
pub mod book;
pub mod completions;
pub mod datagen;
pub mod env;
pub mod epd;
pub mod fen;
pub mod matches;
pub mod perft;
pub mod pgn;
pub mod position;
pub mod recon;
pub mod san;
pub mod selfcheck;
pub mod spsa;
pub mod svg;
pub mod tables;
pub mod tune;
pub mod words;
