//! shakmaty, which always builds lists and keeps no hash key.

use crate::Peer;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, perft};

pub(crate) fn at(fen: &str) -> Box<dyn Peer> {
    let fen: Fen = fen.parse().expect("a FEN");
    let position: Chess = fen
        .into_position(CastlingMode::Standard)
        .expect("a legal position");
    Box::new(position)
}

impl Peer for Chess {
    fn bulk(&self, depth: u32) -> u64 {
        perft(self, depth)
    }

    fn with_lists(&self, depth: u32) -> u64 {
        perft(self, depth)
    }
}
