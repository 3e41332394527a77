//! What moves do on the board, in the words of chess: exchanges, material, forks and pins.

mod exchange;
mod geometry;
mod material;
mod motif;

pub(crate) use material::{Trade, Verbs, settled};
pub(crate) use motif::{Motif, of_mate, of_move};
