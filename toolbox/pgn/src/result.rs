//! The result of a game, which both a tag and the end of the moves tell.

use crate::lexer::decided_result;

/// The decided result that a tag or a marker names, in whichever way it is written.
pub(crate) fn result_in(text: &str) -> Option<&'static str> {
    decided_result(text.trim().as_bytes())
}

/// The result of a game by its tag `Result` or, where that names none, by the termination marker
/// after its moves: as python-chess reads it. It is `*` where neither names one, and `None` where
/// there is no marker either.
pub(crate) fn result_of_game(tag: Option<&str>, marker: Option<&str>) -> Option<&'static str> {
    let decided = |text: Option<&str>| result_in(text?);
    let is_open = || marker.is_some() || tag.is_some_and(|tag| tag.trim() == "*");
    decided(tag)
        .or_else(|| decided(marker))
        .or_else(|| is_open().then_some("*"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tag_counts_where_it_names_a_result() {
        for (tag, marker, result) in [
            (Some("1-0"), Some("1-0"), Some("1-0")),
            (Some("1-0"), Some("0-1"), Some("1-0")),
            (Some("1-0"), Some("*"), Some("1-0")),
            (Some(" 1/2-1/2 "), None, Some("1/2-1/2")),
            (Some("*"), Some("0-1"), Some("0-1")),
            (Some("won"), Some("0-1"), Some("0-1")),
            (None, Some("0-1"), Some("0-1")),
            (Some("won"), Some("*"), Some("*")),
            (Some("*"), None, Some("*")),
            (Some("?"), None, None),
            (None, None, None),
        ] {
            assert_eq!(result_of_game(tag, marker), result, "{tag:?} {marker:?}");
        }
    }
}
