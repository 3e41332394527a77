//! The server: the HTTP API of reconchess, for its clients and ours.
//!
//! All requests and replies are JSON, and so are refusals: `{"error": "…"}` with status 400 (makes no
//! sense, or not now), 401 (who is it, or not a player of this game), 404 (no such thing), 405 (not
//! this method), 408 (the body did not come), 409 (the name is taken), 413 (too long). Users prove
//! who they are by basic authentication. Beyond reconchess's manual there are `GET` and `POST
//! /api/users/me/version`, `POST /api/users/me/ranked`, `POST /api/invitations/7/finish`, `GET
//! /api/games/7/opponent_name`, `POST /api/games/7/resign` and `error_resign`, which its client
//! knows, and `GET /api/games/7/my_turns`: what the player has seen so far, for one that was
//! interrupted.
//!
//! Who is ranked and active is paired with others who are, up to the number of games that each plays
//! at a time. A game starts when both players are ready; one that waits for ten minutes is given up.
//! A player who overruns the clock by less than the increment is forgiven, as in reconchess.

pub(super) mod answer;
mod auth;
mod journal;
mod pairing;
mod refusal;
mod route;
mod state;
mod table;

use super::Limits;
use answer::{Answer, Registration};
use auth::{Credentials, Verified};
use axum::Router;
use axum::body::{Bytes, HttpBody};
use axum::extract::{DefaultBodyLimit, FromRequest, Request, State as Shares};
use axum::http::{HeaderMap, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use common::error::Result;
use refusal::Refusal;
use route::Endpoint;
use state::{Event, State};
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;
use tokio::time::timeout;

/// How a server is run.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where users, games and histories are kept.
    pub folder: PathBuf,
    /// What bounds each game.
    pub limits: Limits,
    /// What `/api/version` says: clients of reconchess go away unless it is theirs.
    pub version: String,
    /// Users with these names play for the server: any password of theirs is replaced.
    pub house: Vec<(String, String)>,
}

/// The longest body of a request, in bytes. The longest that makes sense is a registration.
const LONGEST_BODY: usize = 16 << 10;
/// How long a body may take to come.
const PATIENCE: Duration = Duration::from_secs(30);
/// How many passwords are hashed at the same time; each takes 19 MB.
const HASHERS: usize = 2;
/// How often clocks are looked at, and players paired.
const TICK: Duration = Duration::from_millis(250);

/// What all requests share.
struct Shared {
    state: Mutex<State>,
    verified: Verified,
    hashers: Semaphore,
    version: String,
}

/// Serves until the process ends.
///
/// # Errors
/// When the state cannot be read, or the listener fails.
pub fn serve(config: &Config, listener: TcpListener) -> Result {
    let mut state = State::open(&config.folder, config.limits)?;
    for (name, password) in &config.house {
        state
            .admit_house(name, &auth::hash(password)?)
            .map_err(|error| error.to_string())?;
    }
    let shared = Arc::new(Shared {
        state: Mutex::new(state),
        verified: Verified::new()?,
        hashers: Semaphore::new(HASHERS),
        version: config.version.clone(),
    });
    let router = Router::new()
        .fallback(handle)
        .layer(DefaultBodyLimit::max(LONGEST_BODY))
        .with_state(Arc::clone(&shared));
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        listener.set_nonblocking(true)?;
        let listener = tokio::net::TcpListener::from_std(listener)?;
        tokio::spawn(async move {
            let mut ticks = tokio::time::interval(TICK);
            loop {
                ticks.tick().await;
                let mut state = shared.state();
                state.watch_clocks();
                state.pair_ranked();
            }
        });
        axum::serve(listener, router).await?;
        Ok(())
    })
}

