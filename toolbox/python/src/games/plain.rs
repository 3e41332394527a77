//! Games of plain form, whose ends are found without reading each line.

use std::ops::Range;

/// The lines of a game as nearly all files have them: tags, a blank line, moves, a blank line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlainGame {
    /// The lines of tags.
    pub tags: Range<usize>,
    /// Where the text continues.
    pub end: usize,
}

impl PlainGame {
    /// The game at the beginning of a text. `None` where only the reader can find its end: lines
    /// that begin with a blank or a percent sign, semicolons among the moves, a comment that is
    /// open at a blank line, or an end of the text.
    ///
    /// ```
    /// use python_chess::games::PlainGame;
    ///
    /// let text = "[White \"A\"]\n\n1. e4 { a } e5\n*\n\n1. d4 *\n";
    /// let game = PlainGame::first(text.as_bytes());
    /// assert_eq!(game, Some(PlainGame { tags: 0..12, end: 31 }));
    /// assert_eq!(PlainGame::first(b"1. d4 *\n"), None);
    /// ```
    pub fn first(text: &[u8]) -> Option<PlainGame> {
        let begin = text.iter().position(|&byte| byte != b'\n')?;
        if text.get(begin) != Some(&b'[') {
            return None;
        }
        let after = |at: usize| text.get(at + 1).copied();
        let lines = memchr::memchr_iter(b'\n', text.get(begin..)?);
        let mut ends = lines.map(|at| begin + at);
        let tags_end = ends.find(|&at| after(at) != Some(b'['))? + 1;
        let is_plain = |byte: Option<u8>| {
            byte.is_some_and(|byte| byte.is_ascii_graphic() && byte != b'%' && byte != b';')
        };
        let moves = tags_end + 1;
        let first = text.get(moves).copied();
        if text.get(tags_end) != Some(&b'\n') || !is_plain(first) || first == Some(b'[') {
            return None;
        }
        let mut marks = memchr::memchr2_iter(b'\n', b';', text.get(moves..)?);
        let end = marks
            .find(|&at| !is_plain(after(moves + at)) || text.get(moves + at) == Some(&b';'))?;
        let movetext = text.get(moves..moves + end)?;
        let last_brace = memchr::memrchr2(b'{', b'}', movetext);
        let is_open = last_brace.and_then(|at| movetext.get(at)) == Some(&b'{');
        if is_open || !text.get(moves + end..)?.starts_with(b"\n\n") {
            return None;
        }
        Some(PlainGame {
            tags: begin..tags_end,
            end: moves + end + 2,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Reader;

    #[test]
    fn plain_games_are_those_of_the_reader() {
        let tags = "[Event \"a;b\"]\n[Site \"%\"]\n";
        let mut plain = 0;
        for between in ["\n", "", "\n\n", " \n"] {
            for moves in [
                "1. e4 { [%clk 1] } e5\n2. d4 *\n",
                "1. e4 {\n} *\n",
                "1. e4 { a\n\nb } *\n",
                "1. e4 ; {\n*\n",
                "1. e4\n% {\n*\n",
                "1. e4\n \n*\n",
                "1. e4\n\u{a0}\n*\n",
                "[ *\n",
                "*\n",
                "% *\n",
                "1. e4 {\n% }\n*\n",
                "1. é\n[é *\n",
            ] {
                let text = format!("\n{tags}{between}{moves}\n[White \"B\"]\n\n*\n");
                let mut reader = Reader::new(text.as_bytes());
                let lines = reader.read_header_lines().unwrap().unwrap();
                if let Some(game) = PlainGame::first(text.as_bytes()) {
                    let end = text.get(..game.end).unwrap().chars().count() as u64;
                    assert_eq!(end, reader.offset(), "{text:?}");
                    assert_eq!(text.get(game.tags), Some(&*lines), "{text:?}");
                    plain += 1;
                }
            }
        }
        assert_eq!(plain, 4);
    }
}
