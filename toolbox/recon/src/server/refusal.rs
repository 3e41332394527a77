//! Why a request is refused.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// A refusal: a status and what to tell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Refusal {
    status: StatusCode,
    text: String,
}

#[derive(Serialize)]
struct Body<'a> {
    error: &'a str,
}

impl Refusal {
    fn new(status: StatusCode, text: impl Into<String>) -> Refusal {
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

    /// The name is taken.
    pub(super) fn conflict(text: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::CONFLICT, text)
    }

    /// Any other status.
    pub(super) fn status(status: StatusCode, text: impl Into<String>) -> Refusal {
        Refusal::new(status, text)
    }

    /// Our own fault.
    pub(super) fn internal(text: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, text)
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let body = Body { error: &self.text };
        let json = serde_json::to_string(&body).unwrap_or_default();
        let kind = (header::CONTENT_TYPE, "application/json");
        if self.status == StatusCode::UNAUTHORIZED {
            let realm = (header::WWW_AUTHENTICATE, "Basic realm=\"mola\"");
            return (self.status, [kind, realm], json).into_response();
        }
        (self.status, [kind], json).into_response()
    }
}
