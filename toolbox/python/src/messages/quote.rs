//! Texts as Python's `repr` shows them.

/// A text as Python shows it: in single quotes, unless it has some and no double ones.
pub fn quote(text: &str) -> String {
    let mark = if text.contains('\'') && !text.contains('"') {
        '"'
    } else {
        '\''
    };
    let mut quoted = String::from(mark);
    for c in text.chars() {
        match c {
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            c if c == mark => quoted.extend(['\\', c]),
            c if is_printable(c) => quoted.push(c),
            c => quoted.push_str(&escape(c)),
        }
    }
    quoted.push(mark);
    quoted
}

/// A character by its number, in Python's shortest form.
fn escape(c: char) -> String {
    match c as u32 {
        code @ ..0x100 => format!("\\x{code:02x}"),
        code @ ..0x1_0000 => format!("\\u{code:04x}"),
        code => format!("\\U{code:08x}"),
    }
}

/// Whether Python shows a character as it is: Rust's strings have the same rule beyond ASCII.
fn is_printable(c: char) -> bool {
    if c.is_ascii() {
        return !c.is_ascii_control();
    }
    // After a letter, so that a combining accent is shown on it.
    let text: String = ['a', c].iter().collect();
    text.escape_debug().nth(1) == Some(c)
}

#[cfg(test)]
mod tests {
    use super::quote;

    #[test]
    fn quotes_are_chosen_by_the_text() {
        assert_eq!(quote("a'b"), "\"a'b\"");
        assert_eq!(quote("a\"b'\n"), "'a\"b\\'\\n'");
    }

    #[test]
    fn what_is_not_printable_is_escaped() {
        let text = "\u{1}\u{7f}\u{a0}\u{ad}\u{200b}\u{3000}\u{e000}\u{378}\u{e0001}";
        let shown = r"'\x01\x7f\xa0\xad\u200b\u3000\ue000\u0378\U000e0001'";
        assert_eq!(quote(text), shown);
        let printable = "é\u{301}’中🐟 \"";
        assert_eq!(quote(printable), format!("'{printable}'"));
    }
}
