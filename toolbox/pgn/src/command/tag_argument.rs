//! The name of a tag as an argument of a command.

use crate::is_tag_name;

/// Reads the name of a tag.
///
/// # Errors
/// When a tag cannot have that name.
pub(super) fn tag_argument(text: &str) -> Result<String, String> {
    if is_tag_name(text) {
        Ok(text.to_owned())
    } else {
        Err(format!("{text:?} is no name of a tag"))
    }
}
