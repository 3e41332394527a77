//! The lexer: bytes to tokens.
//!
//! One pass, no recursion, no allocation. A tag pair at the beginning of a line may start the next
//! game even inside an unclosed comment, so that a missing brace costs one game and not
//! all that follow.

use super::scan;
use super::visitor::Stopped;

/// A piece of movetext. Offsets are those of the first byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token<'t> {
    /// The end of the text.
    End,
    /// `[Name "`, which begins the next game.
    Tag,
    /// A move number or dots; whether it is a plain `1` or `1.`, the first move of a game.
    Number { is_first: bool },
    /// A move, or another word.
    Word(&'t [u8]),
    /// `!`, `?` and combinations of them.
    Suffix(&'t [u8]),
    /// `$` and digits.
    Nag(&'t [u8]),
    /// Between braces, of which the closing one may be missing.
    Comment { text: &'t [u8], is_closed: bool },
    /// From `;` to the end of the line.
    LineComment(&'t [u8]),
    /// A line that begins with `%`, which is for other programs.
    Escape(&'t [u8]),
    /// `(`
    Open,
    /// `)`
    Close,
    /// How the game ended.
    Result(&'static str),
    /// Bytes that begin no token.
    Junk(&'t [u8]),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Word,
    /// The first byte of a byte order mark, or of another character of a word.
    ByteOrderMark,
    Space,
    Newline,
    Digit,
    Mark,
    Special,
}

#[cfg_attr(not(test), expect(clippy::indexing_slicing, reason = "a constant"))]
const CLASSES: [Class; 256] = {
    let mut classes = [Class::Word; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b'\n' | b'\r' => Class::Newline,
            0..=b' ' | 127 => Class::Space,
            b'0'..=b'9' => Class::Digit,
            b'!' | b'?' => Class::Mark,
            b'{' | b'}' | b'(' | b')' | b'[' | b']' | b';' | b'%' | b'$' | b'*' | b'.' | b'<'
            | b'>' | b'"' | b',' => Class::Special,
            0xEF => Class::ByteOrderMark,
            _ => Class::Word,
        };
        byte += 1;
    }
    classes
};

/// Whether a byte can be inside a word; a full stop can (`e.p.`), though it cannot begin one. So can
/// a control character, which spoils the word: `N\0f3` must not be read as `f3`.
#[cfg_attr(not(test), expect(clippy::indexing_slicing, reason = "a constant"))]
const IN_WORD: [bool; 256] = {
    let mut inside = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        // Old files end with 0x1A, the end of a file in DOS.
        let is_blank = matches!(byte as u8, b'\t'..=b'\r' | 0x1A | b' ');
        inside[byte] = match CLASSES[byte] {
            Class::Word | Class::ByteOrderMark | Class::Digit => true,
            Class::Space => !is_blank,
            _ => byte as u8 == b'.',
        };
        byte += 1;
    }
    inside
};

/// What some editors begin a text with. It is skipped like a blank, also within a text: files that
/// were joined have it where each of them began.
pub(super) const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Whether a byte is a line break or half of one.
pub(crate) fn is_break(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// Whether a byte is a blank, a line break or a control character.
pub(super) fn is_blank(byte: u8) -> bool {
    matches!(class(byte), Class::Space | Class::Newline)
}

/// The text without blanks, line breaks and byte order marks at its end.
pub(super) fn without_blanks_at_end(mut text: &[u8]) -> &[u8] {
    loop {
        let end = text.iter().rposition(|&byte| !is_blank(byte));
        text = end.and_then(|end| text.get(..=end)).unwrap_or_default();
        match text.strip_suffix(BYTE_ORDER_MARK) {
            Some(rest) => text = rest,
            None => return text,
        }
    }
}

#[inline(always)]
fn class(byte: u8) -> Class {
    CLASSES
        .get(usize::from(byte))
        .copied()
        .unwrap_or(Class::Word)
}

#[inline(always)]
fn in_word(byte: u8) -> bool {
    IN_WORD.get(usize::from(byte)).copied().unwrap_or(false)
}

/// Whether [`Lexer::repeat`] repeats a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Next {
    /// The step has read something, and there is more.
    More,
    /// This step was the last.
    Done,
}

/// Reads a text from its beginning to its end.
#[derive(Clone, Debug)]
pub(super) struct Lexer<'t> {
    pub(super) text: &'t [u8],
    /// The offset at which the next token is read. Private to this module, so that all loops of the
    /// parser go through [`Lexer::repeat`] or ask for tokens, and thus make progress.
    at: usize,
    /// The offset of the last token.
    pub(super) start: usize,
    /// How many line breaks stood before the last token; two are a blank line.
    pub(super) newlines: u32,
}

impl<'t> Lexer<'t> {
    pub(super) fn new(text: &'t [u8]) -> Lexer<'t> {
        Lexer {
            text,
            at: 0,
            start: 0,
            newlines: 0,
        }
    }

    /// The offset at which the next token is read.
    #[inline(always)]
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Whether the whole text has been read.
    pub(super) fn is_at_end(&self) -> bool {
        self.at >= self.text.len()
    }

    /// Goes on to an offset.
    #[inline(always)]
    pub(super) fn advance_to(&mut self, at: usize) {
        debug_assert!(at >= self.at && at <= self.text.len());
        self.at = at;
    }

    /// Reads something once, and makes sure of progress: if nothing was read, the rest of the line
    /// is skipped, which would otherwise be read again and again.
    #[inline(always)]
    pub(super) fn once(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<(), Stopped>,
    ) -> Result<(), Stopped> {
        let before = self.at;
        read(self)?;
        debug_assert!(self.at > before, "nothing is read at {before}");
        if self.at <= before {
            self.at = self.line_end(before).max(before + 1).min(self.text.len());
        }
        Ok(())
    }

    /// Goes back to an offset: what has only been looked at is to be read.
    pub(super) fn go_back_to(&mut self, at: usize) {
        debug_assert!(at <= self.at);
        self.at = at;
    }

    /// Leaves the last token unread.
    pub(super) fn give_back(&mut self) {
        self.go_back_to(self.start);
    }

    /// Repeats a step until it returns [`Next::Done`]. Reading always ends: a step that has read
    /// nothing is the last, whatever it returns.
    #[inline(always)]
    pub(super) fn repeat(
        &mut self,
        mut step: impl FnMut(&mut Self) -> Result<Next, Stopped>,
    ) -> Result<(), Stopped> {
        loop {
            let before = self.at;
            let next = step(self)?;
            if next == Next::Done || self.at <= before {
                debug_assert!(next == Next::Done, "a step that reads nothing at {before}");
                return Ok(());
            }
        }
    }

    /// Skips blanks and line breaks.
    pub(super) fn skip_blanks(&mut self) {
        self.at += self.count_blanks(self.at);
    }

    /// The number of blanks and line breaks at an offset.
    pub(super) fn count_blanks(&self, at: usize) -> usize {
        let mut end = at;
        loop {
            let rest = self.text.get(end..).unwrap_or_default();
            end += rest.iter().take_while(|&&byte| is_blank(byte)).count();
            let after = self.after_mark(end);
            if after == end {
                return end - at;
            }
            end = after;
        }
    }

    /// The offset after the byte order mark that begins here; here if none does.
    #[inline(always)]
    pub(super) fn after_mark(&self, at: usize) -> usize {
        let is_mark =
            self.byte(at) == 0xEF && self.slice(at, at + BYTE_ORDER_MARK.len()) == BYTE_ORDER_MARK;
        at + usize::from(is_mark) * BYTE_ORDER_MARK.len()
    }

    /// The offset of the byte order mark that ends here; here if none does.
    fn before_mark(&self, at: usize) -> usize {
        let mark = at.checked_sub(BYTE_ORDER_MARK.len());
        mark.filter(|&mark| self.after_mark(mark) == at)
            .unwrap_or(at)
    }

    /// Where the next game begins or the text ends, if nothing but blanks is before that.
    pub(super) fn next_game(&self, at: usize) -> Option<usize> {
        let next = at + self.count_blanks(at);
        let is_game = self.is_line_start(next) && self.begins_game(next);
        (is_game || next >= self.text.len()).then_some(next)
    }

    /// The end of the result that begins here, if one does.
    pub(super) fn end_of_result(&self, at: usize) -> Option<usize> {
        if self.byte(at) == b'*' {
            return Some(at + 1);
        }
        let before = at.checked_sub(1).map_or(0, |before| self.byte(before));
        if before.is_ascii_alphanumeric() || matches!(before, b'-' | b'/') {
            return None;
        }
        let longest = self.slice(at, self.text.len().min(at + "1/2-1/2".len() + 1));
        let length = longest.iter().take_while(|&&byte| in_word(byte)).count();
        decided_result(self.slice(at, at + length)).map(|_| at + length)
    }

    /// Skips the rest of the line without its line break, and returns it.
    pub(super) fn skip_line(&mut self) -> &'t [u8] {
        let start = self.at;
        self.at = self.line_end(start);
        work::add(self.at - start);
        self.slice(start, self.at)
    }

    /// The byte at an offset, or a blank beyond the end.
    #[inline(always)]
    pub(super) fn byte(&self, at: usize) -> u8 {
        self.text.get(at).copied().unwrap_or(b' ')
    }

    #[inline(always)]
    pub(super) fn slice(&self, from: usize, to: usize) -> &'t [u8] {
        self.text.get(from..to).unwrap_or_default()
    }

    /// Whether the byte at an offset can be inside a word.
    #[inline(always)]
    pub(super) fn is_in_word(&self, at: usize) -> bool {
        in_word(self.byte(at))
    }

    #[inline(always)]
    pub(super) fn is_line_start(&self, at: usize) -> bool {
        let at = self.before_mark(at);
        at == 0 || is_break(self.byte(at - 1))
    }

    /// Whether the rest of the line is for people or programs: `;` begins that anywhere, `%` only
    /// at the beginning of a line.
    pub(super) fn is_remark(&self, at: usize) -> bool {
        match self.byte(at) {
            b';' => true,
            b'%' => self.is_line_start(at),
            _ => false,
        }
    }

    /// The next token of the movetext.
    #[inline(always)]
    pub(super) fn next(&mut self) -> Token<'t> {
        let before = self.at;
        let token = self.token();
        work::add(self.at - before);
        token
    }

    #[inline(always)]
    fn token(&mut self) -> Token<'t> {
        let mut newlines = 0_u32;
        loop {
            let start = self.at;
            let Some(&byte) = self.text.get(start) else {
                self.start = start;
                self.newlines = newlines;
                return Token::End;
            };
            match class(byte) {
                Class::Space => self.at += 1,
                Class::ByteOrderMark if self.after_mark(start) > start => {
                    self.at = self.after_mark(start);
                }
                Class::Newline => {
                    let is_half = byte == b'\r' && self.byte(start + 1) == b'\n';
                    newlines += u32::from(!is_half);
                    self.at += 1;
                }
                class => {
                    self.start = start;
                    self.newlines = newlines;
                    return match class {
                        Class::Word | Class::ByteOrderMark => self.word(),
                        Class::Digit => self.number(),
                        Class::Mark => self.suffix(),
                        _ => self.special(byte),
                    };
                }
            }
        }
    }

    #[inline(always)]
    fn word(&mut self) -> Token<'t> {
        let start = self.at;
        let mut end = start + 1;
        while in_word(self.byte(end)) {
            end += 1;
        }
        // A mark behind a word is skipped like a blank.
        if !self.byte(end - 1).is_ascii() {
            while self.before_mark(end) < end {
                end = self.before_mark(end);
            }
        }
        self.at = end;
        let word = self.slice(start, end);
        if !self.byte(start).is_ascii() && word.starts_with("…".as_bytes()) {
            self.at = start + "…".len();
            return Token::Number { is_first: false };
        }
        Token::Word(word)
    }

    #[inline(always)]
    fn number(&mut self) -> Token<'t> {
        let start = self.at;
        let mut end = start + 1;
        while self.byte(end).is_ascii_digit() {
            end += 1;
        }
        self.at = end;
        match self.byte(end) {
            b'.' => {
                let mut dots = end + 1;
                while self.byte(dots) == b'.' {
                    dots += 1;
                }
                self.at = dots;
                let is_one = end == start + 1 && self.byte(start) == b'1';
                Token::Number {
                    is_first: is_one && dots == end + 1,
                }
            }
            b' ' | b'\n' if end - start != 4 => Token::Number { is_first: false },
            _ => self.rare_number(start, end),
        }
    }

    /// Results, castling with zeros, the null move `0000`, and numbers without a dot.
    #[cold]
    fn rare_number(&mut self, start: usize, end: usize) -> Token<'t> {
        let mut stop = end;
        while in_word(self.byte(stop)) {
            stop += 1;
        }
        let word = self.slice(start, stop);
        if let Some(result) = decided_result(word) {
            self.at = stop;
            return Token::Result(result);
        }
        let is_castling = word.starts_with(b"0-0") || word == b"0000";
        if is_castling || is_joined(self.slice(end, stop)) {
            self.at = stop;
            return Token::Word(word);
        }
        Token::Number { is_first: false }
    }

    fn suffix(&mut self) -> Token<'t> {
        let start = self.at;
        let mut end = start + 1;
        while class(self.byte(end)) == Class::Mark {
            end += 1;
        }
        self.at = end;
        Token::Suffix(self.slice(start, end))
    }

    #[inline(always)]
    fn special(&mut self, byte: u8) -> Token<'t> {
        let start = self.at;
        self.at += 1;
        match byte {
            b'{' => self.comment(start + 1),
            b'(' => Token::Open,
            b')' => Token::Close,
            _ => self.rare_special(byte, start),
        }
    }

    fn rare_special(&mut self, byte: u8, start: usize) -> Token<'t> {
        match byte {
            b'*' => Token::Result("*"),
            b'$' => {
                let mut end = start + 1;
                while self.byte(end).is_ascii_digit() {
                    end += 1;
                }
                self.at = end;
                match self.slice(start, end) {
                    text @ [_] => Token::Junk(text),
                    text => Token::Nag(text),
                }
            }
            b'.' => {
                while self.byte(self.at) == b'.' {
                    self.at += 1;
                }
                Token::Number { is_first: false }
            }
            b';' => {
                self.at = self.line_end(start);
                Token::LineComment(self.slice(start + 1, self.at))
            }
            b'%' if self.is_line_start(start) => {
                self.at = self.line_end(start);
                Token::Escape(self.slice(start, self.at))
            }
            b'[' if self.is_line_start(start) && self.is_tag(start) => {
                self.at = start;
                Token::Tag
            }
            _ => {
                let is_junk = |byte| matches!(byte, b'[' | b']' | b'}' | b'<' | b'>' | b'"' | b',');
                while is_junk(self.byte(self.at)) {
                    self.at += 1;
                }
                Token::Junk(self.slice(start, self.at))
            }
        }
    }

    /// A comment whose text begins at `start`. One that is not closed ends where the next game
    /// begins.
    #[inline(always)]
    fn comment(&mut self, start: usize) -> Token<'t> {
        let mut from = start;
        loop {
            let end = scan::brace_or_newline(self.text, from);
            match self.byte(end) {
                b'}' => {
                    self.at = end + 1;
                    return Token::Comment {
                        text: self.slice(start, end),
                        is_closed: true,
                    };
                }
                byte if is_break(byte) && !self.begins_game(self.after_mark(end + 1)) => {
                    from = end + 1;
                }
                _ => {
                    self.at = end;
                    return Token::Comment {
                        text: self.slice(start, end).trim_ascii_end(),
                        is_closed: false,
                    };
                }
            }
        }
    }

    /// The end of the line, without its line break.
    pub(super) fn line_end(&self, from: usize) -> usize {
        scan::newline(self.text, from)
    }

    /// Whether a tag pair begins here: `[Name "`.
    pub(super) fn is_tag(&self, at: usize) -> bool {
        let text = self.text.get(at..).unwrap_or_default();
        let Some(text) = text.strip_prefix(b"[") else {
            return false;
        };
        let name = tag_name(text);
        let rest = text.get(name.len()..).unwrap_or_default();
        !name.is_empty()
            && rest
                .iter()
                .take(MAX_SPACES)
                .find(|&&byte| byte != b' ' && byte != b'\t')
                == Some(&b'"')
    }

    /// Whether the line at this offset begins a game in any context: an `Event`, or any tag pair
    /// after a blank line.
    #[inline(always)]
    pub(super) fn begins_game(&self, line: usize) -> bool {
        self.byte(line) == b'[' && self.is_first_tag(line)
    }

    #[cold]
    fn is_first_tag(&self, line: usize) -> bool {
        self.is_tag(line) && (self.is_event(line) || self.is_after_blank(line))
    }

    /// Whether this tag pair is an `Event`.
    pub(super) fn is_event(&self, tag: usize) -> bool {
        let name = self.slice(tag + 1, tag + 7);
        name.strip_prefix(b"Event")
            .is_some_and(|after| matches!(after, [b' ' | b'\t' | b'"']))
    }

    /// Whether the line before the one that begins here is blank.
    fn is_after_blank(&self, line: usize) -> bool {
        let before = self.slice(0, self.before_mark(line));
        let mut before = before.iter().rev().take(MAX_SPACES).peekable();
        if before.next() == Some(&b'\n') {
            while before.next_if_eq(&&b'\r').is_some() {}
        }
        let last = before.find(|&&byte| !matches!(byte, b' ' | b'\t'));
        matches!(last, None | Some(b'\n' | b'\r'))
    }
}

