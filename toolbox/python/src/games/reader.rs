//! Reading games as python-chess does.

use super::game::PythonGame;
use super::lines::{LineSource, TextLines};
use super::start;
use super::state::ParseState;
use super::tags::{headers_of, roster_and};
use super::token::{self, Token, nag_digits};
use engine_core::Variant;
use engine_core::notation::is_blank;
use pgn::{Headers, Text};
use std::io::{self, BufRead};

/// Reads games one after the other.
///
/// ```
/// use python_chess::games::Reader;
///
/// let mut reader = Reader::new(&b"1. e4 e5 2. Sf3 *"[..]);
/// let game = reader.read_game()?.ok_or("no game")?;
/// assert_eq!(game.uci(game.tree.end(game.tree.root())), "f2f3");
/// assert!(reader.read_game()?.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Reader<L> {
    lines: L,
    /// The length of the byte order mark before the line.
    mark: usize,
}

impl<B: BufRead> Reader<TextLines<B>> {
    /// A reader of a text.
    pub fn new(input: B) -> Reader<TextLines<B>> {
        Reader::of(TextLines::new(input))
    }

    /// How many characters have been read.
    pub fn offset(&self) -> u64 {
        self.lines.offset()
    }
}

impl<L: LineSource> Reader<L> {
    /// A reader of these lines.
    pub fn of(lines: L) -> Reader<L> {
        Reader { lines, mark: 0 }
    }

    /// The lines, the last of which has been read.
    pub fn lines(&self) -> &L {
        &self.lines
    }

    /// The current line; it is empty at the end.
    fn line(&self) -> &str {
        self.lines.line().get(self.mark..).unwrap_or_default()
    }

    fn next_line(&mut self) -> io::Result<()> {
        self.mark = 0;
        self.lines.next_line()
    }

    fn is_blank(&self) -> bool {
        let line = self.line();
        !line.is_empty() && line.chars().all(is_blank)
    }

    fn is_line_comment(&self) -> bool {
        self.line().starts_with(['%', ';'])
    }

    /// Reads the lines of tag pairs up to the movetext; `None` if there is no game.
    fn read_tags(&mut self, mut visit: impl FnMut(&str)) -> io::Result<Option<()>> {
        self.next_line()?;
        let line = self.line();
        self.mark = line.len() - line.trim_start_matches('\u{feff}').len();
        while self.is_blank() || self.is_line_comment() {
            self.next_line()?;
        }
        let mut found = None;
        let mut blank_lines = 0;
        while !self.line().is_empty() {
            if self.is_line_comment() {
                self.next_line()?;
                continue;
            }
            if blank_lines < 1 && self.is_blank() {
                blank_lines += 1;
                self.next_line()?;
                continue;
            }
            found = Some(());
            if !self.line().starts_with('[') {
                break;
            }
            blank_lines = 0;
            visit(self.line());
            self.next_line()?;
        }
        Ok(found)
    }

    /// Reads the tags of the next game and passes over the rest of it. They are in the order of
    /// python-chess.
    ///
    /// # Errors
    /// When the input cannot be read.
    pub fn read_headers(&mut self) -> io::Result<Option<Headers>> {
        let lines = self.read_header_lines()?;
        Ok(lines.map(|lines| headers_of(&lines)))
    }

    /// Reads the lines that should be tags, and passes over the rest of the game.
    ///
    /// # Errors
    /// When the input cannot be read.
    pub fn read_header_lines(&mut self) -> io::Result<Option<String>> {
        let lines = self.read_tag_lines()?;
        if lines.is_some() {
            self.skip_moves()?;
        }
        Ok(lines)
    }

    /// Reads the lines that should be tags.
    fn read_tag_lines(&mut self) -> io::Result<Option<String>> {
        let mut lines = String::with_capacity(1 << 9);
        let push = |line: &str| {
            lines.push_str(line);
            // Where they are kept as they are, lines may end in `\r` alone.
            if !line.ends_with('\n') {
                lines.push('\n');
            }
        };
        Ok(self.read_tags(push)?.map(|()| lines))
    }

    /// Skips a game; false if there is none.
    ///
    /// # Errors
    /// When the input cannot be read.
    pub fn skip_game(&mut self) -> io::Result<bool> {
        let is_found = self.read_tags(|_| ())?.is_some();
        if is_found {
            self.skip_moves()?;
        }
        Ok(is_found)
    }

    fn skip_moves(&mut self) -> io::Result<()> {
        let mut in_comment = false;
        while !self.line().is_empty() {
            if !in_comment {
                if self.is_blank() {
                    break;
                }
                if self.line().starts_with('%') {
                    self.next_line()?;
                    continue;
                }
            }
            in_comment = ends_in_comment(self.line().as_bytes(), in_comment);
            self.next_line()?;
        }
        Ok(())
    }

