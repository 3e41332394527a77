//! Mola's own generator.

use crate::Peer;
use engine_core::{CastlingMode, Position, Setup, perft, perft_with_lists};

pub(crate) fn at(fen: &str) -> Box<dyn Peer> {
    let setup = Setup::from_fen(fen).expect("a FEN");
    let position: Position =
        Position::from_setup(&setup, CastlingMode::Standard).expect("a legal position");
    Box::new(position)
}

impl Peer for Position {
    fn bulk(&self, depth: u32) -> u64 {
        perft(self, depth)
    }

    fn with_lists(&self, depth: u32) -> u64 {
        perft_with_lists(self, depth)
    }
}
