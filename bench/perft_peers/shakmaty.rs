//! shakmaty, which always builds lists and keeps no hash key.

use crate::Peer;
use shakmaty::fen::Fen;
use shakmaty::variant::{
    Antichess, Atomic, Crazyhouse, Horde, KingOfTheHill, RacingKings, ThreeCheck,
};
use shakmaty::{CastlingMode, Chess, FromSetup, Position, perft};

pub(crate) fn at(fen: &str) -> Box<dyn Peer> {
    boxed::<Chess>(fen)
}

pub(crate) fn variant_at(variant: &str, fen: &str) -> Box<dyn Peer> {
    match variant {
        "chess960" => boxed::<Chess>(fen),
        "antichess" => boxed::<Antichess>(fen),
        "atomic" => boxed::<Atomic>(fen),
        "kingofthehill" => boxed::<KingOfTheHill>(fen),
        "racingkings" => boxed::<RacingKings>(fen),
        "horde" => boxed::<Horde>(fen),
        "3check" => boxed::<ThreeCheck>(fen),
        "crazyhouse" => boxed::<Crazyhouse>(fen),
        _ => unreachable!("a variant of the table"),
    }
}

fn boxed<P: Position + FromSetup + Clone + 'static>(fen: &str) -> Box<dyn Peer> {
    let fen: Fen = fen.parse().expect("a FEN");
    let mode = CastlingMode::detect(fen.as_setup());
    let position: P = fen
        .into_position(mode)
        .unwrap_or_else(|_| panic!("a legal position"));
    Box::new(Shakmaty(position))
}

struct Shakmaty<P>(P);

impl<P: Position + Clone> Peer for Shakmaty<P> {
    fn bulk(&self, depth: u32) -> u64 {
        perft(&self.0, depth)
    }

    fn with_lists(&self, depth: u32) -> u64 {
        perft(&self.0, depth)
    }
}