    /// Reads the next game.
    ///
    /// # Errors
    /// When the input cannot be read.
    pub fn read_game(&mut self) -> io::Result<Option<PythonGame>> {
        let Some(lines) = self.read_tag_lines()? else {
            return Ok(None);
        };
        let headers = roster_and(&lines);
        let mut errors = Vec::new();
        let name = headers.raw("Variant").map(Text::to_str);
        let variant = start::variant_of(name.as_deref()).unwrap_or_else(|message| {
            errors.push(format!("ValueError: {message}"));
            Variant::Standard
        });
        let board = start::of_variant(&headers, variant);
        let named = start::named(&headers);
        let mut game = PythonGame::empty(headers, named);
        game.errors = errors;
        match board {
            Ok(position) => self.read_moves(ParseState::new(game, position)).map(Some),
            Err(message) => {
                game.errors.push(format!("ValueError: {message}"));
                self.skip_moves()?;
                Ok(Some(game))
            }
        }
    }

    fn read_moves(&mut self, mut state: ParseState) -> io::Result<PythonGame> {
        let mut skipped_depth = 0_usize;
        let mut line = String::new();
        while !self.line().is_empty() {
            if self.is_line_comment() {
                self.next_line()?;
                continue;
            }
            if self.is_blank() {
                break;
            }
            line.clear();
            line.push_str(self.line());
            let mut at = 0;
            while let Some((token, end)) = token::next(&line, at) {
                at = end;
                match token {
                    Token::Comment(brace) => {
                        let (text, end) = self.read_comment(&mut line, brace)?;
                        at = end;
                        if skipped_depth == 0 {
                            state.comment(&text);
                        }
                    }
                    Token::Open if skipped_depth > 0 => skipped_depth += 1,
                    Token::Open => skipped_depth = usize::from(!state.begin_variation()),
                    Token::Close if skipped_depth > 1 => skipped_depth -= 1,
                    Token::Close if skipped_depth == 1 => {
                        skipped_depth = 0;
                        state.end_skipped_variation();
                    }
                    Token::Close => state.end_variation(),
                    _ if skipped_depth > 0 => {}
                    Token::LineComment => break,
                    Token::Nag(digits) => state.nag(digits),
                    Token::Suffix(marks) => state.nag(nag_digits(marks)),
                    Token::Result(result) if state.is_in_main_line() => state.result(result),
                    Token::Move(text) | Token::Result(text) => {
                        skipped_depth = usize::from(!state.play(text));
                    }
                }
            }
            self.next_line()?;
        }
        Ok(state.finish())
    }

    /// Reads a comment that begins with this brace, with further lines if need be, and returns
    /// where in the line it ends.
    fn read_comment(&mut self, line: &mut String, brace: usize) -> io::Result<(String, usize)> {
        let mut comment = String::new();
        let mut from = brace + 1;
        from += usize::from(line.get(from..).is_some_and(|text| text.starts_with(' ')));
        loop {
            let text = line.get(from..).unwrap_or_default();
            if let Some(length) = text.find('}') {
                let text = text.get(..length).unwrap_or_default();
                comment.push_str(text.strip_suffix(' ').unwrap_or(text));
                return Ok((comment, from + length + 1));
            }
            comment.push_str(text);
            self.next_line()?;
            line.clear();
            line.push_str(self.line());
            from = 0;
            if line.is_empty() {
                return Ok((comment, 0));
            }
        }
    }
}

/// Whether a comment is open at the end of a line, of which a semicolon hides the rest unless it is
/// in a comment itself.
fn ends_in_comment(line: &[u8], begins_in_comment: bool) -> bool {
    if memchr::memchr(b';', line).is_none() {
        // Only the last brace counts.
        let last = memchr::memrchr2(b'{', b'}', line).and_then(|at| line.get(at));
        return last.map_or(begins_in_comment, |&brace| brace == b'{');
    }
    let mut in_comment = begins_in_comment;
    for &byte in line {
        match byte {
            b'{' => in_comment = true,
            b'}' => in_comment = false,
            b';' if !in_comment => break,
            _ => {}
        }
    }
    in_comment
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn glyphs_of_large_numbers_are_skipped() -> io::Result<()> {
        let text = &b"1. e4 $4294967295 $4294967296 $5 *"[..];
        let game = Reader::new(text)
            .read_game()?
            .ok_or(io::ErrorKind::UnexpectedEof)?;
        let node = game.tree.end(game.tree.root());
        assert_eq!(game.tree.nags(node), [5, u32::MAX]);
        let error = "ValueError: $4294967296 is more than 4294967295 and skipped";
        assert_eq!(game.errors, [error]);
        Ok(())
    }

    #[test]
    fn the_last_brace_says_whether_a_comment_is_open() {
        let ends =
            |line: &str| [false, true].map(|begins| ends_in_comment(line.as_bytes(), begins));
        assert_eq!(ends("1. e4 e5"), [false, true]);
        assert_eq!(ends("a } b"), [false, false]);
        assert_eq!(ends("a { { b"), [true, true]);
        assert_eq!(ends("{ a } b { c"), [true, true]);
        assert_eq!(ends("a ; { b"), [false, true]);
        assert_eq!(ends("a } ; { b"), [false, false]);
        assert_eq!(ends("{ a ; b } c"), [false, false]);
    }
}
