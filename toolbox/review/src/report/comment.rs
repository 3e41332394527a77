//! Comments without the commands in them, which the page shows in other ways.

/// The text without `[%eval …]` and its like, blanks around it trimmed.
pub(super) fn text(comment: &str) -> String {
    let mut text = String::with_capacity(comment.len());
    let mut rest = comment;
    while let Some((before, command)) = rest.split_once("[%") {
        // An unclosed command is not a command, and no other can follow it.
        let Some((_, after)) = command.split_once(']') else {
            break;
        };
        text.push_str(before);
        rest = after;
    }
    text.push_str(rest);
    let words: Vec<_> = text.split_whitespace().collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::text;

    #[test]
    fn commands_go() {
        assert_eq!(text("[%eval 0.3] good [%clk 0:01:00] move "), "good move");
        assert_eq!(text("[%cal Ga1h8"), "[%cal Ga1h8");
        assert_eq!(text("a [50%] b"), "a [50%] b");
        assert_eq!(text("[%[%x]]"), "]");
    }

    #[test]
    fn a_hostile_comment_takes_linear_time() {
        let comment = "[%".repeat(1 << 19);
        assert_eq!(text(&comment).len(), comment.len());
    }
}