/// Opens the address that is served.
///
/// # Errors
/// When the address is in use or not ours.
pub fn listen(address: SocketAddr) -> Result<TcpListener> {
    Ok(TcpListener::bind(address).map_err(|error| format!("{address}: {error}"))?)
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        // A request that failed within leaves events that are whole.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of the user who asks.
    async fn authenticate(
        self: &Arc<Self>,
        headers: &HeaderMap,
    ) -> std::result::Result<usize, Refusal> {
        let who = || Refusal::unauthorized("invalid or empty authentication information");
        let credentials = Credentials::of(headers).ok_or_else(who)?;
        let (number, hash) = {
            let mut state = self.state();
            let (number, user) = state.find_user(&credentials.name).ok_or_else(who)?;
            let hash = user.hash.clone();
            if self.verified.knows(&credentials, &hash) {
                state.note_activity(number);
                return Ok(number);
            }
            (number, hash)
        };
        let permit = self.hashers.acquire().await;
        let shared = Arc::clone(self);
        let verify = move || {
            shared.verified.knows(&credentials, &hash)
                || shared.verified.verify(&credentials, &hash)
        };
        let right = tokio::task::spawn_blocking(verify).await;
        drop(permit);
        if matches!(right, Ok(true)) {
            self.state().note_activity(number);
            Ok(number)
        } else {
            Err(who())
        }
    }

    /// Makes somebody known.
    async fn register(&self, body: &[u8]) -> Answer {
        let registration: Registration = answer::read(body)?;
        registration.check()?;
        let taken = || Refusal::conflict(format!("the name {:?} is taken", registration.username));
        if self.state().find_user(&registration.username).is_some() {
            return Err(taken());
        }
        let permit = self.hashers.acquire().await;
        let password = registration.password.clone();
        let hash = tokio::task::spawn_blocking(move || auth::hash(&password)).await;
        drop(permit);
        let hash = match hash {
            Ok(Ok(hash)) => hash,
            Ok(Err(error)) => return Err(Refusal::internal(error)),
            Err(error) => return Err(Refusal::internal(error.to_string())),
        };
        let mut state = self.state();
        if state.find_user(&registration.username).is_some() {
            return Err(taken());
        }
        state.commit(&Event::User {
            name: registration.username.clone(),
            email: registration.email.clone(),
            affiliation: registration.affiliation.clone(),
            hash,
        })?;
        let number = state.users().count();
        answer::profile(&state, number)
    }

    async fn answer(
        self: &Arc<Self>,
        method: &Method,
        uri: &Uri,
        headers: &HeaderMap,
        body: &[u8],
    ) -> Answer {
        let endpoint = Endpoint::of(uri.path());
        let endpoint = endpoint.ok_or_else(|| Refusal::not_found("no such address"))?;
        match (method, endpoint) {
            (&Method::GET, Endpoint::Version) => answer::reply("version", &self.version),
            (&Method::POST, Endpoint::Users) => self.register(body).await,
            _ => {
                let me = self.authenticate(headers).await?;
                answer::answer(&mut self.state(), me, method, endpoint, body)
            }
        }
    }
}

/// The body of a request. One that is said to be too long is refused before it comes.
async fn body(request: Request) -> std::result::Result<Bytes, Refusal> {
    let too_long = || {
        let text = format!("a body has at most {LONGEST_BODY} bytes");
        Err(Refusal::status(StatusCode::PAYLOAD_TOO_LARGE, text))
    };
    if request.body().size_hint().lower() > LONGEST_BODY as u64 {
        return too_long();
    }
    match timeout(PATIENCE, Bytes::from_request(request, &())).await {
        Ok(Ok(body)) => Ok(body),
        Ok(Err(rejection)) if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE => too_long(),
        Ok(Err(rejection)) => Err(Refusal::bad(rejection.body_text())),
        Err(_) => Err(Refusal::status(
            StatusCode::REQUEST_TIMEOUT,
            "the body did not come",
        )),
    }
}

async fn handle(Shares(shared): Shares<Arc<Shared>>, request: Request) -> Response {
    let start = Instant::now();
    let (method, uri) = (request.method().clone(), request.uri().clone());
    let headers = request.headers().clone();
    let answer = match body(request).await {
        Ok(body) => shared.answer(&method, &uri, &headers, &body).await,
        Err(refusal) => Err(refusal),
    };
    let response = match answer {
        Ok(json) => ([(header::CONTENT_TYPE, "application/json")], json).into_response(),
        Err(refusal) => refusal.into_response(),
    };
    log::debug!(
        "{method} {} {} {:?}",
        uri.path(),
        response.status(),
        start.elapsed()
    );
    response
}
