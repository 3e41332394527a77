//! The movetext of a game: moves, comments, variations and the result.

use super::fast_path::{self, Exit};
use super::lexer::{Lexer, Next, Token, is_break, without_blanks_at_end, work};
use super::problem::excerpt;
use super::visitor::problem;
use super::visitor::{Nobody, Stopped};
use super::{Flow, MAX_DEPTH, ProblemKind, Remark, Visitor, scan};

/// Reads the moves up to the end of the game.
#[inline(always)]
pub(super) fn read<V: Visitor>(lexer: &mut Lexer<'_>, visitor: &mut V) -> Result<(), Stopped> {
    let mut movetext = Movetext {
        visitor,
        depth: 0,
        has_moves: false,
        is_fresh: true,
        is_unread: false,
        ending: ResultState::None,
    };
    if is_next_game(lexer) {
        lexer.start = lexer.at();
    } else {
        lexer.repeat(|lexer| movetext.step(lexer))?;
    }
    movetext.end(lexer)
}

/// Whether another game follows the tags, and no moves.
fn is_next_game(lexer: &Lexer<'_>) -> bool {
    lexer.byte(lexer.at()) == b'['
}

/// Skips the moves.
pub(super) fn skip(lexer: &mut Lexer<'_>) {
    if let Some(end) = certain_end(lexer) {
        lexer.advance_to(end);
    } else {
        let nobody_stops = read(lexer, &mut Nobody);
        debug_assert!(nobody_stops.is_ok());
    }
}

/// The end of the game, if it is certain from results and beginnings of lines alone, without
/// reading the moves. The search goes no further than the first of them that may begin another
/// game, so that it costs no more than reading the game does.
fn certain_end(lexer: &Lexer<'_>) -> Option<usize> {
    let text = lexer.text;
    let mut from = lexer.at();
    if is_next_game(lexer) {
        return Some(from);
    }
    loop {
        let at = scan::line_or_result(text, from);
        work::add(at - from);
        match text.get(at) {
            None => return Some(text.len()),
            Some(b'\n' | b'\r') => {
                let line = lexer.after_mark(at + 1);
                if lexer.begins_game(line) {
                    return Some(line);
                }
                if lexer.byte(line) != b'[' || lexer.is_tag(line) {
                    return None;
                }
            }
            Some(_) => {
                if let Some(end) = lexer.end_of_result(at) {
                    return lexer.next_game(end);
                }
            }
        }
        from = at + 1;
    }
}

/// Whether a result has ended the game.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ResultState {
    /// Not yet.
    None,
    /// It has: moves on a new line are those of the next game.
    Result,
    /// It has, but the moves went on after it.
    MovesAfterResult,
}

/// The movetext of a game while it is read.
struct Movetext<'v, V> {
    visitor: &'v mut V,
    /// How many variations are open.
    depth: usize,
    has_moves: bool,
    /// Whether no move has come yet in this line.
    is_fresh: bool,
    /// Whether a part of the main line was skipped: what follows it cannot be played any more.
    is_unread: bool,
    ending: ResultState,
}

