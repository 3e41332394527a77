//! Users and invitations on a server.

use super::http::{Empty, Http, HttpError};
use crate::wire::{self, BotRating};
use engine_core::Color;
use serde::{Deserialize, Serialize};

/// A server's users and invitations.
pub(crate) struct Lobby<'a>(pub &'a Http);

/// Somebody new.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Register<'a> {
    /// The name to play under.
    pub username: &'a str,
    /// Where to write to.
    pub email: Option<&'a str>,
    /// Who is behind it.
    pub affiliation: Option<&'a str>,
    /// The password.
    pub password: &'a str,
}

#[derive(Deserialize)]
struct Username {
    username: String,
}

#[derive(Deserialize)]
struct Usernames {
    usernames: Vec<String>,
}

#[derive(Deserialize)]
struct Ratings {
    ratings: Vec<BotRating>,
}

#[derive(Serialize)]
struct Invite<'a> {
    opponent: &'a str,
    #[serde(with = "wire::color")]
    color: Color,
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
    pub(crate) fn register(&self, register: &Register) -> Result<String, HttpError> {
        let Username { username } = self.0.post("/api/users/", register)?;
        Ok(username)
    }

    /// The version of reconchess that the server wants.
    ///
    /// # Errors
    /// When the server refuses.
    pub(crate) fn server_version(&self) -> Result<String, HttpError> {
        let Version { version } = self.0.get("/api/version")?;
        Ok(version)
    }

    /// Who was heard of lately.
    ///
    /// # Errors
    /// When the server refuses.
    pub(crate) fn users(&self) -> Result<Vec<String>, HttpError> {
        let Usernames { usernames } = self.0.get("/api/users/")?;
        Ok(usernames)
    }

    /// Invites a user to a game in which we have this colour; the number of the game.
    ///
    /// # Errors
    /// When the server refuses.
    pub(crate) fn invite(&self, opponent: &str, color: Color) -> Result<u64, HttpError> {
        let GameId { game_id } = self
            .0
            .post("/api/invitations/", &Invite { opponent, color })?;
        Ok(game_id)
    }

    /// The ratings of all bots, the best first. Only Mola's server knows.
    ///
    /// # Errors
    /// When the server refuses.
    pub(crate) fn ratings(&self) -> Result<Vec<BotRating>, HttpError> {
        let Ratings { ratings } = self.0.get("/api/ratings/")?;
        Ok(ratings)
    }

    /// The version of the bot in ranked games; 0 before the first.
    ///
    /// # Errors
    /// When the server refuses.
    pub(crate) fn bot_version(&self) -> Result<u32, HttpError> {
        let Version { version } = self.0.get("/api/users/me/version")?;
        Ok(version)
    }

    /// Ranked games are those of a new version from now on.
    ///
    /// # Errors
    /// When the server refuses.
    pub(crate) fn increment_version(&self) -> Result<(), HttpError> {
        self.0.tell("/api/users/me/version", &Empty {})
    }

    /// Takes part in ranked games, or does not.
    ///
    /// # Errors
    /// When the server refuses.
    pub(crate) fn set_ranked(&self, ranked: bool) -> Result<(), HttpError> {
        self.0.tell("/api/users/me/ranked", &Ranked { ranked })
    }

    /// How many games are wanted at a time.
    ///
    /// # Errors
    /// When the server refuses.
    pub(crate) fn set_max_games(&self, max_games: u32) -> Result<(), HttpError> {
        let body = MaxGames { max_games };
        self.0.tell("/api/users/me/max_games", &body)
    }

    /// The invitations that wait.
    ///
    /// # Errors
    /// When the server refuses.
    pub(crate) fn invitations(&self) -> Result<Vec<u64>, HttpError> {
        let Invitations { invitations } = self.0.get("/api/invitations/")?;
        Ok(invitations)
    }

    /// Accepts an invitation; the number of the game.
    ///
    /// # Errors
    /// When the server refuses.
    pub(crate) fn accept(&self, invitation: u64) -> Result<u64, HttpError> {
        let GameId { game_id } = self
            .0
            .post(&format!("/api/invitations/{invitation}"), &Empty {})?;
        Ok(game_id)
    }

    /// The game of an invitation is over.
    ///
    /// # Errors
    /// When the server refuses.
    pub(crate) fn finish(&self, invitation: u64) -> Result<(), HttpError> {
        let path = format!("/api/invitations/{invitation}/finish");
        self.0.tell(&path, &Empty {})
    }

    /// Gives up a game that cannot continue.
    ///
    /// # Errors
    /// When the server refuses.
    pub(crate) fn error_resign(&self, game: u64) -> Result<(), HttpError> {
        let path = format!("/api/games/{game}/error_resign");
        self.0.tell(&path, &Empty {})
    }
}
