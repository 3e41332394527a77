//! The server itself: requests in, replies out, independent of sockets.

use super::Config;
use super::answer::{self, Registration, profile, ratings};
use super::auth::{self, Credentials, Passwords};
use super::event::Event;
use super::limiter::{Rate, RateLimiter, network};
use super::refusal::Refusal;
use super::reply::{JsonReply, read, reply};
use super::route::Endpoint;
use super::state::ServerState;
use common::error::Result;
use hyper::Method;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How many users may register from an address.
const REGISTRATIONS: Rate = (32, Duration::from_secs(10));
/// How often a user may change what the journal keeps, besides playing.
const CHANGES: Rate = (500, Duration::from_millis(20));

/// A request without its network.
pub(super) struct Question<'a> {
    /// Who sends it.
    pub(super) from: IpAddr,
    pub(super) method: &'a Method,
    pub(super) path: &'a str,
    /// The header of that name.
    pub(super) authorization: Option<&'a str>,
    pub(super) body: &'a [u8],
}

/// What all requests share.
pub(super) struct Service {
    state: Mutex<ServerState>,
    passwords: Arc<Passwords>,
    registrations: RateLimiter<IpAddr>,
    changes: RateLimiter<usize>,
    version: String,
}

impl Service {
    /// Goes on from what is in the folder.
    pub(super) fn open(config: &Config) -> Result<Service> {
        let mut state = ServerState::open(&config.folder, config.limits)?;
        let passwords = Passwords::new()?;
        for (name, password) in &config.residents {
            let hash = auth::hash(password)?;
            state
                .admit_resident(name, &hash)
                .map_err(|error| error.to_string())?;
            let credentials = Credentials {
                name: name.clone(),
                password: password.clone(),
            };
            passwords.remember(&credentials, &hash);
        }
        Ok(Service {
            state: Mutex::new(state),
            passwords: Arc::new(passwords),
            registrations: RateLimiter::new(REGISTRATIONS),
            changes: RateLimiter::new(CHANGES),
            version: config.version.clone(),
        })
    }

    fn state(&self) -> MutexGuard<'_, ServerState> {
        // Even a request that panicked leaves complete events, so that the state is sound.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends games whose time is up and begins ranked ones. To be called several times a second.
    pub(super) fn tick(&self) {
        let mut state = self.state();
        state.end_late_games();
        state.pair_ranked();
    }

    /// Prunes the rate limits, and verifications that have ended.
    pub(super) fn prune(&self) {
        self.passwords.prune();
        self.registrations.prune();
        self.changes.prune();
    }

    /// Answers a request.
    pub(super) async fn answer(&self, question: Question<'_>) -> JsonReply {
        let endpoint = Endpoint::of(question.path);
        let endpoint = endpoint.ok_or_else(|| Refusal::not_found("no such address"))?;
        let is_post = question.method == Method::POST;
        match endpoint {
            Endpoint::Version | Endpoint::Ratings if question.method != Method::GET => {
                Err(Refusal::not_allowed())
            }
            Endpoint::Version => reply("version", &self.version),
            Endpoint::Ratings => ratings(&self.state()),
            Endpoint::Users if is_post => self.register(&question).await,
            _ => {
                let me = self.authenticate(&question).await?;
                let is_game = matches!(endpoint, Endpoint::Game(..));
                if is_post && !is_game && !self.changes.take(me) {
                    return Err(Refusal::too_many("too many requests: wait a moment"));
                }
                let mut state = self.state();
                answer::answer(&mut state, me, question.method, endpoint, question.body)
            }
        }
    }

    /// The number of the requesting user.
    async fn authenticate(&self, question: &Question<'_>) -> std::result::Result<usize, Refusal> {
        let who = || Refusal::unauthorized("invalid or empty authentication information");
        let credentials = question.authorization.and_then(Credentials::from_header);
        let credentials = credentials.ok_or_else(who)?;
        let (number, hash) = {
            let mut state = self.state();
            let (number, user) = state.find_user(&credentials.name).ok_or_else(who)?;
            let hash = user.hash.clone();
            if self.passwords.remembers(&credentials, &hash) {
                state.note_activity(number);
                return Ok(number);
            }
            (number, hash)
        };
        if self
            .passwords
            .verify(credentials, hash, question.from)
            .await?
        {
            self.state().note_activity(number);
            Ok(number)
        } else {
            Err(who())
        }
    }

    /// Makes somebody known.
    async fn register(&self, question: &Question<'_>) -> JsonReply {
        let registration: Registration = read(question.body)?;
        registration.check()?;
        let name = &registration.username;
        let taken = || Refusal::conflict(format!("the name {name:?} is taken"));
        if self.state().find_user(name).is_some() {
            return Err(taken());
        }
        if !self.registrations.take(network(question.from)) {
            let text = "too many users were registered from your address: try again later";
            return Err(Refusal::too_many(text));
        }
        let hash = self.passwords.hash(registration.password.clone()).await?;
        let mut state = self.state();
        if state.find_user(name).is_some() {
            return Err(taken());
        }
        state.commit(&Event::User {
            name: name.clone(),
            email: registration.email.clone(),
            affiliation: registration.affiliation.clone(),
            hash,
        })?;
        let number = state.users().count();
        profile(&state, number)
    }
}
