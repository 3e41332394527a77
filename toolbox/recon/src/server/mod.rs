//! The server: the HTTP API of reconchess, for its clients and ours.
//!
//! All requests and replies are JSON, and so are refusals: `{"error": "…"}` with status 400 (makes
//! no sense, or not now), 401 (who is it, or not a player of this game), 404 (no such thing), 405
//! (not this method), 408 (the body did not arrive), 409 (the name is taken), 413 (too long), 429
//! (too often: wrong passwords, registrations, invitations), 503 (too many log in at this moment).
//! Users prove who they are by basic authentication. Beyond reconchess's manual there are `GET` and
//! `POST /api/users/me/version`, `POST /api/users/me/ranked`, `POST /api/invitations/7/finish`,
//! `GET /api/games/7/opponent_name`, `POST /api/games/7/resign` and `error_resign`, which its
//! client knows, `GET /api/games/7/my_turns`: what the player has seen so far, for one that was
//! interrupted, and `GET /api/ratings/` for everybody: the ratings of all versions of all bots by
//! their ranked games.
//!
//! Who is ranked and active is paired with others who are, up to the number of games that each
//! plays at a time. A game starts when both players are ready; one that waits for ten minutes is
//! given up. A player who overruns the clock by less than the increment is forgiven, as in
//! reconchess.

mod answer;
mod auth;
mod connections;
mod event;
mod game;
mod http;
mod journal;
mod limiter;
mod offline;
mod pairing;
mod ratings;
mod refusal;
mod reply;
mod route;
mod service;
mod state;

pub(crate) use answer::username;

use crate::game::Limits;
use common::error::Result;
pub use http::{Server, open, runtime, serve};
pub use offline::OfflineServer;
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;

/// How a server is run.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where users, games and histories are kept.
    pub folder: PathBuf,
    /// The limits of each game.
    pub limits: Limits,
    /// The version in the reply of `/api/version`: clients of reconchess of another version refuse
    /// it.
    pub version: String,
    /// Names and passwords of the bots that play for the server itself; a password that such a name
    /// had before is replaced.
    pub residents: Vec<(String, String)>,
    /// How many connections may be open.
    pub max_connections: usize,
    /// How many of them may be from one address.
    pub max_connections_per_address: usize,
    /// Requests come through a proxy, which says in `X-Forwarded-For` whose they are.
    pub behind_proxy: bool,
}

/// Opens the address that is served.
///
/// # Errors
/// When the address is in use or not ours.
pub fn listen(address: SocketAddr) -> Result<TcpListener> {
    Ok(TcpListener::bind(address).map_err(|error| format!("{address}: {error}"))?)
}