impl<V: Visitor> Movetext<'_, V> {
    /// Reads a token or, on the fast path, many.
    #[inline(always)]
    fn step(&mut self, lexer: &mut Lexer<'_>) -> Result<Next, Stopped> {
        if self.ending == ResultState::None {
            self.fast_path(lexer)?;
        }
        let token = lexer.next();
        if self.begins_next_game(lexer, &token, self.depth) {
            lexer.give_back();
            return Ok(Next::Done);
        }
        let at = lexer.start;
        if lexer.newlines > 1
            && self.has_moves
            && self.ending == ResultState::None
            && !matches!(token, Token::End | Token::Tag | Token::Result(_))
        {
            problem(self.visitor, at, ProblemKind::BlankLine)?;
        }
        match token {
            Token::End | Token::Tag => return Ok(Next::Done),
            Token::Word(word) => self.word(lexer, word, at)?,
            Token::Number { .. } => {}
            Token::Open => self.open(lexer, at)?,
            Token::Close => self.close(at)?,
            Token::Comment { text, is_closed } => {
                self.visitor.remark(Remark::Comment, text);
                if !is_closed {
                    problem(self.visitor, at, ProblemKind::UnclosedComment)?;
                }
            }
            Token::Result(text) => self.result(text, at)?,
            token => self.sign(token, at)?,
        }
        Ok(Next::More)
    }

    /// Whether a token is the first of another game. Where a game ends is the same for all
    /// visitors, whatever they skip.
    #[inline(always)]
    fn begins_next_game(&self, lexer: &Lexer<'_>, token: &Token<'_>, depth: usize) -> bool {
        if self.ending == ResultState::None {
            let is_first = matches!(token, Token::Number { is_first: true });
            return is_first
                && lexer.newlines > 1
                && self.has_moves
                && depth == 0
                && is_numbering(lexer);
        }
        depth == 0 && self.is_game_after_result(lexer, token)
    }

    #[cold]
    fn is_game_after_result(&self, lexer: &Lexer<'_>, token: &Token<'_>) -> bool {
        let is_on_new_line = lexer.newlines > 0;
        match token {
            Token::Number { is_first } => *is_first && is_numbering(lexer),
            Token::Word(word) => {
                is_on_new_line && (self.ending == ResultState::Result || !is_like_move(word))
            }
            // A comment or glyphs before the first move.
            Token::Comment { .. } | Token::Nag(_) | Token::Suffix(_) => {
                let mut ahead = lexer.clone();
                is_on_new_line && begins_with_move(&mut ahead)
            }
            Token::Junk(_) => is_on_new_line,
            _ => false,
        }
    }

    #[inline(always)]
    fn fast_path(&mut self, lexer: &mut Lexer<'_>) -> Result<(), Stopped> {
        let mut has_moves = false;
        let exit = fast_path::moves(lexer, self.visitor, &mut has_moves);
        self.has_moves |= has_moves;
        self.is_fresh &= !has_moves;
        match exit {
            Exit::Lexer => Ok(()),
            Exit::Skip(at) => {
                self.skip_line(lexer, at);
                Ok(())
            }
            Exit::Stop => Err(Stopped),
        }
    }

    #[inline(always)]
    fn word(&mut self, lexer: &mut Lexer<'_>, word: &[u8], at: usize) -> Result<(), Stopped> {
        if self.ending != ResultState::None && self.depth == 0 {
            self.ending = ResultState::MovesAfterResult;
            problem(self.visitor, at, ProblemKind::MovesAfterResult)?;
            if self.is_unread {
                self.skip_line(lexer, at);
                return Ok(());
            }
        }
        self.has_moves = true;
        self.is_fresh = false;
        if self.visitor.san(word, at).unless_stopped()? == Flow::Skip {
            self.skip_line(lexer, at);
        }
        Ok(())
    }

    /// Begins a variation, or skips it.
    fn open(&mut self, lexer: &mut Lexer<'_>, at: usize) -> Result<(), Stopped> {
        let refused = if self.is_fresh || self.depth == 0 && self.is_unread {
            Some(ProblemKind::NothingToVary)
        } else if self.depth >= MAX_DEPTH {
            Some(ProblemKind::TooDeep)
        } else {
            None
        };
        if let Some(kind) = refused {
            problem(self.visitor, at, kind)?;
            skip_variation(lexer);
            let text = without_blanks_at_end(lexer.slice(at, lexer.at()));
            self.visitor.remark(Remark::Raw, text);
        } else if self.visitor.begin_variation().unless_stopped()? == Flow::Skip {
            skip_variation(lexer);
            let text = without_blanks_at_end(lexer.slice(at, lexer.at()));
            if self.visitor.skipped(text, at).unless_stopped()? == Flow::Skip {
                self.skip_line(lexer, at);
            }
        } else {
            self.depth += 1;
            self.is_fresh = true;
        }
        Ok(())
    }

    fn close(&mut self, at: usize) -> Result<(), Stopped> {
        if self.depth == 0 {
            return problem(self.visitor, at, ProblemKind::StrayClose);
        }
        self.depth -= 1;
        self.is_fresh = false;
        self.visitor.end_variation();
        Ok(())
    }

    fn result(&mut self, text: &'static str, at: usize) -> Result<(), Stopped> {
        if self.depth > 0 {
            self.visitor.remark(Remark::Raw, text.as_bytes());
        } else if self.ending != ResultState::None {
            self.ending = ResultState::Result;
            return problem(self.visitor, at, ProblemKind::SecondResult);
        } else {
            self.ending = ResultState::Result;
            self.visitor.result(text, at);
        }
        Ok(())
    }

    /// Annotation glyphs, comments to the end of the line, escaped lines, and junk.
    fn sign(&mut self, token: Token<'_>, at: usize) -> Result<(), Stopped> {
        match token {
            Token::Suffix(marks) => {
                for mark in marks.chunks(2) {
                    self.visitor.nag(nag_of(mark));
                }
            }
            Token::Nag(text) => match nag_of_digits(text) {
                Some(nag) => self.visitor.nag(nag),
                None => return self.sign(Token::Junk(text), at),
            },
            Token::LineComment(text) => self.visitor.remark(Remark::Line, text),
            Token::Escape(text) => self.visitor.remark(Remark::Escape, text),
            Token::Junk(text) => {
                self.visitor.remark(Remark::Raw, text);
                return problem(self.visitor, at, ProblemKind::Junk(excerpt(text)));
            }
            _ => {}
        }
        Ok(())
    }

    /// Skips the rest of a variation or, in the main line, of the moves, and hands it to the
    /// visitor as text. Its first word began at `start` and has been read.
    #[cold]
    fn skip_line(&mut self, lexer: &mut Lexer<'_>, start: usize) {
        let is_main = self.depth == 0;
        self.is_unread |= is_main;
        let mut depth = 0_usize;
        let end = loop {
            let before = lexer.at();
            let token = lexer.next();
            let is_end = match token {
                Token::Tag | Token::End => true,
                Token::Close if depth == 0 => !is_main,
                Token::Result(_) => is_main && depth == 0,
                _ => self.begins_next_game(lexer, &token, self.depth + depth),
            };
            if is_end {
                break before;
            }
            match token {
                Token::Open => depth += 1,
                Token::Close => depth = depth.saturating_sub(1),
                _ => {}
            }
        };
        // The caller reads the token that ended it again, with the line breaks before it.
        lexer.go_back_to(end);
        let start = with_number(lexer.text, start);
        let text = without_blanks_at_end(lexer.slice(start, end));
        self.visitor.remark(Remark::Raw, text);
    }

    /// Closes what is open at the end of a game.
    fn end(&mut self, lexer: &Lexer<'_>) -> Result<(), Stopped> {
        let at = lexer.start;
        if self.depth > 0 {
            problem(self.visitor, at, ProblemKind::UnclosedVariation)?;
            for _ in 0..self.depth {
                self.visitor.end_variation();
            }
        }
        match self.ending {
            ResultState::None => problem(self.visitor, at, ProblemKind::NoResult),
            ResultState::Result | ResultState::MovesAfterResult => Ok(()),
        }
    }
}

