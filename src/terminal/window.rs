//! What fits into the terminal's window.

use common::window::size;
use textwrap::core::display_width;

/// Whether two boards with squares of two rows fit into the window, the one before a move and the
/// one after it.
pub(super) fn has_room() -> bool {
    let (columns, rows) = size();
    columns >= 80 && rows >= 40
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
}
