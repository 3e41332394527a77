//! The events on the server. The journal stores every event, and the state follows from them.

use crate::game::Limits;
use crate::moves::UciMove;
use crate::wire;
use engine_core::{Color, Square};
use serde::{Deserialize, Serialize};

/// Something that has happened. Users, invitations and games are numbered from 1 as they come.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub(super) enum Event {
    User {
        name: String,
        email: Option<String>,
        affiliation: Option<String>,
        hash: String,
    },
    MaxGames {
        user: usize,
        max_games: u32,
    },
    Ranked {
        user: usize,
        ranked: bool,
    },
    Version {
        user: usize,
    },
    Game {
        white: usize,
        black: usize,
        ranked: bool,
        /// The limits of the server when the game began; a server may be restarted with others.
        #[serde(default)]
        limits: Option<Limits>,
    },
    Invitation {
        game: usize,
        from: usize,
        to: usize,
    },
    Accepted {
        invitation: usize,
    },
    Finished {
        invitation: usize,
    },
    Ready {
        game: usize,
        #[serde(with = "wire::color")]
        color: Color,
    },
    Sense {
        game: usize,
        #[serde(with = "wire::optional_square")]
        square: Option<Square>,
        left: Option<f64>,
    },
    Move {
        game: usize,
        requested_move: Option<UciMove>,
        left: Option<f64>,
    },
    EndTurn {
        game: usize,
        left: Option<f64>,
    },
    Resign {
        game: usize,
        #[serde(with = "wire::color")]
        color: Color,
    },
    TimedOut {
        game: usize,
        left: Option<f64>,
    },
    Abandoned {
        game: usize,
    },
}