/// How a game ended that is decided, by a word; `None` if the word tells no such result.
pub(crate) fn decided_result(word: &[u8]) -> Option<&'static str> {
    match word {
        b"1-0" => Some("1-0"),
        b"0-1" => Some("0-1"),
        b"1/2-1/2" | b"1/2" => Some("1/2-1/2"),
        _ => None,
    }
}

/// Whether the last word of a text is a result as the standard has it.
pub(crate) fn ends_with_result(text: &[u8]) -> bool {
    const LONGER: usize = "1/2-1/2".len() + 1;
    let text = text.trim_ascii_end();
    // No more of a longer word is looked at, of which there may be many.
    let end = text.get(text.len().saturating_sub(LONGER)..);
    let last = end.and_then(|end| end.rsplit(u8::is_ascii_whitespace).next());
    matches!(last, Some(b"1-0" | b"0-1" | b"1/2-1/2" | b"*"))
}

/// Whether what follows digits makes one word with them, such as a date, or a result as text
/// processors write it: it is no move after its number.
fn is_joined(rest: &[u8]) -> bool {
    let dashes = ["–", "—", "−"];
    matches!(rest, [b'-' | b'/' | b':', ..])
        || dashes.iter().any(|dash| rest.starts_with(dash.as_bytes()))
}

