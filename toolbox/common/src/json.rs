//! JSON as output.

use crate::error::Result;
use serde::Serialize;
use std::io::{self, Write};

/// Writes a value as a line of JSON.
///
/// # Errors
/// When the value has no JSON, and when writing fails.
pub fn write_line(out: &mut impl Write, value: &(impl Serialize + ?Sized)) -> Result {
    let text = serde_json::to_string(value).map_err(io::Error::from)?;
    Ok(writeln!(out, "{text}")?)
}
