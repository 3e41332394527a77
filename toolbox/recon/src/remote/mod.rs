//! The client of a server that has the HTTP API of reconchess.

mod game;
mod http;
mod lobby;

pub use game::play_remote_game;
pub use http::{Http, HttpError};
pub use lobby::{Lobby, Register};

/// The version of reconchess whose rules and API these are.
pub const RECONCHESS_VERSION: &str = "1.6.9";
