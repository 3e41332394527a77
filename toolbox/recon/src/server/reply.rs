//! Bodies of requests and replies: JSON.

use super::refusal::Refusal;
use crate::wire;
use common::error_text::of_json;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;

/// The JSON of a reply, or why there is none.
pub(super) type JsonReply = Result<String, Refusal>;

/// The JSON of anything.
pub(super) fn json<T: Serialize>(value: &T) -> JsonReply {
    wire::to_json(value).map_err(|error| Refusal::internal(error.to_string()))
}

/// `{"key": value}`.
pub(super) fn reply<T: Serialize>(key: &str, value: T) -> JsonReply {
    json(&BTreeMap::from([(key, value)]))
}

/// `{}`: every success has a JSON body, or the client of reconchess fails.
pub(super) fn done() -> String {
    "{}".to_owned()
}

/// The JSON of a request, whatever its content type: the client of reconchess sends none.
pub(super) fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, Refusal> {
    serde_json::from_slice(body)
        .map_err(|error| Refusal::bad(format!("malformed request: {}", of_json(&error, body))))
}
