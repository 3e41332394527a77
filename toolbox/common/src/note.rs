//! Messages to standard error.

use crate::control_characters::without_control_characters;
use std::io::{self, Write};

/// Writes a message to standard error, without control characters; if that fails, it is lost.
#[macro_export]
macro_rules! note {
    ($($argument:tt)*) => { $crate::note::write_note(&format!($($argument)*)) };
}

/// Writes the text of a [`note!`](crate::note!), which may have several lines.
pub fn write_note(text: &str) {
    let lines: Vec<String> = text.split('\n').map(without_control_characters).collect();
    let _ = writeln!(io::stderr(), "{}", lines.join("\n"));
}
