//! Why a request is refused.

use hyper::StatusCode;
use serde::Serialize;

/// A refusal: a status and a text for the client.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Refusal {
    pub(super) status: StatusCode,
    text: String,
}

#[derive(Serialize)]
struct Body<'a> {
    error: &'a str,
}

impl Refusal {
    /// A refusal with any status.
    pub(super) fn new(status: StatusCode, text: impl Into<String>) -> Refusal {
        Refusal {
            status,
            text: text.into(),
        }
    }

    /// The request makes no sense, or not now.
    pub(super) fn bad(text: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::BAD_REQUEST, text)
    }

    /// Nobody known, or not one of the players.
    pub(super) fn unauthorized(text: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::UNAUTHORIZED, text)
    }

    /// There is no such thing.
    pub(super) fn not_found(text: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::NOT_FOUND, text)
    }

    /// This address is there, but not for this method.
    pub(super) fn not_allowed() -> Refusal {
        let text = "this address does not support this method";
        Refusal::new(StatusCode::METHOD_NOT_ALLOWED, text)
    }

    /// The name is taken.
    pub(super) fn conflict(text: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::CONFLICT, text)
    }

    /// Too often, or too much at a time.
    pub(super) fn too_many(text: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::TOO_MANY_REQUESTS, text)
    }

    /// What was asked for cannot be saved, as on a full disk.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "a function to map errors with"
    )]
    pub(super) fn not_saved(error: std::io::Error) -> Refusal {
        log::error!("the journal cannot be written: {error}");
        let text = "the server cannot save anything at present";
        Refusal::new(StatusCode::SERVICE_UNAVAILABLE, text)
    }

    /// Our own fault.
    pub(super) fn internal(text: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, text)
    }

    /// The body of the reply.
    pub(super) fn json(&self) -> String {
        serde_json::to_string(&Body { error: &self.text }).unwrap_or_default()
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}
