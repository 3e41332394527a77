//! Input of one FEN or EPD a line.

use common::count::count;
use common::error::{Error, Result};
use common::files::refuse_utf16;
use common::input::read_text;
use common::note;
use std::io::{self, BufRead};

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
    let named = |error: io::Error| format!("{name}: {error}");
    // Not even its first line could be read.
    refuse_utf16(reader.fill_buf().map_err(named)?).map_err(named)?;
    let (mut number, mut read, mut bad) = (0, 0, 0);
    while let Some(line) = read_text(reader).map_err(named)? {
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    #[test]
    fn only_the_beginning_is_that_of_utf_16() {
        let shown = RefCell::new(Vec::new());
        let show = |text: &[u8]| {
            show_lines(&mut &*text, "x", "line", |line| {
                shown.borrow_mut().push(line.to_owned());
                Ok(())
            })
        };
        let error = show(b"a\n\xff\xfeb\nc\n").unwrap_err().to_string();
        assert_eq!(error, "bad: 1 of 3 lines");
        assert_eq!(shown.take(), ["a", "c"]);
        let error = show(b"\xff\xfea\0\n\0").unwrap_err().to_string();
        assert!(error.starts_with("x: it is UTF-16 text"), "{error}");
        assert!(shown.take().is_empty());
    }
}
