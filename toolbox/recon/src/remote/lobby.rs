//! Users and invitations on a server.

use super::http::{Http, HttpError};
use serde::{Deserialize, Serialize};

/// A server's users and invitations.
pub struct Lobby<'a>(pub &'a Http);

/// Somebody new.
#[derive(Clone, Debug, Serialize)]
pub struct Register<'a> {
    /// The name to play under.
    pub username: &'a str,
    /// Where to write to.
    pub email: Option<&'a str>,
    /// Who is behind it.
    pub affiliation: Option<&'a str>,
    /// The password.
    pub password: &'a str,
}

#[derive(Serialize)]
struct Nothing {}

/// Anything.
#[derive(Deserialize)]
struct Done {}

#[derive(Deserialize)]
struct Username {
    username: String,
}

#[derive(Deserialize)]
struct Version<T> {
    version: T,
}

#[derive(Deserialize)]
struct Invitations {
    invitations: Vec<u64>,
}

#[derive(Deserialize)]
struct GameId {
    game_id: u64,
}

#[derive(Serialize)]
struct MaxGames {
    max_games: u32,
}

#[derive(Serialize)]
struct Ranked {
    ranked: bool,
}

impl Lobby<'_> {
    /// Makes somebody known to the server; the name that it gave.
    ///
    /// # Errors
    /// When the server refuses: with status 409 because the name is taken.
    pub fn register(&self, register: &Register) -> Result<String, HttpError> {
        let Username { username } = self.0.post("/api/users/", register)?;
        Ok(username)
    }

    /// The version of reconchess that the server wants.
    ///
    /// # Errors
    /// When the server refuses.
    pub fn server_version(&self) -> Result<String, HttpError> {
        let Version { version } = self.0.get("/api/version")?;
        Ok(version)
    }

    /// The version of the bot in ranked games; 0 before the first.
    ///
    /// # Errors
    /// When the server refuses.
    pub fn bot_version(&self) -> Result<u32, HttpError> {
        let Version { version } = self.0.get("/api/users/me/version")?;
        Ok(version)
    }

    /// Ranked games are those of a new version from now on.
    ///
    /// # Errors
    /// When the server refuses.
    pub fn increment_version(&self) -> Result<(), HttpError> {
        self.0
            .post::<Done>("/api/users/me/version", &Nothing {})
            .map(|_| ())
    }

    /// Takes part in ranked games, or does not.
    ///
    /// # Errors
    /// When the server refuses.
    pub fn set_ranked(&self, ranked: bool) -> Result<(), HttpError> {
        self.0
            .post::<Done>("/api/users/me/ranked", &Ranked { ranked })
            .map(|_| ())
    }

    /// How many games are wanted at a time.
    ///
    /// # Errors
    /// When the server refuses.
    pub fn set_max_games(&self, max_games: u32) -> Result<(), HttpError> {
        self.0
            .post::<Done>("/api/users/me/max_games", &MaxGames { max_games })
            .map(|_| ())
    }

    /// The invitations that wait.
    ///
    /// # Errors
    /// When the server refuses.
    pub fn invitations(&self) -> Result<Vec<u64>, HttpError> {
        let Invitations { invitations } = self.0.get("/api/invitations/")?;
        Ok(invitations)
    }

    /// Accepts an invitation; the number of the game.
    ///
    /// # Errors
    /// When the server refuses.
    pub fn accept(&self, invitation: u64) -> Result<u64, HttpError> {
        let GameId { game_id } = self
            .0
            .post(&format!("/api/invitations/{invitation}"), &Nothing {})?;
        Ok(game_id)
    }

    /// The game of an invitation is over.
    ///
    /// # Errors
    /// When the server refuses.
    pub fn finish(&self, invitation: u64) -> Result<(), HttpError> {
        self.0
            .post::<Done>(
                &format!("/api/invitations/{invitation}/finish"),
                &Nothing {},
            )
            .map(|_| ())
    }

    /// Gives up a game that cannot go on.
    ///
    /// # Errors
    /// When the server refuses.
    pub fn error_resign(&self, game: u64) -> Result<(), HttpError> {
        self.0
            .post::<Done>(&format!("/api/games/{game}/error_resign"), &Nothing {})
            .map(|_| ())
    }
}
