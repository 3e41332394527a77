//! Requests that are repeated until they are answered.

use crate::wire;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use common::error::Error;
use common::error_text::of_json;
use common::input::shorten;
use common::threads;
use crossbeam_channel::{RecvTimeoutError, bounded};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::sleep;
use std::time::Duration;
use ureq::Agent;

/// How long to wait before a request is repeated.
const RETRY_DELAY: Duration = Duration::from_millis(500);
/// How long a server may take to be reached, to take a request, and to answer.
const REPLY_TIMEOUT: Duration = Duration::from_secs(30);
/// How long it may take once the client is to stop.
const LAST_REPLY_TIMEOUT: Duration = Duration::from_millis(2500);
/// How soon a client that waits for a reply notices that it is to stop.
const STOP_CHECK: Duration = Duration::from_millis(100);
/// How often a request is repeated that is refused for a wrong password: reconchess's server says
/// so now and then when it is busy.
const WRONG_PASSWORD_RETRIES: u32 = 5;
/// After how many failures on the way a request is reported; a server that has never answered is
/// given up then.
const RETRIES_BEFORE_REPORT: u32 = 4;
/// The largest reply: a history of a thousand turns has some 2 MB.
const LONGEST_REPLY: u64 = 64 << 20;

/// A request was refused, or given up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HttpError {
    /// The server refuses with this status and text.
    Refused {
        /// The status.
        status: u16,
        /// What it says.
        text: String,
        /// Whether the request was sent before, so that the server may have carried it out.
        repeated: bool,
    },
    /// The reply makes no sense.
    Garbled(String),
    /// The server has never answered.
    Silent(String),
    /// The client is to stop.
    Stopped,
}

impl fmt::Display for HttpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HttpError::Refused { status: 401, .. } => f.write_str(
                "the server does not know this name with this password: check both, or register",
            ),
            HttpError::Refused { status, text, .. } => {
                write!(f, "the server refuses ({status}): {}", reason(text))
            }
            HttpError::Garbled(text) => write!(f, "the server's reply is invalid: {text}"),
            HttpError::Silent(text) => write!(f, "the server does not answer: {text}"),
            HttpError::Stopped => f.write_str("stopped"),
        }
    }
}

/// The message of a refusal: the text under `error`, or all of it in one line.
fn reason(text: &str) -> String {
    #[derive(Deserialize)]
    struct RefusalReply {
        error: String,
    }
    let text = match serde_json::from_str(text) {
        Ok(RefusalReply { error }) => error,
        Err(_) => text.split_whitespace().collect::<Vec<_>>().join(" "),
    };
    shorten(&text)
}

impl std::error::Error for HttpError {}

impl From<HttpError> for Error {
    fn from(error: HttpError) -> Error {
        match error {
            HttpError::Stopped => {
                Error::Interrupted("interrupted before the server answered".to_owned())
            }
            error => error.to_string().into(),
        }
    }
}

/// An object whose fields, if any, do not matter.
#[derive(Serialize, Deserialize)]
pub(crate) struct Empty {}

/// A server and who we are there. Requests that fail on the way, or on the server's side (5xx), are
/// repeated until they are answered, unless the server has never answered anything.
#[derive(Clone, Debug)]
pub(crate) struct Http {
    agent: Agent,
    url: String,
    authorization: Option<String>,
    /// Nothing is repeated once this is true, nor waited for much longer.
    stop: Option<Arc<AtomicBool>>,
    /// Whether there is a server at all.
    has_answered: Arc<AtomicBool>,
}

impl Http {
    /// A server by address, such as `https://rbc.jhuapl.edu`, and who we are there.
    pub(crate) fn new(url: &str, user: Option<(&str, &str)>) -> Http {
        let limit = Some(REPLY_TIMEOUT);
        // Where no thread can be started, the library would panic if this also limited the search for the
        // address of a host.
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .timeout_connect(limit)
            .timeout_send_request(limit)
            .timeout_send_body(limit)
            .timeout_recv_response(limit)
            .timeout_recv_body(limit);
        let encode = |(name, password)| STANDARD.encode(format!("{name}:{password}"));
        Http {
            agent: config.build().into(),
            url: url.trim_end_matches('/').to_owned(),
            authorization: user.map(|user| format!("Basic {}", encode(user))),
            stop: None,
            has_answered: Arc::default(),
        }
    }

    /// The same server and user; requests are repeated until this is true, and those that have not been
    /// answered soon after that are given up.
    pub(crate) fn stopped_by(&self, stop: Arc<AtomicBool>) -> Http {
        Http {
            stop: Some(stop),
            ..self.clone()
        }
    }

