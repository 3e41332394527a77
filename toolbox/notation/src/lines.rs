//! Input of one FEN or EPD a line.

use common::count::count;
use common::error::{Error, Result};
use common::input::read_text;
use common::note;
use std::io::BufRead;

/// Shows the text of every line that is not blank. What is wrong with a line is noted with its
/// place, and the other lines follow.
///
/// # Errors
/// When reading or writing fails and, in the end, when a line was bad; it counts the `noun`s.
pub(crate) fn show_lines(
    reader: &mut impl BufRead,
    name: &str,
    noun: &str,
    show: impl Fn(&str) -> Result,
) -> Result {
    let (mut number, mut read, mut bad) = (0, 0, 0);
    while let Some(line) = read_text(reader).map_err(|error| format!("{name}: {error}"))? {
        number += 1;
        if line.as_ref().is_ok_and(|line| line.trim().is_empty()) {
            continue;
        }
        read += 1;
        match line.map_err(Error::Message).and_then(|line| show(&line)) {
            Err(Error::Message(message)) => {
                bad += 1;
                note!("{name}:{number}: {message}");
            }
            result => result?,
        }
    }
    match bad {
        0 => Ok(()),
        _ => Err(Error::Message(format!(
            "bad: {bad} of {}",
            count(read, noun)
        ))),
    }
}