/// The most blanks that a look ahead or back skips: without a limit it could take quadratic time.
const MAX_SPACES: usize = 64;

/// The longest name of a tag.
pub(crate) const MAX_NAME: usize = 255;

/// Whether a byte can be part of the name of a tag.
pub(crate) fn is_in_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'+' | b'#' | b'=' | b':' | b'-')
}

/// The name at the beginning of a tag pair, without the bracket.
pub(crate) fn tag_name(text: &[u8]) -> &[u8] {
    let name = text.iter().take(MAX_NAME);
    let length = name.take_while(|&&byte| is_in_name(byte)).count();
    text.get(..length).unwrap_or_default()
}

/// Whether a text can be the name of a tag.
///
/// ```
/// assert!(pgn::is_tag_name("WhiteElo"));
/// assert!(!pgn::is_tag_name("") && !pgn::is_tag_name("White Elo"));
/// ```
pub fn is_tag_name(text: &str) -> bool {
    !text.is_empty() && tag_name(text.as_bytes()).len() == text.len()
}

/// Counts the bytes that are looked at, for tests that limit them: reading must take linear time.
pub(super) mod work {
    #[cfg(test)]
    thread_local!(static BYTES: std::cell::Cell<usize> = const { std::cell::Cell::new(0) });

    /// Notes that this many bytes have been looked at.
    #[inline(always)]
    #[cfg_attr(not(test), expect(unused_variables, reason = "counted by tests alone"))]
    pub(in super::super) fn add(bytes: usize) {
        #[cfg(test)]
        BYTES.set(BYTES.get() + bytes);
    }

    /// How many bytes have been noted since the last call.
    #[cfg(test)]
    pub(in super::super) fn take() -> usize {
        BYTES.replace(0)
    }
}
