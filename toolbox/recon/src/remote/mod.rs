//! The client of a server that has the HTTP API of reconchess.

mod game;
mod http;
mod lobby;

pub(crate) use game::{play_remote_game, tell_end};
pub(crate) use http::{Http, HttpError};
pub(crate) use lobby::{Lobby, Register};

/// The version of reconchess whose rules and API these are.
pub(crate) const RECONCHESS_VERSION: &str = "1.6.9";
