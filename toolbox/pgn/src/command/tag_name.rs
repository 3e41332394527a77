//! The name of a tag as an argument of a command.

use crate::is_tag_name;

/// Reads it; the message of clap's error for others.
pub(super) fn tag_name(text: &str) -> Result<String, String> {
    if is_tag_name(text) {
        Ok(text.to_owned())
    } else {
        Err(format!("{text:?} is no name of a tag"))
    }
}
