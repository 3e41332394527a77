//! The size of the terminal's window, and text wrapped to fit.

use terminal_size::{Height, Width, terminal_size};
use textwrap::Options;
use textwrap::core::display_width;

/// Columns and rows of the window; 80 by 24 if unknown.
pub(super) fn size() -> (usize, usize) {
    terminal_size().map_or((80, 24), |(Width(columns), Height(rows))| {
        (columns.into(), rows.into())
    })
}

/// Whether two boards with squares of two rows fit into the window, the one before a move and the
/// one after it.
pub(super) fn has_room() -> bool {
    let (columns, rows) = size();
    columns >= 80 && rows >= 40
}

/// Wraps long lines between words. Lines with colours are left as they are.
pub(super) fn wrap(text: &str, columns: usize) -> String {
    let fit = |line: &str| {
        if display_width(line) <= columns || line.contains('\x1b') {
            return line.to_owned();
        }
        let options = Options::new(columns).subsequent_indent("  ");
        textwrap::wrap(line, options).join("\n")
    };
    text.split('\n').map(fit).collect::<Vec<_>>().join("\n")
}

/// The first of these texts, with this between them, that fit in a line.
pub(super) fn fitting(texts: &[impl AsRef<str>], between: &str, columns: usize) -> String {
    let mut line = String::new();
    for text in texts {
        let gap = if line.is_empty() { "" } else { between };
        let text = text.as_ref();
        if display_width(&line) + gap.len() + display_width(text) > columns {
            break;
        }
        line.push_str(gap);
        line.push_str(text);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_whole_texts() {
        let texts = ["d12", "56k nodes", "1. e4"];
        for (columns, expected) in [
            (30, "d12 56k nodes 1. e4"),
            (19, "d12 56k nodes 1. e4"),
            (18, "d12 56k nodes"),
            (12, "d12"),
            (2, ""),
        ] {
            assert_eq!(fitting(&texts, " ", columns), expected);
        }
        assert_eq!(fitting(&texts, "  ", 14), "d12  56k nodes");
    }

    #[test]
    fn lines_are_broken_between_words() {
        assert_eq!(wrap("1. e4 e5 2. Nf3", 9), "1. e4 e5\n  2. Nf3");
        assert_eq!(wrap("short\n\nlines", 9), "short\n\nlines");
        assert_eq!(wrap("\x1b[1mcoloured\x1b[0m", 3), "\x1b[1mcoloured\x1b[0m");
    }
}
