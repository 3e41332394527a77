//! The size of the terminal's window, and text wrapped to fit.

use terminal_size::{Height, Width, terminal_size};
use textwrap::Options;
use textwrap::core::display_width;

/// Columns and rows of the window; 80 by 24 if unknown.
pub fn size() -> (usize, usize) {
    terminal_size().map_or((80, 24), |(Width(columns), Height(rows))| {
        (columns.into(), rows.into())
    })
}

/// Wraps long lines between words. Lines with colours are left as they are.
pub fn wrap(text: &str, columns: usize) -> String {
    let fit = |line: &str| {
        if display_width(line) <= columns || line.contains('\x1b') {
            return line.to_owned();
        }
        let options = Options::new(columns).subsequent_indent("  ");
        textwrap::wrap(line, options).join("\n")
    };
    text.split('\n').map(fit).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_between_words() {
        assert_eq!(wrap("1. e4 e5 2. Nf3", 9), "1. e4 e5\n  2. Nf3");
        assert_eq!(wrap("short\n\nlines", 9), "short\n\nlines");
        assert_eq!(wrap("\x1b[1mcoloured\x1b[0m", 3), "\x1b[1mcoloured\x1b[0m");
    }
}
