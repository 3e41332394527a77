//! The data of a page.

use common::error::Result;
use serde::Serialize;

/// JSON that can be embedded in a script element: nothing in it ends the element or begins a
/// comment.
///
/// # Errors
/// When it cannot be written as JSON.
pub(crate) fn json(facts: &impl Serialize) -> Result<String> {
    let text = serde_json::to_string(facts).map_err(|error| error.to_string())?;
    Ok(text.replace('<', "\\u003c"))
}
