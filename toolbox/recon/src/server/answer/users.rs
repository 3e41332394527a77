//! Users: registration, profiles and settings.

use crate::server::auth::LONGEST_PASSWORD;
use crate::server::event::Event;
use crate::server::refusal::Refusal;
use crate::server::reply::{JsonReply, json, read, reply};
use crate::server::state::{MAX_GAMES, ServerState};
use serde::{Deserialize, Serialize};

/// The longest e-mail address or affiliation, in bytes.
const LONGEST_FIELD: usize = 256;

/// The registration of a new user.
#[derive(Deserialize)]
pub(in crate::server) struct Registration {
    pub(in crate::server) username: String,
    pub(in crate::server) password: String,
    pub(in crate::server) email: Option<String>,
    pub(in crate::server) affiliation: Option<String>,
}

/// The most characters of a username.
const LONGEST_NAME: usize = 64;

/// Whether a username may have this character. Basic authentication ends a name at the first colon.
fn is_for_names(c: char) -> bool {
    !c.is_control() && c != ':'
}

/// A username as much like this text as one may be.
pub(crate) fn username(text: &str) -> String {
    let like = |c| if is_for_names(c) { c } else { '-' };
    text.chars().map(like).take(LONGEST_NAME).collect()
}

impl Registration {
    /// Validates the fields.
    pub(in crate::server) fn check(&self) -> Result<(), Refusal> {
        let name = &self.username;
        let count = name.chars().count();
        if count == 0 || count > LONGEST_NAME || !name.chars().all(is_for_names) {
            return Err(Refusal::bad(format!(
                "a username has 1 to {LONGEST_NAME} characters, none of them a colon or a control \
                 character"
            )));
        }
        if self.password.is_empty() || self.password.len() > LONGEST_PASSWORD {
            return Err(Refusal::bad(format!(
                "a password has 1 to {LONGEST_PASSWORD} bytes"
            )));
        }
        let fields = [&self.email, &self.affiliation];
        if fields
            .into_iter()
            .flatten()
            .any(|field| field.len() > LONGEST_FIELD)
        {
            return Err(Refusal::bad(format!(
                "an e-mail address or an affiliation has at most {LONGEST_FIELD} bytes"
            )));
        }
        Ok(())
    }
}

#[derive(Serialize)]
struct Profile<'a> {
    id: usize,
    username: &'a str,
    max_games: u32,
    ranked: bool,
}

/// Who a user is.
pub(in crate::server) fn profile(state: &ServerState, number: usize) -> JsonReply {
    let user = state
        .user(number)
        .ok_or_else(|| Refusal::not_found("no such user"))?;
    json(&Profile {
        id: number,
        username: &user.name,
        max_games: user.max_games,
        ranked: user.ranked,
    })
}

/// The ratings of all bots by their ranked games.
pub(in crate::server) fn ratings(state: &ServerState) -> JsonReply {
    reply("ratings", state.ratings())
}

/// The users that have been active lately.
pub(super) fn active(state: &ServerState) -> JsonReply {
    let active = state
        .users()
        .filter(|(_, user)| ServerState::is_active(user));
    let names: Vec<&String> = active.map(|(_, user)| &user.name).collect();
    reply("usernames", names)
}

#[derive(Deserialize)]
struct MaxGames {
    max_games: i64,
}

/// How many games a user wants to play at a time.
pub(super) fn set_max_games(state: &mut ServerState, user: usize, body: &[u8]) -> JsonReply {
    let MaxGames { max_games } = read(body)?;
    let range = 0..=MAX_GAMES;
    let max_games = u32::try_from(max_games).ok();
    let max_games = max_games.filter(|number| range.contains(number));
    let max_games = max_games.ok_or_else(|| {
        let text = format!("0 to {MAX_GAMES} games can be played at the same time");
        Refusal::bad(text)
    })?;
    state.commit(&Event::MaxGames { user, max_games })?;
    profile(state, user)
}

#[derive(Deserialize)]
struct Ranked {
    ranked: bool,
}

/// Whether a user takes part in ranked games.
pub(super) fn set_ranked(state: &mut ServerState, user: usize, body: &[u8]) -> JsonReply {
    let Ranked { ranked } = read(body)?;
    state.commit(&Event::Ranked { user, ranked })?;
    profile(state, user)
}

/// The version of a user's bot.
pub(super) fn version(state: &ServerState, user: usize) -> JsonReply {
    reply("version", state.user(user).map(|user| user.version))
}

/// A user's bot has changed.
pub(super) fn new_version(state: &mut ServerState, user: usize) -> JsonReply {
    state.commit(&Event::Version { user })?;
    version(state, user)
}
