//! Control characters, which could drive a terminal.

/// A text with blanks in the place of control characters, line breaks among them.
pub fn without_control_characters(text: &str) -> String {
    text.replace(char::is_control, " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_drive_a_terminal() {
        let text = without_control_characters("a\x1b[31m\u{9b}2J\r\nb");
        assert_eq!(text, "a [31m 2J  b");
    }
}