    /// The address of the server.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// Gets what is at a path.
    ///
    /// # Errors
    /// When the server refuses, has never answered, or its reply makes no sense.
    pub(crate) fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, HttpError> {
        self.ask(path, None)
    }

    /// Posts something.
    ///
    /// # Errors
    /// When the server refuses, has never answered, or its reply makes no sense.
    pub(crate) fn post<T: DeserializeOwned>(
        &self,
        path: &str,
        body: &impl Serialize,
    ) -> Result<T, HttpError> {
        let body = wire::to_json(body).map_err(|error| HttpError::Garbled(error.to_string()))?;
        self.ask(path, Some(&body))
    }

    /// Posts something to which the reply says nothing more.
    ///
    /// # Errors
    /// As [`post`](Http::post).
    pub(crate) fn tell(&self, path: &str, body: &impl Serialize) -> Result<(), HttpError> {
        let Empty {} = self.post(path, body)?;
        Ok(())
    }

    /// Whether the client is to stop.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.as_ref().is_some_and(|stop| stop.load(Relaxed))
    }

    fn ask<T: DeserializeOwned>(&self, path: &str, body: Option<&str>) -> Result<T, HttpError> {
        let mut tries = 0;
        let mut wrong_passwords = 0;
        loop {
            let reply = self.try_until_stopped(path, body)?;
            if reply.is_ok() {
                self.has_answered.store(true, Relaxed);
            }
            match reply {
                Ok((200, text)) => {
                    return wire::from_json(&text)
                        .map_err(|error| HttpError::Garbled(of_json(&error, &text)));
                }
                Ok((status @ 500.., text)) => log::warn!("{path}: {status} {}", text.trim()),
                Ok((401, _)) if wrong_passwords < WRONG_PASSWORD_RETRIES => wrong_passwords += 1,
                Ok((status, text)) => {
                    return Err(HttpError::Refused {
                        status,
                        text,
                        repeated: tries > 0,
                    });
                }
                Err(error)
                    if tries == RETRIES_BEFORE_REPORT && !self.has_answered.load(Relaxed) =>
                {
                    return Err(HttpError::Silent(format!("{}: {error}", self.url)));
                }
                Err(error) if tries == RETRIES_BEFORE_REPORT => {
                    log::error!("{}: {error}: retrying until it answers", self.url);
                }
                Err(error) => log::warn!("{path}: {error}"),
            }
            if self.is_stopped() {
                return Err(HttpError::Stopped);
            }
            tries += 1;
            sleep(RETRY_DELAY);
        }
    }

    /// What one try brings.
    ///
    /// # Errors
    /// When the client is to stop and the server takes its time.
    fn try_until_stopped(
        &self,
        path: &str,
        body: Option<&str>,
    ) -> Result<Result<(u16, String), ureq::Error>, HttpError> {
        if self.stop.is_none() {
            return Ok(self.try_once(path, body));
        }
        // Its own thread waits for the reply, as nothing else can end that.
        let (sender, replies) = bounded(1);
        let (http, path, body) = (self.clone(), path.to_owned(), body.map(str::to_owned));
        let ask = move || {
            let _ = sender.send(http.try_once(&path, body.as_deref()));
        };
        if let Err(error) = threads::spawn(ask) {
            return Ok(Err(error.into()));
        }
        while !self.is_stopped() {
            match replies.recv_timeout(STOP_CHECK) {
                Ok(reply) => return Ok(reply),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(HttpError::Stopped),
            }
        }
        let last = replies.recv_timeout(LAST_REPLY_TIMEOUT);
        last.map_err(|_| HttpError::Stopped)
    }

    fn try_once(&self, path: &str, body: Option<&str>) -> Result<(u16, String), ureq::Error> {
        let url = format!("{}{path}", self.url);
        let mut response = match (body, &self.authorization) {
            (None, None) => self.agent.get(&url).call()?,
            (None, Some(who)) => self.agent.get(&url).header("Authorization", who).call()?,
            (Some(body), who) => {
                let request = self
                    .agent
                    .post(&url)
                    .header("Content-Type", "application/json");
                let request = match who {
                    Some(who) => request.header("Authorization", who),
                    None => request,
                };
                request.send(body)?
            }
        };
        let status = response.status().as_u16();
        let text = response
            .body_mut()
            .with_config()
            .limit(LONGEST_REPLY)
            .read_to_string()?;
        Ok((status, text))
    }
}
