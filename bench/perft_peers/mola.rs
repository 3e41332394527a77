//! Mola's own generator.

use crate::Peer;
use engine_core::{
    AnyPosition, CastlingMode, Position, Rules, Setup, Variant, dispatch, perft, perft_with_lists,
};

pub(crate) fn at(fen: &str) -> Box<dyn Peer> {
    let setup = Setup::from_fen(fen).expect("a FEN");
    let position: Position =
        Position::from_setup(&setup, CastlingMode::Standard).expect("a legal position");
    Box::new(position)
}

pub(crate) fn variant_at(variant: &str, fen: &str) -> Box<dyn Peer> {
    let variant: Variant = variant.parse().expect("a variant");
    let setup = Setup::from_variant_fen(variant, fen).expect("a FEN");
    let position = AnyPosition::from_setup(variant, &setup, setup.castling_mode());
    dispatch!(position.expect("a legal position"), |position| Box::new(
        position
    ))
}

impl<R: Rules> Peer for Position<R> {
    fn bulk(&self, depth: u32) -> u64 {
        perft(self, depth)
    }

    fn with_lists(&self, depth: u32) -> u64 {
        perft_with_lists(self, depth)
    }
}