/// Whether a number is that of a move, which follows it. A number alone is no game.
#[cold]
fn is_numbering(lexer: &Lexer<'_>) -> bool {
    let mut ahead = lexer.clone();
    loop {
        match ahead.next() {
            Token::Word(word) if is_like_move(word) => return true,
            Token::Number { is_first: true } | Token::Result(_) | Token::Tag | Token::End => {
                return false;
            }
            _ => {}
        }
    }
}

/// Skips a variation whose opening parenthesis has been read, with the closing one.
fn skip_variation(lexer: &mut Lexer<'_>) {
    let mut depth = 1_usize;
    while depth > 0 {
        match lexer.next() {
            Token::Open => depth += 1,
            Token::Close => depth -= 1,
            Token::Tag | Token::End => return,
            _ => {}
        }
    }
}

/// What text that was kept unread leaves open at its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Unclosed {
    /// A comment without its closing brace.
    pub(super) has_comment: bool,
    /// A comment or an escaped line, up to the end of the line.
    pub(super) has_line: bool,
    /// How many variations.
    pub(super) variations: usize,
}

impl Unclosed {
    pub(super) fn in_text(text: &[u8]) -> Unclosed {
        // Unread text begins within a line, where the sign `%` escapes nothing.
        let line = [b" ", text].concat();
        let mut lexer = Lexer::new(&line);
        let mut open = Unclosed::default();
        loop {
            let token = lexer.next();
            if token == Token::End {
                return open;
            }
            open.has_comment = matches!(
                token,
                Token::Comment {
                    is_closed: false,
                    ..
                }
            );
            open.has_line = matches!(token, Token::LineComment(_) | Token::Escape(_));
            match token {
                Token::Open => open.variations += 1,
                Token::Close => open.variations = open.variations.saturating_sub(1),
                // A tag is not read by `next`.
                Token::Tag => lexer.advance_to(lexer.line_end(lexer.at())),
                _ => {}
            }
        }
    }

    /// What closes it.
    pub(super) fn closing(self) -> Vec<u8> {
        let comment: &[u8] = if self.has_comment { b" }" } else { b"" };
        let line: &[u8] = if self.has_line { b"\n" } else { b"" };
        [comment, line, &b")".repeat(self.variations)].concat()
    }
}

/// The offset of the move number before a word, if there is one.
fn with_number(text: &[u8], word: usize) -> usize {
    const MAX_NUMBER_LENGTH: usize = 16;
    let window = word.saturating_sub(MAX_NUMBER_LENGTH);
    let before = text.get(window..word).unwrap_or_default();
    let before = before.trim_ascii_end();
    let is_part = |byte: &&u8| byte.is_ascii_digit() || **byte == b'.';
    let length = before.iter().rev().take_while(is_part).count();
    let start = window + before.len() - length;
    let number = text.get(start..window + before.len()).unwrap_or_default();
    match number {
        [b'1'..=b'9', ..] if is_number_alone(text, start, word) => start,
        _ => word,
    }
}

