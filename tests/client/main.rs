//! The client against real sessions: Mola itself, and scripted engines that misbehave.

mod hostile;
mod own;

use arena::client::{EngineCommand, Protocol};
use engine_core::search::Limits;
use engine_core::{AnyPosition, Game, Variant};

/// Mola with one of its protocols.
fn mola(protocol: Protocol) -> EngineCommand {
    EngineCommand {
        program: env!("CARGO_BIN_EXE_mola").to_owned(),
        args: vec![protocol.to_string()],
        protocol,
        ..EngineCommand::default()
    }
}

fn depth(depth: u32) -> Limits {
    Limits {
        depth: Some(depth),
        ..Limits::default()
    }
}

/// A game from moves in SAN.
fn game(line: &str) -> Game {
    let mut game = Game::new(AnyPosition::start(Variant::Standard));
    for word in line.split_whitespace() {
        let m = game.position().parse_san(word);
        game.play(m.expect(word));
    }
    game
}
