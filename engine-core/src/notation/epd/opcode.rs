//! What can stand as an opcode.

/// Blanks between and in operations.
pub(super) fn is_space(letter: char) -> bool {
    matches!(letter, ' ' | '\t' | '\r' | '\n')
}

/// Whether a text can stand as an opcode.
pub(super) fn is_opcode(text: &str) -> bool {
    text.chars().next().is_some_and(char::is_alphabetic) && !text.contains(is_space)
}