/// Whether digits before a word are a move number: no part of a square, a glyph, a result or a comment
/// to the end of a line before.
fn is_number_alone(text: &[u8], number: usize, word: usize) -> bool {
    let lexer = Lexer::new(text);
    let is_part = number
        .checked_sub(1)
        .is_some_and(|last| lexer.is_in_word(last) || lexer.byte(last) == b'$');
    if is_part || !lexer.slice(number, word).iter().any(|&byte| is_break(byte)) {
        return !is_part;
    }
    let before = lexer.slice(0, number).iter();
    let line = before.rev().take_while(|&&byte| !is_break(byte));
    let length = line.inspect(|_| work::add(1)).count();
    let line = lexer.slice(number - length, number);
    !line.contains(&b';') && !line.starts_with(b"%")
}

/// Whether what comes next looks like movetext. A `%` within a line escapes nothing: moves may
/// follow any number of them there.
pub(super) fn is_movetext(lexer: &Lexer<'_>) -> bool {
    let is_stray = |token: &Token<'_>| matches!(token, Token::Junk([b'%', ..]));
    let mut ahead = lexer.clone();
    let first = ahead.next();
    if !is_stray(&first) {
        return is_of_moves(&first);
    }
    let mut after = ahead.next();
    while ahead.newlines == 0 && is_stray(&after) {
        after = ahead.next();
    }
    ahead.newlines == 0
        && match after {
            Token::Word(word) => is_like_move(word),
            Token::Number { .. }
            | Token::Result(_)
            | Token::Comment { .. }
            | Token::LineComment(_) => true,
            _ => false,
        }
}

/// Whether text on a new line begins a game without tags, also after the result of another.
pub(super) fn begins_tagless_game(text: &[u8]) -> bool {
    begins_with_move(&mut Lexer::new(text))
}

/// Whether the first move of a game comes next, or glyphs before it.
fn begins_with_move(lexer: &mut Lexer<'_>) -> bool {
    if let Some(after) = after_glyphs(lexer) {
        *lexer = after;
    }
    match lexer.next() {
        Token::Number { is_first } => is_first && is_numbering(lexer),
        Token::Word(word) => is_like_move(word),
        _ => false,
    }
}

/// Whether glyphs come next, and movetext after them: alone they begin nothing.
pub(super) fn is_movetext_after_glyphs(lexer: &Lexer<'_>) -> bool {
    after_glyphs(lexer).is_some_and(|after| !after.is_at_end() && is_movetext(&after))
}

/// What follows the glyphs that come next, if any do. It looks no further than the line, so that
/// many lines of glyphs take no longer than they are long.
fn after_glyphs<'t>(lexer: &Lexer<'t>) -> Option<Lexer<'t>> {
    let is_glyph = |token: &Token<'_>| matches!(token, Token::Nag(_) | Token::Suffix(_));
    let mut ahead = lexer.clone();
    if !is_glyph(&ahead.next()) {
        return None;
    }
    let mut after = ahead.next();
    while ahead.newlines == 0 && is_glyph(&after) {
        after = ahead.next();
    }
    ahead.give_back();
    Some(ahead)
}

/// Whether a token looks like one of movetext.
pub(super) fn is_of_moves(token: &Token<'_>) -> bool {
    match token {
        Token::Junk(_) | Token::Close | Token::Tag | Token::Nag(_) | Token::Suffix(_) => false,
        Token::Word(word) => is_like_move(word),
        _ => true,
    }
}

/// Whether a word could be a move in some spelling.
pub(super) fn is_like_move(word: &[u8]) -> bool {
    let Some(first) = word.first() else {
        return false;
    };
    let has_rank = word.iter().any(|byte| matches!(byte, b'1'..=b'8'));
    let is_castling = word.len() <= 7 && matches!(first, b'O' | b'o' | b'0' | b'-');
    word.len() <= 12 && (has_rank || is_castling)
}

fn nag_of(mark: &[u8]) -> u32 {
    match mark {
        b"!" => 1,
        b"?" => 2,
        b"!!" => 3,
        b"??" => 4,
        b"!?" => 5,
        _ => 6,
    }
}

/// The glyph `$` and digits; `None` if the number is too large.
fn nag_of_digits(text: &[u8]) -> Option<u32> {
    std::str::from_utf8(text.get(1..)?).ok()?.parse().ok()
}
