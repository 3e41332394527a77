//! Files of positions: a FEN or an EPD record in each line.

/// The lines with a position, numbered from 1, without blanks around them. Lines that begin with `#`
/// have none. Old files end with 0x1A, the end of a file in DOS.
pub(crate) fn position_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_blank = |c: char| c.is_whitespace() || c == '\u{1a}';
    let lines = (1..).zip(text.lines().map(move |line| line.trim_matches(is_blank)));
    lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_positions_are_lines() {
        let text = "# book\r\n\r\n 8/8 w \r\n8/7k b\u{1a}\r\n\u{1a}";
        let lines: Vec<_> = position_lines(text).collect();
        assert_eq!(lines, [(3, "8/8 w"), (4, "8/7k b")]);
    }
}
